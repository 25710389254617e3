// A service for pictures of environments other than the sandbox: believes every signature, always gives the same answer.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Service {
  readonly url: string;
  close(): void;
}

/** @param answer body of what it answers to `path`; asked for each request */
export async function openService(answer: (path: string) => unknown): Promise<Service> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(answer(request.url ?? "")));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
