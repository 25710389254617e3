// Keeps honest callers served while others hold connections open: at the limit, whoever wastes one loses it.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** What a connection is doing: nothing (or its headers drip in), its body drips in, its answer is being made or read. */
type Phase = "waiting" | "sending_body" | "answering";

/**
 * Time that honest work takes in a phase, in ms: whoever exceeds it by the largest factor is given up first. What has
 * just come is never the first to go, or a crowd of newcomers would push out the honest one among them.
 */
const HONEST_MS: Readonly<Record<Phase, Milliseconds>> = {
  waiting: 50,
  sending_body: 100,
  answering: 5_000,
};

export interface Connections {
  readonly open: number;
  readonly limit: number;
  /** The answer to the request that a connection is busy with, begun or not. */
  answerOn(socket: Socket): ServerResponse | undefined;
}

interface Held {
  phase: Phase;
  since: number;
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

/**
 * Beyond `limit` connections, a new one takes the place of the one that has wasted most time. An answer that is being made
 * keeps its connection for 5 s; if all are answering, the new one is closed.
 */
export function guardConnections(server: Server, limit: number): Connections {
  const open = new Map<Socket, Held>();

  function enter(held: Held, phase: Phase): void {
    held.phase = phase;
    held.since = performance.now();
  }

  function victim(): Socket | undefined {
    const now = performance.now();
    let worst: Socket | undefined;
    let most = -1;
    for (const [socket, { phase, since }] of open) {
      const waste = (now - since) / HONEST_MS[phase];
      if (waste <= most || (phase === "answering" && waste < 1)) continue;
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
    open.set(socket, {
      phase: "waiting",
      since: performance.now(),
      request: undefined,
      response: undefined,
    });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const held = open.get(request.socket);
    if (held === undefined) return;
    held.request = request;
    held.response = response;
    enter(held, "sending_body");
    // A body that nobody reads ends after its answer, on some lines of Node: that starts nothing.
    request.on("end", () => {
      if (held.request === request) enter(held, "answering");
    });
    response.on("close", () => {
      if (held.request !== request) return;
      held.request = undefined;
      // What is still coming of a request belongs to its answer; what comes after a whole one does not.
      if (request.complete) held.response = undefined;
      enter(held, "waiting");
    });
  });
  return {
    get open() {
      return open.size;
    },
    limit,
    answerOn: (socket) => open.get(socket)?.response,
  };
}
