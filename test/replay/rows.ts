// Rows of a run for tests.

import type { Comparison, Earlier, EurPerUnit } from "#src/contract/records/flip.ts";
import { trustedVerdict, type RunRow } from "#src/contract/records/run.ts";
import { NO_ANSWER, type CheckResult, type Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { FlipCounter } from "#src/replay/flips.ts";

/** A recommendation for an answer; another outcome for an item without a verdict; null for one that was lost. */
export type Verdict = Recommendation | Exclude<Outcome, "answered"> | null;

export function runResult(verdict: Exclude<Verdict, null>, changes: Partial<CheckResult> = {}): CheckResult {
  const answered = verdict === "pass" || verdict === "block" || verdict === "3ds_or_block";
  return {
    ...NO_ANSWER,
    outcome: answered ? "answered" : verdict,
    recommendation: answered ? verdict : null,
    message: answered ? `Recommended: ${verdict}` : null,
    reason: answered ? null : "deadline",
    explanation: answered
      ? "The service answered."
      : "No trustworthy answer came; look at the service's log.",
    httpStatus: answered ? 200 : null,
    latencyMs: answered ? 84.25 : null,
    attempts: 1,
    ...changes,
  };
}

export function runRow(seq: number, verdict: Verdict, changes: Partial<RunRow> = {}): RunRow {
  return {
    seq,
    key: `o-${seq}`,
    origin: `payments.ndjson:${seq}`,
    request: { operation: "payment", order_id: `o-${seq}`, amount: 12_000, currency: 980 },
    expect: null,
    tags: [],
    was: null,
    at: Date.UTC(2026, 0, 2, 12) + seq,
    result: verdict === null ? null : runResult(verdict),
    ...changes,
  };
}

export async function* rowsOf(rows: readonly RunRow[]): AsyncGenerator<RunRow> {
  // Yields to other work as rows from a disk do.
  await Promise.resolve();
  yield* rows;
}

/** EUR in a hundredth of a hryvnia and in a cent; yen have no rate. */
export const RATES: EurPerUnit = new Map([
  [980, 1 / 4_900],
  [978, 1 / 100],
]);

export function earlierSide({ result }: RunRow): Earlier {
  return { verdict: trustedVerdict(result), rules: result?.basis?.rules };
}

/** The comparison of rows in memory, its earlier sides null. */
export async function comparedRows(
  labels: Pick<Comparison, "baseline" | "run">,
  earlier: AsyncIterable<RunRow> | Iterable<RunRow>,
  later: AsyncIterable<RunRow> | Iterable<RunRow>,
): Promise<Comparison> {
  const before = new Map<string, Earlier>();
  for await (const row of earlier) before.set(row.key, earlierSide(row));
  const flips = new FlipCounter(labels, RATES);
  let found = 0;
  for await (const row of later) {
    if (flips.take(row, before.get(row.key) ?? null) !== "new") found += 1;
  }
  const comparison = flips.comparison();
  return { ...comparison, changes: { ...comparison.changes, missing: before.size - found } };
}
