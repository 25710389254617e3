// Connection limit that protects against slow clients: at the limit, the connection that wastes the most time is closed.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Phase of a connection: idle or receiving headers, receiving a body, or being answered. */
type Phase = "waiting" | "sending_body" | "answering";

/**
 * Usual time of each phase, in ms: the connection that exceeds it by the largest factor is closed first. New connections
 * are not closed first, or a flood of them would push out a legitimate one.
 */
const HONEST_MS: Readonly<Record<Phase, Milliseconds>> = {
  waiting: 50,
  sending_body: 100,
  answering: 5_000,
};

export type Connections = ReturnType<typeof guardConnections>;

interface Held {
  phase: Phase;
  since: number;
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

/**
 * Beyond `limit` connections, a new one replaces the one that has wasted the most time. While its answer is being made, a
 * connection is kept for 5 s; if all are answering, the new one is closed.
 */
export function guardConnections(server: Server, limit: number) {
  const open = new Map<Socket, Held>();
  /** Of connections by TLS, whose requests name another socket than the one that was opened. */
  const secured = new WeakMap<Socket, Held>();
  const byPeer = new Map<string, Held>();
  const isTls = "setSecureContext" in server;
  const heldOf = (socket: Socket): Held | undefined => open.get(socket) ?? secured.get(socket);

  function enter(held: Held, phase: Phase): void {
    held.phase = phase;
    held.since = performance.now();
  }

  function victim(): Socket | undefined {
    const now = performance.now();
    let worst: Socket | undefined;
    let most = -1;
    for (const [socket, { phase, since, request }] of open) {
      // A body that had arrived with its headers is read without an end.
      const isAnswering = phase === "answering" || request?.complete === true;
      const waste = (now - since) / HONEST_MS[isAnswering ? "answering" : phase];
      if (waste <= most || (isAnswering && waste < 1)) continue;
      worst = socket;
      most = waste;
    }
    return worst;
  }

  server.on("connection", (socket: Socket) => {
    if (open.size >= limit) {
      const loser = victim() ?? socket;
      open.delete(loser);
      loser.destroy();
      if (loser === socket) return;
    }
    const since = performance.now();
    const held: Held = { phase: "waiting", since, request: undefined, response: undefined };
    open.set(socket, held);
    const peer = isTls ? peerOf(socket) : "";
    if (isTls) byPeer.set(peer, held);
    socket.once("close", () => {
      open.delete(socket);
      if (byPeer.get(peer) === held) byPeer.delete(peer);
    });
  });
  server.on("secureConnection", (socket: Socket) => {
    const held = byPeer.get(peerOf(socket));
    if (held !== undefined) secured.set(socket, held);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const held = heldOf(request.socket);
    if (held === undefined) return;
    held.request = request;
    held.response = response;
    enter(held, "sending_body");
    // On some Node versions an unread body ends after its answer, which starts no new phase.
    request.on("end", () => {
      if (held.request === request) enter(held, "answering");
    });
    response.on("close", () => {
      if (held.request !== request) return;
      held.request = undefined;
      // The rest of a request still belongs to its answer; bytes after a complete one do not.
      if (request.complete) held.response = undefined;
      enter(held, "waiting");
    });
  });
  return {
    get open(): number {
      return open.size;
    },
    limit,
    /** The answer to the current request of a connection, whether or not it has started. */
    answerOn: (socket: Socket) => heldOf(socket)?.response,
    /** Closes all, those in a handshake included. */
    cut(): void {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
