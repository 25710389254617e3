// Running totals of a run: verdicts, expectations, latencies.

import { createHistogram } from "node:perf_hooks";

import {
  isUndecided,
  trustedVerdict,
  type Latencies,
  type RunCounts,
  type RunRow,
  type RunSummary,
  type RunTime,
} from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const MICROSECONDS = 1_000;
/** Longer than any call may take. */
const LONGEST_US = 3_600_000_000;

const COUNT_OF: Readonly<Record<Recommendation, "pass" | "block" | "threeDs">> = {
  pass: "pass",
  block: "block",
  "3ds_or_block": "threeDs",
};

export class Tally {
  readonly #histogram = createHistogram({ lowest: 1, highest: LONGEST_US, figures: 3 });
  readonly #counts = {
    total: 0,
    pass: 0,
    block: 0,
    threeDs: 0,
    indeterminate: 0,
    refused: 0,
    unknown: 0,
    notSent: 0,
  };
  #expectationsFailed = 0;
  #repeated = 0;
  #undecided = 0;
  #failuresInARow = 0;

  take(row: RunRow): void {
    const verdict = trustedVerdict(row.result);
    this.#counts.total += 1;
    this.#counts[verdict === null ? failureOf(row) : COUNT_OF[verdict]] += 1;
    if (row.expect !== null && verdict !== row.expect) this.#expectationsFailed += 1;
    if (row.result?.repeated === true) this.#repeated += 1;
    if (row.result !== null && isUndecided(row.result)) this.#undecided += 1;
    this.#failuresInARow = verdict === null ? this.#failuresInARow + 1 : 0;
    const latencyMs = verdict === null ? null : (row.result?.latencyMs ?? null);
    if (latencyMs !== null) {
      this.#histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(latencyMs * MICROSECONDS))));
    }
  }

  /** Consecutive items without a trustworthy verdict, in the order of their results. */
  get failuresInARow(): number {
    return this.#failuresInARow;
  }

  /** Resets the count, so that failures of an earlier session do not stop a resumed run. */
  forgetFailures(): void {
    this.#failuresInARow = 0;
  }

  /** @param durationMs active time, without pauses @param time by which the items were decided; undefined before the first one */
  summary(rejected: number, durationMs: Milliseconds, time?: RunTime): RunSummary {
    const sent = this.#counts.total - this.#counts.notSent;
    return {
      counts: { ...this.#counts },
      rejected,
      expectationsFailed: this.#expectationsFailed,
      ...(this.#undecided === 0 ? {} : { undecided: this.#undecided }),
      ...(this.#repeated === 0 ? {} : { repeated: this.#repeated }),
      latencies: this.#latencies(),
      ratePerS: sent === 0 || durationMs <= 0 ? null : (sent * 1000) / durationMs,
      durationMs,
      ...(time === undefined ? {} : { time }),
    };
  }

  #latencies(): Latencies | null {
    if (this.#histogram.count === 0) return null;
    const at = (percentile: number): number => this.#histogram.percentile(percentile) / MICROSECONDS;
    return { p50: at(50), p95: at(95), p99: at(99), max: this.#histogram.max / MICROSECONDS };
  }
}

function failureOf({ result }: RunRow): Exclude<keyof RunCounts, "total" | "pass" | "block" | "threeDs"> {
  switch (result?.outcome) {
    case undefined:
    case "unknown":
      return "unknown";
    case "refused":
      return "refused";
    case "not_sent":
      return "notSent";
    // An answer without a recommendation is indeterminate.
    case "answered":
    case "indeterminate":
      return "indeterminate";
  }
}
