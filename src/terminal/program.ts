// Runs a program of the user's with the terminal, without a shell, and waits until it ends.

import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program, except after Ctrl-C, which belongs to the program. */
  readonly signal: AbortSignal;
  /** Its standard input, instead of the terminal's. */
  readonly input?: string;
}

export interface ProgramEnd {
  /** How it ended, as the rest of a sentence about it; null when it ended well. */
  readonly problem: string | null;
  readonly isStarted: boolean;
}

/** Runs the program. The terminal must be in cooked mode on the main screen. @param words the program and its arguments */
export async function runProgram(
  words: readonly string[],
  { env, signal, input }: ProgramOptions,
): Promise<ProgramEnd> {
  const [program, ...args] = words as [string, ...string[]];
  const giveBack = leaveToProgram();
  let end = (): void => undefined;
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
        env,
      });
      // A program may end before it has read everything.
      child.stdin?.on("error", () => undefined).end(input);
      end = () => void child.kill("SIGTERM");
      child.once("error", reject);
      child.once("exit", (code, by) => {
        const how = by === null ? `ended with exit code ${code}` : `was ended by ${by}`;
        resolve({ problem: code === 0 ? null : how, isStarted: true });
      });
      process.once("exit", end);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such program" : code;
    return { problem: `could not be started: ${why}`, isStarted: false };
  } finally {
    signal.removeEventListener("abort", end);
    process.off("exit", end);
    giveBack();
  }
}

/** Ignores signals from keys such as Ctrl-C, which the terminal sends to this process as well as to the program. */
function leaveToProgram(): () => void {
  const names = ["SIGINT", "SIGQUIT"] as const;
  const ignore = (): void => undefined;
  const before = names.map((name) => process.listeners(name));
  for (const name of names) process.removeAllListeners(name).on(name, ignore);
  return () => {
    for (const [index, name] of names.entries()) {
      process.off(name, ignore);
      for (const listener of before[index]!) process.on(name, listener);
    }
  };
}
