// What requests came to, counted for metrics: plain numbers, a few additions a request.

import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";

/** Upper bounds of the histogram of latencies, in seconds; above the last there is one more bucket. */
export const LATENCY_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export interface Latencies {
  /** Requests by bucket, each without those of the buckets below. */
  readonly buckets: number[];
  sumS: number;
}

export type RequestCounts = Readonly<Omit<CountedRequests, "note">>;

export class CountedRequests {
  /** By call and status, as in `check 200`; `other` for no call of the service, `none` for no answer. */
  readonly requests: Map<string, number> = new Map();
  /** By recommendation. */
  readonly verdicts: Map<string, number> = new Map();
  /** By call, or `other`. */
  readonly latencies: Map<string, Latencies> = new Map();
  total = 0;
  repeats = 0;
  forced = 0;
  /** Faults that were injected. */
  faults = 0;

  note(
    entry: Pick<
      JournalEntry,
      "call" | "status" | "latency_ms" | "recommendation" | "repeat" | "magic" | "faults"
    >,
  ): void {
    this.total += 1;
    const call = entry.call ?? "other";
    increment(this.requests, `${call} ${entry.status ?? "none"}`);
    const latencies = this.latencies.get(call) ?? noLatencies();
    this.latencies.set(call, latencies);
    const seconds = entry.latency_ms / 1000;
    const bucket = LATENCY_BOUNDS_S.findIndex((bound) => seconds <= bound);
    latencies.buckets[bucket < 0 ? LATENCY_BOUNDS_S.length : bucket]! += 1;
    latencies.sumS += seconds;
    if (entry.recommendation !== null) increment(this.verdicts, entry.recommendation);
    if (entry.repeat) this.repeats += 1;
    if (entry.magic !== null) this.forced += 1;
    this.faults += entry.faults.length;
  }
}

function noLatencies(): Latencies {
  return { buckets: Array.from({ length: LATENCY_BOUNDS_S.length + 1 }, () => 0), sumS: 0 };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
