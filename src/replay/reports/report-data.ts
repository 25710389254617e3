// The input of the reports of a run: the run, its judged rows, and their totals.

import type { Comparison, ItemChange, SidedRow } from "#src/contract/records/flip.ts";
import {
  placeOf,
  trustedVerdict,
  withoutVerdict,
  type FailedGate,
  type KeptRows,
  type RuleHits,
  type RunInfo,
  type RunRow,
  type RunSummary,
} from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { rulesText, runKinds } from "#src/display/run-lines.ts";
import { VERDICT_KINDS, verdictKind, type VerdictKind } from "#src/display/verdict.ts";
import { changeOf } from "#src/replay/flips.ts";
import type { DecisionData } from "./decision-data.ts";

export interface ReportData {
  readonly info: RunInfo;
  /** Null for a report without comparison. */
  readonly comparison: Comparison | null;
  /** The baseline run; null to compare with each item's own earlier verdict. */
  readonly earlier: RunInfo | null;
  /** The rules that hit; empty where the service does not say them. */
  readonly hits: readonly RuleHits[];
  /** Every row beside the baseline; each call starts from the first. */
  rows(): AsyncIterable<SidedRow>;
  readonly failedGates: readonly FailedGate[];
  /** Of a back-test: what it says about its rules. */
  readonly decision?: DecisionData;
  /** Personal data is shown; masked unless true. */
  readonly showPersonal: boolean;
  readonly generatedAt: Milliseconds;
}

/** What a run was compared with, for people: `mi8r7k2a51d3e9 on staging:shop/low`, and by which rules that was decided. */
export function baselineText({ earlier }: Pick<ReportData, "earlier">, { baseline }: Comparison): string {
  if (earlier === null) return baseline;
  const rules = rulesText(earlier);
  return `${baseline} on ${placeOf(earlier)}${rules === null ? "" : `, with ${rules}`}`;
}

/** `passed`: a trustworthy verdict that is as expected and as before. */
export type Standing = "passed" | "expectation" | "flip" | "no_verdict";

/** A row with its standing, the same for every report. */
export interface JudgedRow {
  readonly row: RunRow;
  readonly kind: VerdictKind;
  readonly verdict: Recommendation | null;
  /** Earlier verdict; null for none. */
  readonly was: Recommendation | null;
  /** Null without comparison. */
  readonly change: ItemChange | null;
  readonly expectationFailed: boolean;
  readonly standing: Standing;
}

export async function* judgedRows(data: ReportData): AsyncGenerator<JudgedRow> {
  for await (const sided of data.rows()) yield judge(sided, data);
}

function judge({ row, earlier }: SidedRow, { comparison }: ReportData): JudgedRow {
  const verdict = trustedVerdict(row.result);
  const change = comparison === null ? null : changeOf(earlier, verdict);
  // Fail closed: an item without a verdict has not met its expectation.
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
    was: change === null ? null : (earlier?.verdict ?? null),
    change,
    expectationFailed,
    standing,
  };
}

/** Totals at the top of a report, counted from its rows. */
export interface ReportTotals {
  readonly total: number;
  readonly kinds: Readonly<Record<VerdictKind, number>>;
  readonly standings: Readonly<Record<Standing, number>>;
  readonly expectationsFailed: number;
  /** Items whose payload expects a verdict. */
  readonly expectations: number;
  /** Sum of the latencies of all items, in ms. */
  readonly latencySumMs: number;
  readonly latency: LatencyBuckets;
  /** The first rows of each kind that fails a run. */
  readonly first: Readonly<Record<"expectation" | "no_verdict", readonly Pick<JudgedRow, "row" | "was">[]>>;
}

/** What the report of a run needs of its data. */
export type RunFacts = Omit<ReportData, "rows" | "decision">;
export type RunTotals = Omit<ReportTotals, "latencySumMs" | "expectations">;

/** The totals as far as they are known without its rows. */
export function totalsOf(summary: RunSummary | null, { unexpected, noVerdict }: KeptRows): RunTotals {
  const { counts, expectationsFailed = 0 } = summary ?? {};
  const sided = (rows: readonly RunRow[]) => rows.map((row) => ({ row, was: row.was }));
  const lacking = counts === undefined ? 0 : withoutVerdict(counts);
  return {
    total: counts?.total ?? 0,
    kinds: Object.fromEntries(counts === undefined ? [] : runKinds(counts)) as ReportTotals["kinds"],
    standings: { passed: 0, flip: 0, expectation: expectationsFailed, no_verdict: lacking },
    expectationsFailed,
    latency: new Map(),
    first: { expectation: sided(unexpected), no_verdict: sided(noVerdict) },
  };
}

const FIRST_KEPT = 10;

/** Counts of answered items by latency: bucket `n` is `LATENCY_STEP ** n` to `LATENCY_STEP ** (n + 1)` ms. */
export type LatencyBuckets = ReadonlyMap<number, number>;

/** Ratio of the ends of a latency bucket: twelve buckets per decade. */
export const LATENCY_STEP = 10 ** (1 / 12);

/** The bucket of a latency in ms. */
export function bucketOf(ms: number): number {
  return Math.floor(Math.log(Math.max(ms, 0.001)) / Math.log(LATENCY_STEP));
}

/** One pass over all rows in constant memory. */
export async function countRows(data: ReportData): Promise<ReportTotals> {
  const kinds = Object.fromEntries(VERDICT_KINDS.map((kind) => [kind, 0])) as Record<VerdictKind, number>;
  const standings: Record<Standing, number> = { passed: 0, expectation: 0, flip: 0, no_verdict: 0 };
  const latency = new Map<number, number>();
  const first: Record<"expectation" | "no_verdict", JudgedRow[]> = { expectation: [], no_verdict: [] };
  let total = 0;
  let expectations = 0;
  let expectationsFailed = 0;
  let latencySumMs = 0;
  for await (const judged of judgedRows(data)) {
    const { row, kind, verdict, standing, expectationFailed } = judged;
    total += 1;
    kinds[kind] += 1;
    standings[standing] += 1;
    const kept = standing === "expectation" || standing === "no_verdict" ? first[standing] : null;
    if (kept !== null && kept.length < FIRST_KEPT) kept.push(judged);
    if (row.expect !== null) expectations += 1;
    if (expectationFailed) expectationsFailed += 1;
    const ms = row.result?.latencyMs ?? null;
    if (ms === null) continue;
    latencySumMs += ms;
    if (verdict === null) continue;
    const bucket = bucketOf(ms);
    latency.set(bucket, (latency.get(bucket) ?? 0) + 1);
  }
  return { total, kinds, standings, expectations, expectationsFailed, latencySumMs, latency, first };
}
