// A run, its items and their results for tests of the storage.

import { NO_ANSWER, type CheckResult, type Outcome } from "#src/contract/wire/outcome.ts";
import type { RunHeader, RunItem, RunRow, RunSummary } from "#src/contract/records/run.ts";
import type { OpenRun, Runs } from "#src/storage/database/runs.ts";

export function header(id: string): RunHeader {
  return {
    id,
    at: Date.UTC(2026, 0, 2),
    profile: "sandbox",
    project: "shop/low",
    amountUnit: "minor",
    sources: ["day.ndjson"],
    baseline: null,
    freshOrderIds: false,
  };
}

export function item(seq: number, changes: Partial<RunItem> = {}): RunItem {
  return {
    seq,
    key: `o-${seq}`,
    origin: `day.ndjson:${seq}`,
    request: { operation: "payment", order_id: `o-${seq}`, amount: 100 + seq, currency: 980 },
    expect: null,
    tags: [],
    was: null,
    ...changes,
  };
}

export const items = (count: number): RunItem[] =>
  Array.from({ length: count }, (_, index) => item(index + 1));

export function result(outcome: Outcome = "answered", changes: Partial<CheckResult> = {}): CheckResult {
  return {
    ...NO_ANSWER,
    outcome,
    recommendation: outcome === "answered" ? "pass" : null,
    explanation: "It was so.",
    httpStatus: 200,
    latencyMs: 12.5,
    attempts: 1,
    ...changes,
  };
}

export const SUMMARY: RunSummary = {
  counts: { total: 2, pass: 1, block: 0, threeDs: 0, indeterminate: 0, refused: 0, unknown: 1, notSent: 0 },
  rejected: 3,
  expectationsFailed: 0,
  latencies: { p50: 1, p95: 2, p99: 3, max: 4 },
  ratePerS: 10,
  durationMs: 200,
};

export const rowsOf = (runs: Runs, id: string): Promise<RunRow[]> => Array.fromAsync(runs.rows(id));

/** Those of the items `1` to `count` that may be sent. */
export async function dueOf(journal: OpenRun, count: number): Promise<number[]> {
  const sent = await journal.findSent(items(count));
  return items(count)
    .map(({ seq }) => seq)
    .filter((seq) => !sent.has(seq));
}
