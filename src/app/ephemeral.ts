// A temporary home with its own sandbox for a tour or a deck, removed afterwards.

import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { createContext, type Context } from "./context.ts";
import { findHome } from "./home.ts";
import { endSandbox } from "./sandbox-launch.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";

export interface EphemeralOptions {
  readonly env: NodeJS.ProcessEnv;
  /** node and the built program */
  readonly executable: readonly string[];
  /** The same seed gives the same ids, secrets and latencies. */
  readonly seed: number;
  /** Virtual time at its start. */
  readonly startAt: Milliseconds;
  readonly onProblem: OnProblem;
}

export interface Ephemeral {
  readonly context: Context;
  /** Ends the sandbox and removes the folder; never rejects, and may be called twice. */
  end(): Promise<void>;
}

/** Opens one in a program that knows the rest. @param seed and `startAt` as in `EphemeralOptions` */
export type OpenEphemeral = (seed: number, startAt: Milliseconds) => Promise<Ephemeral>;

/** Opens it in the system's temporary folder. The user's home is not read or written. */
export async function openEphemeral(options: EphemeralOptions): Promise<Ephemeral> {
  const { env, executable, seed, startAt, onProblem } = options;
  const folder = makeTemporaryFolder("ephemeral");
  const remove = (): void => removeTemporaryFolder(folder);
  // When the process exits before the sandbox has ended, e.g. after a hang-up, the sandbox is killed, because it would
  // write into the removed folder.
  let started: Context | null = null;
  const abandon = (): void => {
    killAtOnce(started?.sandbox()?.endpoint.pid);
    remove();
  };
  process.once("exit", abandon);
  const inner = await createContext({
    home: findHome(env, folder),
    env,
    profile: SANDBOX_PROFILE.name,
    executable,
    onProblem,
    ephemeral: { seed, startAt },
  });
  started = inner;
  let opening: ReturnType<Context["service"]> | null = null;
  const context: Context = {
    ...inner,
    service() {
      return (opening = inner.service());
    },
  };
  let ending: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    // Stops the start of a sandbox, or waits for it, so that it can be ended.
    await context.close().catch(() => undefined);
    await opening?.catch(() => undefined);
    const sandbox = context.sandbox();
    if (sandbox !== null) await endSandbox(sandbox).catch(() => undefined);
    process.off("exit", abandon);
    remove();
  };
  return { context, end: () => (ending ??= end()) };
}

/** @param pid of the sandbox; undefined before it runs */
function killAtOnce(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
