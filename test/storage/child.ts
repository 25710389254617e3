// Starts the programs in children/ as processes of their own and reads what they acknowledge.

import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export interface Child {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Lines that it has printed. */
  readonly lines: string[];
  /** Resolves at the first line that it prints. */
  readonly started: Promise<void>;
  /** Resolves when it has ended: its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  readonly errors: () => string;
}

export function startChild(name: string, ...parameters: readonly string[]): Child {
  const program = fileURLToPath(new URL(`children/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", program, ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let errors = "";
  let rest = "";
  let announce = (): void => {};
  const started = new Promise<void>((resolve) => (announce = resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const pieces = (rest + text).split("\n");
    // What follows the last line feed was not acknowledged in full.
    rest = pieces.pop() ?? "";
    lines.push(...pieces);
    if (lines.length > 0) announce();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = new Promise<number | null>((resolve) =>
    child.on("close", (code) => {
      announce();
      resolve(code);
    }),
  );
  return { process: child, lines, started, ended, errors: () => errors };
}
