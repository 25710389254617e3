// A run with everything that a report can show: flips of each kind, failed expectations, items without a verdict.

import { carriedBy, type Earlier } from "#src/contract/records/flip.ts";
import type { RunCounts, RunInfo, RunRow, RunSummary } from "#src/contract/records/run.ts";
import type { ReportData } from "#src/replay/reports/report-data.ts";
import { comparedRows, earlierSide, rowsOf, runResult, runRow, type Verdict } from "./rows.ts";

const OFTEN: readonly Verdict[] = ["pass", "pass", "pass", "pass", "pass", "3ds_or_block", "block"];
const WORDS: Readonly<Record<string, string>> = {
  pass: "No rule speaks against this payment.",
  block: "6 attempts with this card in 1 h (limit 3).",
  "3ds_or_block": "The amount is unusual for this payer; 3-D Secure is asked for.",
};

/** The later verdict: mostly the same, now and then another one, rarely none. */
function later(seq: number, before: Verdict): Verdict {
  if (seq % 997 === 0) return "unknown";
  if (seq % 1301 === 0) return null;
  if (seq % 331 === 0) return "block";
  return seq % 97 === 0 ? OFTEN[(seq + 2) % OFTEN.length]! : before;
}

function sampleRow(seq: number, verdict: Verdict): RunRow {
  const currency = seq % 11 === 0 ? 392 : seq % 5 === 0 ? 978 : 980;
  const latencyMs = 38 + 90 * ((seq * 0.618_033_988_7) % 1) ** 4 + (seq % 211 === 0 ? 900 : 0);
  const row = runRow(seq, verdict, {
    key: `order-${40_000 + seq}`,
    origin: `november/payments.ndjson:${seq}`,
    request: {
      operation: "payment",
      order_id: `order-${40_000 + seq}`,
      amount: (seq * 7_919) % 500_000,
      currency,
    },
    expect: seq % 13 === 0 ? (seq % 260 === 0 ? "block" : (OFTEN[seq % OFTEN.length] as "pass")) : null,
  });
  const changes = { latencyMs, message: WORDS[verdict ?? ""] ?? null };
  return { ...row, result: verdict === null ? null : runResult(verdict, changes) };
}

export async function* sampleRows(size: number, side: "earlier" | "later"): AsyncGenerator<RunRow> {
  await Promise.resolve();
  for (let seq = 1; seq <= size; seq += 1) {
    const before = OFTEN[seq % OFTEN.length]!;
    yield sampleRow(seq, side === "earlier" ? before : later(seq, before));
  }
}

export function runInfo(changes: Partial<RunInfo> = {}): RunInfo {
  return {
    id: "mi9x0b1c22f0a7",
    at: Date.UTC(2026, 10, 21, 9, 30),
    profile: "staging",
    project: "demo-shop/medium",
    amountUnit: "minor",
    sources: ["november/payments.ndjson"],
    baseline: "mi8r7k2a51d3e9",
    freshOrderIds: true,
    state: "complete",
    summary: runSummary(),
    ...changes,
  };
}

export function runSummary(counts: Partial<RunCounts> = {}): RunSummary {
  const none = { pass: 0, block: 0, threeDs: 0, indeterminate: 0, refused: 0, unknown: 0, notSent: 0 };
  return {
    counts: { total: 0, ...none, ...counts },
    rejected: 2,
    expectationsFailed: 0,
    latencies: { p50: 43.6, p95: 111, p99: 127, max: 1_012 },
    ratePerS: 412.4,
    durationMs: 24_260,
  };
}

/** A report of given rows on their own, or compared with an earlier side. */
export async function reportOf(
  rows: readonly RunRow[],
  earlier: readonly RunRow[] | null = null,
  changes: Partial<ReportData> = {},
): Promise<ReportData> {
  return report(() => rowsOf(rows), earlier === null ? null : () => rowsOf(earlier), changes);
}

/** A report of a large run against an earlier one. */
export async function sampleReport(size: number): Promise<ReportData> {
  return report(
    () => sampleRows(size, "later"),
    () => sampleRows(size, "earlier"),
    {},
  );
}

async function report(
  rows: () => AsyncIterable<RunRow>,
  earlier: (() => AsyncIterable<RunRow>) | null,
  changes: Partial<ReportData>,
): Promise<ReportData> {
  const info = changes.info ?? runInfo();
  const labels = { baseline: info.baseline ?? "the earlier run", run: info.id };
  const before = new Map<string, Earlier>();
  if (earlier !== null) for await (const row of earlier()) before.set(row.key, earlierSide(row));
  return {
    info,
    comparison: earlier === null ? null : await comparedRows(labels, earlier(), rows()),
    hits: [],
    async *rows() {
      for await (const row of rows()) {
        yield { row, earlier: earlier === null ? carriedBy(row) : (before.get(row.key) ?? null) };
      }
    },
    earlier: null,
    failedGates: [],
    showPersonal: false,
    generatedAt: Date.UTC(2026, 10, 21, 9, 31),
    ...changes,
  };
}

/** The pieces of a report as one text. */
export async function whole(pieces: AsyncIterable<string> | string[]): Promise<string> {
  return (await Array.fromAsync(pieces)).join("");
}
