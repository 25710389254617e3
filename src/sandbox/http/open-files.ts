// Checks that this process may open enough files for a sandbox: each connection is one.

import { readFileSync } from "node:fs";
import { sandboxFault } from "#src/contract/fault.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";

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
