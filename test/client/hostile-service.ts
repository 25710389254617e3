// A service over raw sockets that answers whatever bytes it is told to, and counts what reaches it.

import { createServer, type AddressInfo, type Socket } from "node:net";

export interface SeenRequest {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const PIECE_BYTES = 8 * 1024;

/** Does something to the socket once a whole request is there. */
export type Behaviour = (socket: Socket, request: SeenRequest) => void;

export interface HostileService extends AsyncDisposable {
  readonly url: string;
  /** complete requests, in the order in which they came */
  readonly requests: readonly SeenRequest[];
  readonly connections: () => number;
  /** bytes that came, whether they were a request or not */
  readonly bytes: () => number;
  /** Forgets what came and goes on with these: one service for a whole table of cases. */
  play(...behaviours: readonly Behaviour[]): void;
}

/**
 * Listens on 127.0.0.1.
 * @param behaviours one for each request; the last one serves all that follow
 * @param onConnect sees each connection first
 * @param port a free one when 0
 */
export async function startHostileService(
  behaviours: readonly Behaviour[],
  onConnect: (socket: Socket) => void = () => undefined,
  port = 0,
): Promise<HostileService> {
  const requests: SeenRequest[] = [];
  let playing = behaviours;
  const sockets = new Set<Socket>();
  let connections = 0;
  let bytes = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    let text = "";
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      text += chunk.toString("latin1");
      const request = readRequest(text);
      if (request === null) return;
      text = "";
      requests.push(request);
      playing[Math.min(requests.length, playing.length) - 1]?.(socket, request);
    });
    onConnect(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    connections: () => connections,
    bytes: () => bytes,
    play(...next) {
      playing = next;
      requests.length = 0;
      connections = 0;
      bytes = 0;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequest(text: string): SeenRequest | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [line = "", ...rest] = text.slice(0, end).split("\r\n");
  const headers = new Map(
    rest.map((header) => {
      const colon = header.indexOf(":");
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers.get("content-length") ?? 0)) return null;
  return { line, headers, body };
}

/** Answers with exactly these bytes and leaves the connection open. */
export function raw(bytes: string | Buffer): Behaviour {
  return (socket) => void socket.write(bytes);
}

/** Answers with exactly these bytes, then closes. */
export function rawThenClose(bytes: string | Buffer): Behaviour {
  return (socket) => void socket.end(bytes);
}

/** A well-framed answer. A null header leaves the usual one out. */
export function answer(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string | null>> = {},
): Behaviour {
  const bytes = Buffer.from(body);
  const lines: Record<string, string | null> = {
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...headers,
  };
  const head = Object.entries(lines).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return raw(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head.join("")}\r\n`), bytes]));
}

/** Writes these bytes one by one, each in a turn of its own. */
export function drip(bytes: string): Behaviour {
  return (socket) => {
    let at = 0;
    const next = (): void => {
      if (socket.destroyed || at >= bytes.length) return;
      socket.write(bytes.charAt(at));
      at += 1;
      setImmediate(next);
    };
    next();
  };
}

/** Writes the same bytes for as long as the other side takes them, which gets a turn after each piece. */
export function flood(bytes: string, first = ""): Behaviour {
  const piece = bytes.repeat(Math.ceil(PIECE_BYTES / bytes.length));
  return (socket) => {
    socket.write(first);
    const pour = (): void => {
      if (socket.destroyed) return;
      if (socket.write(piece)) setImmediate(pour);
      else socket.once("drain", pour);
    };
    pour();
  };
}

export const cut: Behaviour = (socket) => void socket.resetAndDestroy();
export const stall: Behaviour = () => undefined;

export const PASS = JSON.stringify({ status: "success", code: "pass", message: "Continue." });
