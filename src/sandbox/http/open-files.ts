// Whether this process may open as many files as a sandbox needs: each connection is one.

import { readFileSync } from "node:fs";
import { Fault } from "#src/contract/fault.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

/** Files of the state, ports, leases, and what Node itself holds. */
const OTHER_FILES = 64;

/**
 * Node has raised the limit as far as it may by now, see getrlimit(2). Where no limit can be read there is none to obey.
 * @throws Fault `sandbox`: with fewer it would cut the connections of others
 */
export function requireOpenFiles({ connections }: Pick<SandboxLimits, "connections">): void {
  const allowed = openFilesLimit();
  const needed = connections + OTHER_FILES;
  if (allowed >= needed) return;
  throw new Fault(
    "sandbox",
    `The sandbox needs ${needed} open files and ${allowed} are allowed here; raise that with "ulimit -n ${needed}" or start it from another shell.`,
  );
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
