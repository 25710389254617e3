// Start and end of a server: listening and draining.

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { usage, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Stops listening, waits for open requests, and closes the remaining connections after `ms`. */
export async function drain(app: FastifyInstance, ms: Milliseconds): Promise<void> {
  const cut = setTimeout(() => app.connections.cut(), ms);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** @throws Fault `sandbox` */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    // Node would listen on all addresses.
    if (host === "") throw new Error("no host");
    await app.listen({ host, port });
  } catch (error) {
    const address = `${escapeText(host)}:${port}`;
    const why =
      (error as NodeJS.ErrnoException).code === "EADDRINUSE"
        ? "it is in use"
        : "it is no address of this machine";
    throw usage`The sandbox cannot listen on ${address}: ${whole(why)}; choose another host or port.`.causedBy(
      error,
    );
  }
  return (app.server.address() as AddressInfo).port;
}
