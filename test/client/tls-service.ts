// A service that speaks TLS and always says pass, and a proxy that opens a way to it under any name.

import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TlsOptions } from "node:tls";
import { PASS } from "./hostile-service.ts";

export interface TlsService extends AsyncDisposable {
  readonly port: number;
  /** paths of the requests that came */
  readonly requests: readonly string[];
}

export async function startTlsService(
  made: { readonly certificate: string; readonly key: string },
  options: TlsOptions & { readonly cuts?: true; readonly continues?: true } = {},
): Promise<TlsService> {
  const requests: string[] = [];
  const server = createHttpsServer(
    { cert: made.certificate, key: made.key, ...options },
    (request, response) => {
      requests.push(request.url ?? "");
      request.resume().on("end", () => {
        if (options.cuts === true) {
          request.socket.destroy();
          return;
        }
        if (options.continues === true) response.writeContinue();
        response
          .writeHead(200, { "content-type": "application/json", "content-length": PASS.length })
          .end(PASS);
      });
    },
  );
  server.on("tlsClientError", () => undefined);
  return { requests, ...(await listening(server)) };
}

/** What a proxy does with a CONNECT; `open` joins the client with the service. */
export type ProxyBehaviour = (socket: Duplex, request: IncomingMessage, open: () => void) => void;

export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** what was asked for: `CONNECT host:port` and the credentials that came with it */
  readonly asked: readonly { readonly target: string; readonly credentials: string | undefined }[];
}

export const OPEN_WAY: ProxyBehaviour = (socket, _, open) => {
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  open();
};

export function answerConnect(status: number): ProxyBehaviour {
  return (socket) => void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
}

/**
 * @param servicePort where every way leads, whatever name was asked for
 * @param secure certificate of a proxy that speaks TLS itself
 */
export async function startProxy(
  servicePort: number,
  does: ProxyBehaviour = OPEN_WAY,
  secure?: { readonly certificate: string; readonly key: string },
): Promise<TestProxy> {
  const asked: { target: string; credentials: string | undefined }[] = [];
  const refuse = (): never => {
    throw new Error("a request was sent to the proxy itself");
  };
  const server =
    secure === undefined
      ? createHttpServer(refuse)
      : createHttpsServer({ cert: secure.certificate, key: secure.key }, refuse);
  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    asked.push({
      target: `${request.method} ${request.url}`,
      credentials: request.headers["proxy-authorization"],
    });
    socket.on("error", () => undefined);
    does(socket, request, () => {
      const way = connect(servicePort, "127.0.0.1");
      way.on("error", () => socket.destroy());
      socket.on("close", () => way.destroy());
      way.on("close", () => socket.destroy());
      way.pipe(socket).pipe(way);
    });
  });
  return { asked, ...(await listening(server)) };
}

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
