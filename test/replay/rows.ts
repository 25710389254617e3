// Rows of a run for tests.

import type { RunResult, RunRow } from "#src/contract/records/run.ts";
import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

/** A recommendation for an answer; another outcome for an item without a verdict; null for one that was lost. */
export type Verdict = Recommendation | Exclude<Outcome, "answered"> | null;

export function runResult(verdict: Exclude<Verdict, null>, changes: Partial<RunResult> = {}): RunResult {
  const answered = verdict === "pass" || verdict === "block" || verdict === "3ds_or_block";
  return {
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
    decisionId: null,
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
