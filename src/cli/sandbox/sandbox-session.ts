// Connects a command to the sandbox it administers: the embedded one of the home, one of "verdict serve", or a remote one.

import type { Json } from "#src/cli/option-specs.ts";
import type { TARGET } from "./sandbox-options.ts";
import { resolve } from "node:path";
import {
  asTenant,
  endSandbox,
  joinSandbox,
  joinSandboxAt,
  leaseSandbox,
  type LeasedSandbox,
} from "#src/app/sandbox-launch.ts";
import { VERSION } from "#src/app/version.ts";
import type { Invocation } from "#src/cli/command.ts";
import { sandboxFault } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";

export interface AdministeredSandbox {
  readonly admin: LeasedSandbox["admin"];
  /** Name or address of its machine. */
  readonly host: string;
  /** Ends this use of it. */
  close(): void;
  /** Ends the sandbox. */
  end(): Promise<void>;
}

/** Which sandbox is meant. */
export type Target = typeof TARGET;
export type Targeted = Target & Json;

/** The running sandbox; null when none runs, but a remote one is not asked. Starts nothing. */
export async function runningSandbox(invocation: Invocation<Target>): Promise<AdministeredSandbox | null> {
  const { home, options } = invocation;
  const state = options.state;
  if (state === undefined) {
    const remote = await remoteSandbox(invocation);
    if (remote !== null) return remote;
  }
  const joined = await (state === undefined ? joinSandbox(home) : joinSandboxAt(resolve(state)));
  return joined && administered(invocation, joined);
}

/** For the beginning of a sentence. */
export function sandboxName({ options }: Invocation<Target>): string {
  const state = options.state;
  if (state !== undefined) return `The sandbox of ${safe(state)}`;
  const address = options.admin;
  return address === undefined ? "The embedded sandbox of this home" : `The sandbox at ${safe(address)}`;
}

/**
 * Runs an action with the sandbox; an embedded one is started if it does not run.
 * @throws Fault("sandbox") when another one does not run
 */
export async function withSandbox<T>(
  invocation: Invocation<Target>,
  work: (sandbox: AdministeredSandbox) => Promise<T>,
): Promise<T> {
  const sandbox = (await runningSandbox(invocation)) ?? (await startedSandbox(invocation));
  try {
    return await work(sandbox);
  } finally {
    sandbox.close();
  }
}

async function startedSandbox(invocation: Invocation<Target>): Promise<AdministeredSandbox> {
  const { home, executable, env, options, output } = invocation;
  const state = options.state;
  if (state === undefined) {
    const onProblem = (sentence: string): void => output.complain(sentence);
    return administered(
      invocation,
      await leaseSandbox({ home, version: VERSION, executable, env, ephemeral: null, onProblem }),
    );
  }
  throw sandboxFault`No sandbox runs on ${state}; start it with "verdict serve --state ${state} --admin-port 0".`;
}

function administered({ options }: Invocation<Target>, leased: LeasedSandbox): AdministeredSandbox {
  const { admin, endpoint, lease } = asTenant(leased, options.tenant);
  return { admin, host: endpoint.host, close: () => lease.close(), end: () => endSandbox(leased) };
}

/** The one of `--admin`; null without that option. */
async function remoteSandbox({ options }: Invocation<Target>): Promise<AdministeredSandbox | null> {
  const address = options.admin;
  if (address === undefined) return null;
  const { remoteAdmin } = await import("#src/app/remote-sandbox.ts");
  const files = { tokenFile: options.tokenFile, caFile: options.ca };
  const admin = remoteAdmin({ address, ...files }, options.tenant);
  return { admin, host: new URL(address).hostname, close: () => undefined, end: () => admin.stop() };
}
