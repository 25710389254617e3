// The rows of a run that are worth showing: the first of each kind, read no further than it takes.

import { trustedVerdict, withoutVerdict, type RunInfo, type RunRow } from "#src/contract/records/run.ts";

export interface KeptRows {
  /** Those whose verdict is not the one that their payload expects. */
  readonly unexpected: readonly RunRow[];
  /** Those without a trustworthy verdict. */
  readonly noVerdict: readonly RunRow[];
  readonly items: readonly RunRow[];
}

/** Rows that are kept in memory, of each kind, unless told. */
export const ROWS_KEPT = 1_000;

/** True for a row that got another verdict than its payload expects, or none. */
export function isUnexpected(row: RunRow): boolean {
  return row.expect !== null && trustedVerdict(row.result) !== row.expect;
}

/**
 * Reads as few rows as it takes to know the first of each kind.
 * @param summary says how many there are of each kind, so that reading ends once all are known; null reads to the end
 * @param most rows to keep of each kind
 */
export async function keepRows(
  rows: AsyncIterable<RunRow>,
  summary: RunInfo["summary"],
  most: Readonly<Record<keyof KeptRows, number>> = {
    unexpected: ROWS_KEPT,
    noVerdict: ROWS_KEPT,
    items: ROWS_KEPT,
  },
): Promise<KeptRows> {
  const kept = { unexpected: [] as RunRow[], noVerdict: [] as RunRow[], items: [] as RunRow[] };
  const unexpected = Math.min(most.unexpected, summary?.expectationsFailed ?? Infinity);
  const noVerdict = Math.min(most.noVerdict, summary === null ? Infinity : withoutVerdict(summary.counts));
  if (unexpected + noVerdict + most.items === 0) return kept;
  for await (const row of rows) {
    if (kept.items.length < most.items) kept.items.push(row);
    if (isUnexpected(row) && kept.unexpected.length < unexpected) kept.unexpected.push(row);
    if (trustedVerdict(row.result) === null && kept.noVerdict.length < noVerdict) kept.noVerdict.push(row);
    const enough =
      kept.items.length >= most.items &&
      kept.unexpected.length >= unexpected &&
      kept.noVerdict.length >= noVerdict;
    if (enough) break;
  }
  return kept;
}
