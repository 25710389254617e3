// A replay engine for tests: runs in memory, verdicts as the test says, and a replay that moves when it is told.

import { runOutcomes } from "#src/actions/replay/run-outcomes.ts";
import type { Side } from "#src/actions/replay/compare-runs.ts";
import type { ReplayEvent, ReplayProgress, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import {
  carriedBy,
  FLIPS_KEPT,
  sharedFlips,
  type Comparison,
  type Flip,
} from "#src/contract/records/flip.ts";
import {
  trustedVerdict,
  type KeptRows,
  type LabelledGroup,
  type RejectedLine,
  type RunHeader,
  type RunInfo,
  type RunRow,
  type RunSummary,
} from "#src/contract/records/run.ts";
import type { RunCourse } from "#src/contract/records/run-course.ts";
import { NO_ANSWER, type CheckResult } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { CourseTally } from "#src/replay/run-course.ts";
import type { Replayed, ReplayEngine, ReplayInput } from "#src/state/replay/replay-engine.ts";

export const RUN_AT: number = new Date(2026, 10, 21, 12, 4, 11).getTime();

export function runResult(
  recommendation: Recommendation | null,
  change: Partial<CheckResult> = {},
): CheckResult {
  return {
    ...NO_ANSWER,
    outcome: recommendation === null ? "unknown" : "answered",
    recommendation,
    message: recommendation === null ? null : `Because of ${recommendation}`,
    reason: recommendation === null ? "deadline" : null,
    explanation: recommendation === null ? "No answer came in time." : "The service answered.",
    httpStatus: recommendation === null ? null : 200,
    latencyMs: recommendation === null ? null : 12,
    attempts: 1,
    ...change,
  };
}

export function runRow(seq: number, change: Partial<RunRow> = {}): RunRow {
  return {
    seq,
    key: `o-${seq}`,
    origin: `payment-${seq}.json`,
    request: { operation: "payment", order_id: `o-${seq}`, amount: 10_000 * seq, currency: 980 },
    expect: null,
    tags: [],
    was: null,
    at: RUN_AT + seq,
    result: runResult("pass"),
    ...change,
  };
}

export function summaryOf(rows: readonly RunRow[], change: Partial<RunSummary> = {}): RunSummary {
  const count = (fits: (result: CheckResult | null) => boolean): number =>
    rows.filter(({ result }) => fits(result)).length;
  const of = (recommendation: Recommendation): number =>
    count((result) => result?.outcome === "answered" && result.recommendation === recommendation);
  return {
    counts: {
      total: rows.length,
      pass: of("pass"),
      block: of("block"),
      threeDs: of("3ds_or_block"),
      indeterminate: count((result) => result?.outcome === "indeterminate"),
      refused: count((result) => result?.outcome === "refused"),
      unknown: count((result) => result === null || result.outcome === "unknown"),
      notSent: count((result) => result?.outcome === "not_sent"),
    },
    rejected: 0,
    repeated: count((result) => result?.repeated === true),
    expectationsFailed: rows.filter(
      ({ expect, result }) => expect !== null && expect !== (result?.recommendation ?? null),
    ).length,
    latencies: { p50: 12, p95: 30, p99: 41, max: 50 },
    ratePerS: 17.4,
    durationMs: 2_300,
    ...change,
  };
}

export function runInfo(id: string, rows: readonly RunRow[], change: Partial<RunInfo> = {}): RunInfo {
  return {
    id,
    at: RUN_AT,
    profile: "sandbox",
    project: "demo-shop/medium",
    amountUnit: "minor",
    sources: ["/data/payloads"],
    baseline: null,
    freshOrderIds: false,
    state: "complete",
    summary: summaryOf(rows),
    ...change,
  };
}

function courseOf(rows: readonly RunRow[]): RunCourse {
  const tally = new CourseTally();
  for (const row of rows) tally.take(row);
  return tally.read();
}

/** The rows as a running replay has counted them. */
function countedFlips(rows: readonly RunRow[], baseline: readonly RunRow[] | null): FlipCounter {
  const before = new Map(baseline?.map((row) => [row.key, row]));
  const labels = { baseline: baseline === null ? "what the payloads carried" : "base", run: "run" };
  const counter = new FlipCounter(labels, new Map());
  for (const row of rows) {
    const { result = null } = before.get(row.key) ?? {};
    counter.take(
      row,
      baseline === null
        ? carriedBy(row)
        : before.has(row.key)
          ? { verdict: trustedVerdict(result), rules: result?.basis?.rules }
          : null,
    );
  }
  return counter;
}

/** The comparison of two sets of rows; with null of what the rows carried. */
export function compared(rows: readonly RunRow[], baseline: readonly RunRow[] | null): Comparison {
  const before = new Map(baseline?.map((row) => [row.key, row]));
  const comparison = countedFlips(rows, baseline).comparison();
  const flips = comparison.flips.map((flip): Flip => ({ ...flip, before: before.get(flip.key) ?? null }));
  const found = rows.filter(({ key }) => before.has(key)).length;
  return { ...comparison, changes: { ...comparison.changes, missing: before.size - found }, flips };
}

export function keptOf(items: readonly RunRow[]): KeptRows {
  return {
    unexpected: items.filter(({ expect, result }) => expect !== null && expect !== trustedVerdict(result)),
    noVerdict: items.filter(({ result }) => trustedVerdict(result) === null),
    items,
  };
}

export interface StoredRun {
  readonly info: RunInfo;
  readonly rows: readonly RunRow[];
}

/** Each row by itself. */
function groupsOf(rows: readonly RunRow[]): LabelledGroup[] {
  return rows.map(({ label = null, was, result, request: { currency = null, amount = 0 } }) => ({
    label,
    was,
    verdict: trustedVerdict(result),
    currency,
    count: 1,
    amounts: 1,
    amount: BigInt(amount),
  }));
}

export interface FakeEngine extends ReplayEngine {
  readonly stored: StoredRun[];
  readonly inputs: ReplayInput[];
  readonly reports: string[];
  preflighted: Preflight | Fault;
  /** What the replay under way has done so far. */
  settle(rows: readonly RunRow[], change?: Partial<ReplayProgress>): void;
  /** Tells of a line that cannot be sent. */
  reject(line: RejectedLine): void;
  /** Ends it. */
  finish(stopped?: Replayed["stopped"]): void;
  /** Makes it fail. */
  fail(fault: Fault): void;
  /** True once it was told to stop. */
  isCancelled(): boolean;
}

export const PREFLIGHT: Preflight = {
  items: 40,
  leftOut: 0,
  rejected: [],
  rejectedCount: 0,
  warnings: { payloads: 0, sentences: [] },
  money: [{ currency: 980, amount: 1_234_500n }],
  expectations: 12,
};

export function fakeEngine(stored: StoredRun[] = []): FakeEngine {
  let rows: readonly RunRow[] = [];
  let change: Partial<ReplayProgress> = {};
  let paused = false;
  let cancelled = false;
  let header: RunHeader | null = null;
  let end: (replayed: Replayed) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  let tell: (event: ReplayEvent) => void = () => undefined;
  const rowsOf = (id: string): StoredRun => {
    const found = stored.find(({ info }) => info.id === id);
    if (found === undefined) throw usage`There is no run ${id}.`;
    return found;
  };
  const earlierRows = (id: string | null): readonly RunRow[] | null => (id === null ? null : rowsOf(id).rows);
  const baselineOf = ({ baseline }: ReplayInput): string | null => {
    if (baseline !== null && typeof baseline === "object") throw usage`The console compares with no file.`;
    return baseline;
  };
  const engine: FakeEngine = {
    stored,
    inputs: [],
    reports: [],
    preflighted: PREFLIGHT,
    start(input, isolated, signal, onEvent) {
      engine.inputs.push(input);
      tell = onEvent;
      rows = [];
      paused = false;
      cancelled = false;
      signal.addEventListener("abort", () => {
        cancelled = true;
      });
      header = runInfo(input.continues ?? `run-${stored.length + 1}`, [], {
        sources: input.sources,
        project: input.project ?? "demo-shop/medium",
        baseline: baselineOf(input),
        at: RUN_AT + 60_000 * (stored.length + 1),
        ...(isolated === null ? {} : { isolated: `${isolated} rules` }),
      });
      onEvent({ type: "started", header, alreadySent: 0, keepsOrder: true });
      onEvent({ type: "time", time: input.time ?? "now", from: RUN_AT });
      const run: ReplayRun = {
        pause: () => {
          paused = true;
        },
        resume: () => {
          paused = false;
        },
        progress: () => ({
          summary: summaryOf(rows),
          fraction: rows.length / 40,
          etaMs: 2_000,
          inFlight: paused ? 0 : 8,
          state: cancelled ? "stopping" : paused ? "paused" : "running",
          comparison: compared(rows, earlierRows(baselineOf(input))),
          course: courseOf(rows),
          latest: countedFlips(rows, earlierRows(baselineOf(input))).latest,
          ...change,
        }),
        ended: new Promise((resolve, reject) => {
          end = resolve;
          fail = reject;
        }),
      };
      return Promise.resolve(run);
    },
    preflight: () =>
      engine.preflighted instanceof Fault
        ? Promise.reject(engine.preflighted)
        : Promise.resolve(engine.preflighted),
    async compare({ id }, baseline, most = FLIPS_KEPT) {
      const { rows: all } = rowsOf(id);
      const earlier = earlierRows(baseline);
      const flips: Flip[] = [];
      // In parts, each no longer than what a counter keeps.
      for (let from = 0; from < all.length; from += FLIPS_KEPT) {
        flips.push(...compared(all.slice(from, from + FLIPS_KEPT), earlier).flips);
      }
      return { ...compared(all, earlier), flips: sharedFlips(flips, most) };
    },
    list: () => Promise.resolve(stored.map(({ info }) => info)),
    rows(info, baseline, most) {
      const before = new Map(earlierRows(baseline)?.map(({ key, result }) => [key, trustedVerdict(result)]));
      const wasOf = ({ key, was }: RunRow) => (baseline === null ? was : (before.get(key) ?? null));
      const rows = rowsOf(info.id).rows.slice(0, most);
      return Promise.resolve(keptOf(rows.map((row) => ({ ...row, was: wasOf(row) }))));
    },
    outcomes: (info) => Promise.resolve(runOutcomes(groupsOf(rowsOf(info.id).rows), new Map([[980, 0.01]]))),
    remove(id) {
      stored.splice(
        stored.findIndex(({ info }) => info.id === id),
        1,
      );
      return Promise.resolve();
    },
    writeReport(file) {
      if (engine.reports.includes(file)) return Promise.reject(usage`${file} exists already.`);
      engine.reports.push(file);
      return Promise.resolve(file);
    },
    settle(next, moved = {}) {
      rows = next;
      change = moved;
    },
    reject: (line) => tell({ type: "rejected", line }),
    finish(stopped = "done") {
      const state = stopped === "done" ? "complete" : "partial";
      const info: RunInfo = { ...header!, state, summary: summaryOf(rows) };
      const at = stored.findIndex((run) => run.info.id === info.id);
      stored.splice(Math.max(0, at), at < 0 ? 0 : 1, { info, rows });
      end({
        info,
        // The console opens the other side by itself.
        side: {} as Side,
        golden: null,
        comparison: compared(rows, earlierRows(info.baseline)),
        leftOut: 0,
        stopped,
        warnings: { payloads: 0, sentences: [] },
        notSaved: null,
      });
    },
    fail: (fault) => fail(fault),
    isCancelled: () => cancelled,
  };
  return engine;
}
