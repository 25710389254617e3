// What the reports of a run are made of: the run, its rows as often as they are needed, and one look at each row.

import type { Comparison, ItemChange } from "#src/contract/records/flip.ts";
import type { RunInfo, RunRow } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { VERDICT_KINDS, verdictKind, type VerdictKind } from "#src/display/verdict.ts";
import { changeOf, trustedVerdict, type BaselineIndex } from "#src/replay/flips.ts";

export interface ReportData {
  readonly info: RunInfo;
  /** Null for a run that is reported on its own. */
  readonly comparison: Comparison | null;
  /** Verdicts of the run that it is compared with, for every row; null to compare with what each item carries. */
  readonly baseline: BaselineIndex | null;
  /** Every row, from the first, each time it is called. */
  rows(): AsyncIterable<RunRow>;
  /** Personal data is shown; masked unless true. */
  readonly showPersonal: boolean;
  readonly generatedAt: Milliseconds;
}

/** - `passed`: a trustworthy verdict, as expected and as before */
export type Standing = "passed" | "expectation" | "flip" | "no_verdict";

/** One row as every report judges it. */
export interface JudgedRow {
  readonly row: RunRow;
  readonly kind: VerdictKind;
  readonly verdict: Recommendation | null;
  /** Verdict before; null where there is none to compare with. */
  readonly was: Recommendation | null;
  /** Null where nothing is compared. */
  readonly change: ItemChange | null;
  readonly expectationFailed: boolean;
  readonly standing: Standing;
}

/** The rows of a report, judged one by one. */
export async function* judgedRows(data: ReportData): AsyncGenerator<JudgedRow> {
  for await (const row of data.rows()) yield judge(row, data);
}

function judge(row: RunRow, { comparison, baseline }: ReportData): JudgedRow {
  const verdict = trustedVerdict(row.result);
  const was = baseline === null ? (row.was ?? undefined) : baseline.verdictOf(row.key);
  const change = comparison === null ? null : changeOf(was, verdict);
  // Fail closed: an item without a verdict has not met its expectation either.
  const expectationFailed = row.expect !== null && row.expect !== verdict;
  const standing =
    verdict === null
      ? "no_verdict"
      : expectationFailed
        ? "expectation"
        : change === "flipped"
          ? "flip"
          : "passed";
  return {
    row,
    kind: verdictKind(row.result),
    verdict,
    was: change === null ? null : (was ?? null),
    change,
    expectationFailed,
    standing,
  };
}

/** Why a row is as it is: the service's readable text for an answer, else what happened to the call. Untrusted. */
export function reasonOf({ result }: RunRow): string {
  if (result === null) return "No outcome was recorded; the request may have arrived.";
  return result.outcome === "answered" && result.message !== null ? result.message : result.explanation;
}

/** What a report says at its top, counted from the rows themselves. */
export interface Survey {
  readonly total: number;
  readonly kinds: Readonly<Record<VerdictKind, number>>;
  readonly standings: Readonly<Record<Standing, number>>;
  readonly expectationsFailed: number;
  /** Items whose payload expects a verdict. */
  readonly expectations: number;
  /** Time between first byte and last byte of all items together, in ms. */
  readonly latencySumMs: number;
  readonly latency: LatencyBuckets;
}

/** Counts of answered items by latency: bucket `n` reaches from `STEP ** n` to `STEP ** (n + 1)` ms. */
export type LatencyBuckets = ReadonlyMap<number, number>;

/** Width of a latency bucket: twelve to the decade, enough for a chart. */
export const LATENCY_STEP = 10 ** (1 / 12);

/** The bucket of a latency in ms. */
export function bucketOf(ms: number): number {
  return Math.floor(Math.log(Math.max(ms, 0.001)) / Math.log(LATENCY_STEP));
}

/** One pass over all rows, in flat memory. */
export async function surveyRows(data: ReportData): Promise<Survey> {
  const kinds = Object.fromEntries(VERDICT_KINDS.map((kind) => [kind, 0])) as Record<VerdictKind, number>;
  const standings: Record<Standing, number> = { passed: 0, expectation: 0, flip: 0, no_verdict: 0 };
  const latency = new Map<number, number>();
  let total = 0;
  let expectations = 0;
  let expectationsFailed = 0;
  let latencySumMs = 0;
  for await (const { row, kind, verdict, standing, expectationFailed } of judgedRows(data)) {
    total += 1;
    kinds[kind] += 1;
    standings[standing] += 1;
    if (row.expect !== null) expectations += 1;
    if (expectationFailed) expectationsFailed += 1;
    const ms = row.result?.latencyMs ?? null;
    if (ms === null) continue;
    latencySumMs += ms;
    if (verdict === null) continue;
    const bucket = bucketOf(ms);
    latency.set(bucket, (latency.get(bucket) ?? 0) + 1);
  }
  return { total, kinds, standings, expectations, expectationsFailed, latencySumMs, latency };
}
