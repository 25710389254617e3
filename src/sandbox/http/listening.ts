// Start and end of a server: enough files to open, listening and draining.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { sandboxFault, usage, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";

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

/** Files of the state, sockets, leases, and Node's own. */
const OTHER_FILES = 64;

/**
 * Node raises the soft limit to the hard one at its start, see getrlimit(2). Passes where no limit can be read.
 * @throws Fault `sandbox` when connections would fail for lack of files
 */
export function requireOpenFiles({ connections }: Pick<SandboxLimits, "connections">): void {
  const allowed = openFilesLimit();
  const needed = connections + OTHER_FILES;
  if (allowed >= needed) return;
  throw sandboxFault`The sandbox needs ${needed} open files and ${allowed} are allowed here; raise that with "ulimit -n ${needed}" or start it from another shell.`;
}

/** From proc(5). */
function openFilesLimit(): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return found === null ? Infinity : Number(found[1]);
  } catch {
    return Infinity;
  }
}
