// Days of generated payments, and what a back-test of two files says of each.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BacktestInput } from "#src/actions/rules/backtest.ts";
import type { Bench } from "./backtest-bench.ts";

const GENERATOR = fileURLToPath(new URL("../../examples/labelled-day.mjs", import.meta.url));

/** A file of the bench with so many payments of two days. */
export function labelledDay(bench: Bench, count: number): string {
  const path = bench.file([]);
  const options = ["--seed", "5", "--days", "2", "--count", String(count), "--output", path];
  execFileSync(process.execPath, [GENERATOR, ...options]);
  return path;
}

/** The lines of which the two files have another verdict, score or hit. */
export async function differenceOf(
  bench: Bench,
  files: readonly [string, string],
  change: Partial<BacktestInput>,
): Promise<readonly number[]> {
  const [own, other] = [
    await bench.run({ ...change, sources: [files[0]] }),
    await bench.run({ ...change, sources: [files[1]] }),
  ].map(({ rows }) =>
    rows.map(({ at, result }) =>
      [at, result?.recommendation, result?.basis?.score, result?.basis?.rules.join()].join(" "),
    ),
  );
  if (own!.length !== other!.length) throw new Error("the files have not as many payments");
  return own!.flatMap((row, at) => (row === other![at] ? [] : at));
}
