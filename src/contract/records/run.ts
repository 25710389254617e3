// A run: saved payloads sent one after the other, what became of each, and what the whole adds up to.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { AmountUnit } from "./profile.ts";

/** How fast the items of a run are sent. */
export interface RunPace {
  /** Items in flight at most. */
  readonly concurrency: number;
  /** Starts in a second; null: as fast as the concurrency allows. */
  readonly ratePerS: number | null;
}

/** What a run was asked to do, written before its first item. */
export interface RunHeader {
  /** Sortable id. */
  readonly id: string;
  /** When it was started, local wall time. */
  readonly at: Milliseconds;
  readonly profile: string;
  /** Key of the project, `<merchant_id>/<risk_level>`. */
  readonly project: string;
  readonly amountUnit: AmountUnit;
  /** The sources in the user's words: files, folders, `history:<filter>`, `run:<id>`. */
  readonly sources: readonly string[];
  /** Id of the run that it is compared with; null to compare with what the items themselves carry. */
  readonly baseline: string | null;
  /** True where every item got an order id of its own, made of the saved one and the id of the run. */
  readonly freshOrderIds: boolean;
  /** Kept for when the run goes on: a service is never sent the rest faster than the beginning. Runs of old have none. */
  readonly pace?: RunPace;
}

/** One payload of a run. */
export interface RunItem {
  /** Place in the sources, from 1; counts well-formed payloads only. */
  readonly seq: number;
  /**
   * What makes it the same payment in two runs: the payload's name, else its order id, else its place in the sources;
   * a second item of the same key gets `#2`, and so on.
   */
  readonly key: string;
  /** Where it was read, for people: `payments.ndjson:12`, `repeat-buyer.json`. */
  readonly origin: string;
  readonly request: CheckRequest;
  /** Verdict that the payload expects. */
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  /** Verdict that it got before, where the source knows it (`history:`, `run:`). */
  readonly was: Recommendation | null;
  /** One sentence each; absent for none. Known when it is read and sent, and not kept with the run. */
  readonly warnings?: readonly string[];
}

/** What became of an item. */
export interface RunResult {
  readonly outcome: Outcome;
  /** Null unless `outcome` is `answered`. */
  readonly recommendation: Recommendation | null;
  /** The service's readable text: untrusted. */
  readonly message: string | null;
  /** Stable word for anything but a plain success. */
  readonly reason: string | null;
  /** One sentence for people; untrusted text in it is already escaped. */
  readonly explanation: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly decisionId: string | null;
}

export interface RunRow extends RunItem {
  /** When its intent was written, local wall time. */
  readonly at: Milliseconds;
  /** Null while no outcome is known: in flight, or lost in a crash. It is unknown then, and never sent again by itself. */
  readonly result: RunResult | null;
}

/** A line of a source that holds no payload that may be sent. */
export interface RejectedLine {
  /** e.g. `payments.csv:17` */
  readonly origin: string;
  /** One sentence; untrusted text in it is already escaped. */
  readonly message: string;
}

/** How the items of a run ended; the sum of the outcomes is `total`. */
export interface RunCounts {
  readonly total: number;
  readonly pass: number;
  readonly block: number;
  readonly threeDs: number;
  readonly indeterminate: number;
  readonly refused: number;
  readonly unknown: number;
  readonly notSent: number;
}

/** Latency of answered items in ms, from a histogram of three significant digits; null while nothing was answered. */
export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface RunSummary {
  readonly counts: RunCounts;
  readonly rejected: number;
  /** Items whose verdict is not the one that their payload expects. */
  readonly expectationsFailed: number;
  readonly latencies: Latencies | null;
  /** Items sent in a second, over the time the run was under way. */
  readonly ratePerS: number | null;
  /** Time under way, pauses left out. */
  readonly durationMs: Milliseconds;
}

/** - `complete`: every item of the sources was sent; `partial`: it was stopped, or lost its process, and can go on */
export type RunState = "complete" | "partial";

/** A run as it is listed. */
export interface RunInfo extends RunHeader {
  readonly state: RunState;
  /** Null for a run that lost its process before it could add up. */
  readonly summary: RunSummary | null;
}
