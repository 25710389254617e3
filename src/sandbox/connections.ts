// Keeps honest callers served while others hold connections open: at the limit, whoever wastes one loses it.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Milliseconds } from "#src/contract/clock.ts";

/**
 * What a connection is doing, in the order in which it is given up: nothing (or headers drip in), its body drips in,
 * its answer is being made or read.
 */
const PHASES = ["waiting", "sending_body", "answering"] as const;
type Phase = (typeof PHASES)[number];

/** A connection is not closed in a phase that it entered less than this many ms ago. */
const PATIENCE_MS: Readonly<Record<Phase, Milliseconds>> = {
  waiting: 0,
  sending_body: 1000,
  answering: 5000,
};

/**
 * Beyond `limit` connections, a new one takes the place of the one that has been in the least useful phase for
 * longest; if all are busy with honest work the new one is closed.
 */
export function guardConnections(server: Server, limit: number): void {
  const open = new Map<Socket, { phase: Phase; since: number }>();

  function enter(socket: Socket, phase: Phase): void {
    if (open.has(socket)) open.set(socket, { phase, since: performance.now() });
  }

  function victim(): Socket | undefined {
    const now = performance.now();
    for (const phase of PHASES) {
      let longest: { socket: Socket; since: number } | undefined;
      for (const [socket, entry] of open) {
        if (entry.phase !== phase || now - entry.since < PATIENCE_MS[phase]) continue;
        if (longest === undefined || entry.since < longest.since) longest = { socket, since: entry.since };
      }
      if (longest) return longest.socket;
    }
    return undefined;
  }

  server.on("connection", (socket: Socket) => {
    if (open.size >= limit) {
      const loser = victim() ?? socket;
      open.delete(loser);
      loser.destroy();
      if (loser === socket) return;
    }
    open.set(socket, { phase: "waiting", since: performance.now() });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    enter(socket, "sending_body");
    request.once("end", () => enter(socket, "answering"));
    response.once("close", () => enter(socket, "waiting"));
  });
}
