// Runs a program without a shell, with the terminal or for its output, and waits until it ends.

import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program, except after Ctrl-C, which belongs to the program. */
  readonly signal: AbortSignal;
  /** Its standard input, instead of the terminal's. */
  readonly input?: string;
  /** Takes what the program writes, piece by piece. The program then has no terminal and no input. */
  readonly onOutput?: (text: string) => void;
}

export interface ProgramEnd {
  /** How it ended, as the rest of a sentence about it; null when it ended well. */
  readonly problem: string | null;
  readonly isStarted: boolean;
}

/**
 * Runs the program. Without `onOutput` the terminal must be in cooked mode on the main screen.
 * @param words the program and its arguments
 */
export async function runProgram(
  words: readonly string[],
  { env, signal, input, onOutput }: ProgramOptions,
): Promise<ProgramEnd> {
  const [program, ...args] = words as [string, ...string[]];
  const giveBack = onOutput === undefined ? leaveToProgram() : () => undefined;
  let end = (): void => undefined;
  try {
    return await new Promise((resolve, reject) => {
      const out = onOutput === undefined ? "inherit" : "pipe";
      const stdin = input !== undefined ? "pipe" : onOutput === undefined ? "inherit" : "ignore";
      const child = spawn(program, args, { stdio: [stdin, out, out], env });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => onOutput?.(text));
      }
      // A program may end before it has read everything.
      child.stdin?.on("error", () => undefined).end(input);
      end = () => void child.kill("SIGTERM");
      child.once("error", reject);
      // With pipes: once they are read to their end.
      child.once(onOutput === undefined ? "exit" : "close", (code: number | null, by: string | null) => {
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
