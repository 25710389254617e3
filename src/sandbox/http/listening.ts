// The ends of a server: it begins to listen, it drains, and what was opened on the way is given back.

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Undoes the last step first. Every step is tried; the first failure is thrown in the end. */
export async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  let failure: { error: unknown } | null = null;
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== null) throw failure.error;
}

/** Stops listening, waits for what is being answered, and cuts what is left after `ms`. */
export async function drain(app: FastifyInstance, ms: Milliseconds): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** @throws Fault `sandbox` */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const address = `${escapeText(host)}:${port}`;
    const why =
      (error as NodeJS.ErrnoException).code === "EADDRINUSE"
        ? "it is in use"
        : "it is no address of this machine";
    throw new Fault(
      "usage",
      `The sandbox cannot listen on ${address}: ${why}; choose another host or port.`,
      {
        cause: error,
      },
    );
  }
  return (app.server.address() as AddressInfo).port;
}
