// A service that hands out one credential, after it has tried to spill it in every answer that is no good credential.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LeakyService {
  readonly url: string;
  /** How checks are answered from now on; `silent` takes the request and says nothing, `echo` refuses it with its headers. */
  checks: "pass" | "500" | "401" | "cut" | "silent" | "echo";
  /** Resolves when the next check has arrived. */
  nextCheck(): Promise<void>;
  close(): Promise<void>;
}

export async function leakyService(secret: string): Promise<LeakyService> {
  const credential = { key_id: "key-1", project_id: "prj-1", algorithm: "hmac-sha256", secret };
  const good = JSON.stringify({ status: "success", message: "Here it is", credential });
  const { key_id: _, ...partial } = credential;
  /** What the credential request is answered, one after the other; the last one from then on. */
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => json(response, 200, JSON.stringify({ status: "success", credential: partial })),
    (response) => json(response, 200, good.replace('"status":"success"', '"status":"success","status":"x"')),
    (response) => json(response, 500, good),
    (response) => json(response, 200, `${good}!`),
    (response) => response.writeHead(302, { location: `https://example.org/?${secret}` }).end(),
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write(good, () => response.destroy());
    },
    (response) => json(response, 200, good),
  ];
  const waiting: (() => void)[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url === "/projects")
        return json(response, 200, '{"status":"success","message":"Registered"}');
      if (request.url === "/projects/credential") {
        const answer = answers[Math.min(asked, answers.length - 1)]!;
        asked += 1;
        return answer(response);
      }
      for (const heard of waiting.splice(0)) heard();
      switch (service.checks) {
        case "pass":
          return json(response, 200, '{"status":"success","code":"pass","message":"Continue"}');
        case "500":
        case "401":
          return json(response, Number(service.checks), '{"status":"error","error":"x","message":"No"}');
        case "echo": {
          const sent = request.headers.authorization ?? "";
          response.setHeader("x-echo", sent);
          response.setHeader("x-echo-64", Buffer.from(sent).toString("base64"));
          return json(response, 401, JSON.stringify({ status: "error", headers: request.headers }));
        }
        case "cut":
          return void response.destroy();
        case "silent":
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: LeakyService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    checks: "pass",
    nextCheck: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

/** How many requests for the credential are answered badly before the good answer. */
export const BAD_CREDENTIALS = 6;

function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}
