// Measuring side by side: candidate and yardstick take turns, so that a busy machine slows both alike.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** One figure of the bench. */
export type Row = Ratio | Amount;

export interface Ratio {
  readonly what: string;
  readonly yardstick: string;
  /** Median, in ms. */
  readonly measuredMs: number;
  /** Median of the yardstick in the same run, in ms. */
  readonly yardstickMs: number;
  readonly ratio: number;
  /** Largest ratio that is wanted. */
  readonly budget: number;
  readonly rounds: number;
}

/** A figure that needs no yardstick, because it is the same on every machine. */
export interface Amount {
  readonly what: string;
  readonly unit: "bytes" | "%" | "us" | "ms" | "MB" | "times";
  readonly measured: number;
  /** Largest amount that is wanted. */
  readonly budget: number;
  readonly rounds: number;
}

/** Runs both in turns; each is called once beforehand without being counted. */
export async function sideBySide(
  names: { readonly what: string; readonly yardstick: string; readonly budget: number },
  rounds: number,
  measured: () => Promise<void> | void,
  yardstick: () => Promise<void> | void,
): Promise<Ratio> {
  await measured();
  await yardstick();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await time(yardstick));
    ours.push(await time(measured));
  }
  return compared(names, ours, theirs);
}

/** Sets a share of the sorted times of both beside each other; the median unless told. In ms. */
export function compared(
  names: { readonly what: string; readonly yardstick: string; readonly budget: number },
  ours: readonly number[],
  theirs: readonly number[],
  share: number = 0.5,
): Ratio {
  const measuredMs = quantile(ours, share);
  const yardstickMs = quantile(theirs, share);
  return { ...names, measuredMs, yardstickMs, ratio: measuredMs / yardstickMs, rounds: ours.length };
}

/** Runs a process to its end and insists on its exit code. */
export function runProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  expected: readonly number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== null && expected.includes(code)) resolve();
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${complaint}`));
    });
  });
}

/** How long something takes, in ms. */
export async function time(run: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** proc(5): the highest resident set size so far; 0 once the process is gone. */
export function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
