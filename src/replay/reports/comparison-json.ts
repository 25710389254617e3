// A comparison as JSON, for reports and standard output. A change of its shape requires a new `schema`.

import type { Comparison, Flip } from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import type { Privacy } from "./report-privacy.ts";

/**
 * Sums are texts, because they may exceed the exact range of JSON numbers; they are in the profile's amount unit.
 * @param earlier the run that is the baseline; null for what payloads carried, and for a back-test
 */
export function comparisonJson(
  comparison: Comparison,
  earlier: RunInfo | null,
  privacy: Privacy,
): Record<string, unknown> {
  const { changes } = comparison;
  return {
    baseline: comparison.baseline,
    baseline_on: earlier === null ? null : placeOf(earlier),
    run: comparison.run,
    compared: comparison.compared,
    unchanged: changes.unchanged,
    flips: changes.flipped,
    new_blocks: comparison.newBlocks,
    new: changes.new,
    missing: changes.missing,
    without_verdict: changes.failed,
    matrix: comparison.matrix.map(({ was, now, count, money }) => ({
      was,
      now,
      count,
      money: money.map(({ currency, amount }) => ({ currency, amount: String(amount) })),
    })),
    worst_flips: comparison.flips.map((flip) => flipJson(flip, privacy)),
  };
}

function flipJson({ key, was, now, before, after }: Flip, privacy: Privacy): Record<string, unknown> {
  const row = after ?? before;
  const readable = (text: string): string => (row === null ? text : privacy.text(text, row.request));
  return {
    key: readable(key),
    was,
    now,
    amount: row?.request.amount ?? null,
    currency: row?.request.currency ?? null,
    origin: row === null ? null : readable(row.origin),
  };
}
