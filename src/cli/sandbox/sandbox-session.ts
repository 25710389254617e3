// Connects a command to the sandbox it administers: the embedded one of the home, or one of "verdict serve".

import { resolve } from "node:path";
import { joinSandbox, joinSandboxAt, leaseSandbox, type LeasedSandbox } from "#src/app/sandbox-launch.ts";
import { VERSION } from "#src/app/version.ts";
import type { Invocation } from "#src/cli/command.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { safe } from "#src/display/safe.ts";

/** The running sandbox; null when none runs. Starts nothing. */
export async function runningSandbox({ home, options }: Invocation): Promise<LeasedSandbox | null> {
  const state = options.text("state");
  return state === undefined ? await joinSandbox(home) : await joinSandboxAt(resolve(state));
}

/** For the beginning of a sentence. */
export function sandboxName({ options }: Invocation): string {
  const state = options.text("state");
  return state === undefined ? "The embedded sandbox of this home" : `The sandbox of ${safe(state)}`;
}

/**
 * Runs an action with the sandbox; an embedded one is started if it does not run.
 * @throws Fault("sandbox") when another one does not run
 */
export async function withSandbox<T>(
  invocation: Invocation,
  work: (sandbox: LeasedSandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await lease(invocation);
  try {
    return await work(sandbox);
  } finally {
    sandbox.lease.close();
  }
}

async function lease(invocation: Invocation): Promise<LeasedSandbox> {
  const { home, executable, env, options, output } = invocation;
  const state = options.text("state");
  if (state === undefined) {
    const onProblem = (sentence: string): void => output.complain(sentence);
    return await leaseSandbox({ home, version: VERSION, executable, env, ephemeral: null, onProblem });
  }
  const running = await runningSandbox(invocation);
  if (running !== null) return running;
  throw new Fault(
    "sandbox",
    `No sandbox runs on ${escapeText(state, 200)}; start it with "verdict serve --state ${escapeText(state, 200)} --admin-port 0".`,
  );
}
