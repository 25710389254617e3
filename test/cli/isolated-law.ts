// The law of an isolated replay: each payment gets the verdict that a back-test over the same file gives it.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { busyDay } from "./busy-day.ts";
import type { TestHome } from "./verdict-process.ts";

type Verdicts = ReadonlyMap<unknown, unknown>;

export async function backtested(home: TestHome, day: string): Promise<Verdicts> {
  const report = join(home.folder, "backtest.json");
  rmSync(report, { force: true });
  const args = ["rules", "backtest", "starter", "--against", "starter", "--over", day];
  const { code, stderr } = await home.run([...args, "--report", `json=${report}`, "--show-personal"]);
  expect(code, stderr).toBe(0);
  const { items } = JSON.parse(readFileSync(report, "utf8")) as {
    items: { key: string; recommendation: string }[];
  };
  return new Map(items.map(({ key, recommendation }) => [key, recommendation]));
}

export async function replayed(home: TestHome, day: string, concurrency: number): Promise<Verdicts> {
  const args = ["replay", day, "--isolated", "--rules", "starter", "--concurrency", String(concurrency)];
  const printed = await home.json([...args, "--json"]);
  expect(printed.at(-1)).toMatchObject({ type: "summary", unknown: 0, refused: 0, not_sent: 0 });
  return new Map(
    printed.flatMap((line) => (line["type"] === "result" ? [[line["key"], line["recommendation"]]] : [])),
  );
}

/** Every payment of the back-test, which leaves out repeats, has the same verdict in the replay. */
export function expectSame(replay: Verdicts, backtest: Verdicts): void {
  const other = [...backtest].filter(([key, verdict]) => replay.get(key) !== verdict);
  expect(other).toEqual([]);
  // A day on which nothing is blocked proves nothing.
  expect(new Set(backtest.values())).toEqual(new Set(["pass", "3ds_or_block", "block"]));
}

export function dayFile(home: TestHome, seed: number, count: number, terminals = "all"): string {
  const path = join(home.folder, `day-${seed}-${terminals}.ndjson`);
  const day = busyDay(seed, count);
  writeFileSync(path, terminals === "one" ? day.replaceAll(/"t-\d+"/g, '"web-1"') : day);
  return path;
}
