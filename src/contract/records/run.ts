// A run (replay of saved payloads): its header, items, results and summary.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { NO_ANSWER, type CheckResult, type Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Label } from "./label.ts";
import type { AmountUnit } from "./profile.ts";

/** How fast the items of a run are sent. */
export interface RunPace {
  /** Items in flight at most. */
  readonly concurrency: number;
  /** Starts in a second; null: as fast as the concurrency allows. */
  readonly ratePerS: number | null;
  /**
   * To a service that keeps no order of its own, items that share one of these are sent one after the other; missing: all are
   * sent side by side.
   */
  readonly orderBy?: readonly OrderKey[];
}

/** What the payments of a run can be kept in order by. */
export const ORDER_KEYS = ["card", "payer", "email", "ip", "phone", "terminal", "order"] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];

/**
 * By what time the items of a run are sent and decided.
 * - `now`: at once, by the service's own time
 * - `recorded`: at once, each decided by the sandbox as at the payment's own time
 * - `x60`: in the rhythm of the payments' own times, so many times faster
 */
export type RunTime = "now" | "recorded" | `x${number}`;

/** The time in the words of users: `now`, `recorded`, or a speed such as `x60` or `x0.5`; null for any other text. */
export function readRunTime(text: string): RunTime | null {
  if (text === "now" || text === "recorded") return text;
  return /^x\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text.slice(1)) > 0 ? (text as RunTime) : null;
}

/** One of several disjoint parts of the sources. */
export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Which items of the sources are sent: all, where nothing is said. */
export interface ItemChoice {
  readonly shard?: Shard | undefined;
  /** Only items with one of these tags. */
  readonly onlyTags?: readonly string[] | undefined;
  /** No item with one of these tags. */
  readonly skipTags?: readonly string[] | undefined;
}

/** Items of an earlier run that can be sent again by themselves: `failed` for all without a trustworthy verdict. */
export const AGAIN_KINDS = ["failed", "refused", "unknown", "changed"] as const;
export type AgainKind = (typeof AGAIN_KINDS)[number];

/** The settings of a run, written before its first item. */
export interface RunHeader extends ItemChoice {
  /** Sortable id. */
  readonly id: string;
  /** When it was started, local wall time. */
  readonly at: Milliseconds;
  readonly profile: string;
  /** Key of the project, `<merchant_id>/<risk_level>`. */
  readonly project: string;
  readonly amountUnit: AmountUnit;
  /** The sources as the user gave them: files, folders, `history:<filter>`, `run:<id>`, `run:<id>:<kinds>`. */
  readonly sources: readonly string[];
  /** Id of the run to compare with; null to compare with the verdicts that the items carry. */
  readonly baseline: string | null;
  /** True where each item was sent with a new order id, made from the saved one and the id of the run. */
  readonly freshOrderIds: boolean;
  /** Reused when the run is resumed, so that the rest is not sent faster. Missing in merged runs. */
  readonly pace?: RunPace;
  /** Missing where it was left to what the items carry. */
  readonly time?: RunTime;
  /** Columns of CSV sources that are left out; missing for none. */
  readonly ignoredColumns?: readonly string[] | undefined;
  /** Ids of the runs whose rows it has: of the one that was imported, or of those that were merged. Such a run cannot go on. */
  readonly copyOf?: readonly string[];
  /** Number of the shards that were merged; missing for any other run. */
  readonly shards?: number;
  /** Name of the rules of a sandbox that was made for this run, and is gone; missing on any other service. */
  readonly isolated?: string;
  /** SHA-256 of what those rules say; missing in runs of earlier builds. */
  readonly rulesHash?: string;
}

/** Name of the rules that come with verdict; those of a file are called after it. */
export const STARTER_NAME = "starter rules";

/** One payload of a run. */
export interface RunItem {
  /** Position in the sources, from 1; counts well-formed payloads only. */
  readonly seq: number;
  /**
   * Identifies the same payment in two runs: the payload's name, else its order id, else its position in the sources;
   * a second item of the same key gets `#2`, and so on.
   */
  readonly key: string;
  /** File and line, for people: `payments.ndjson:12`, `repeat-buyer.json`. */
  readonly origin: string;
  readonly request: CheckRequest;
  /** Verdict that the payload expects. */
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  /** Its earlier verdict, where the source has one (`history:`, `run:`, a captured payload). */
  readonly was: Recommendation | null;
  /** When the payment happened, where its source says so or a replay in recorded time has assumed it. */
  readonly time?: Milliseconds;
  /** What became of the payment, where its source says so. Never sent. */
  readonly label?: Label;
  /** One sentence each; absent for none. Not stored with the run. */
  readonly warnings?: readonly string[];
}

export interface RunRow extends RunItem {
  /** When its intent was written, local wall time. */
  readonly at: Milliseconds;
  /** Null while no outcome is known: in flight, or lost in a crash. Such an item is never sent again automatically. */
  readonly result: CheckResult | null;
}

/** What runs and their files keep of a result. */
export function keptResult(result: CheckResult) {
  const { recommendation, message, reason, httpStatus, latencyMs, decisionId } = result;
  const { outcome, explanation, attempts, repeated, basis } = result;
  const answer = { recommendation, message, reason, httpStatus, latencyMs, decisionId };
  return { ...answer, outcome, explanation, attempts, repeated, ...basis };
}

/** The inverse: what is not kept is unknown. @param kept its shape is proven */
export function resultOfKept({ score, rules, ...kept }: JsonObject): CheckResult {
  const basis = score === undefined || rules === undefined ? {} : { basis: { score, rules } };
  return { ...NO_ANSWER, ...kept, ...basis } as unknown as CheckResult;
}

/** The rows of a run that are worth showing, the first of each kind. */
export interface KeptRows {
  /** Those whose verdict is not the one that their payload expects. */
  readonly unexpected: readonly RunRow[];
  /** Those without a trustworthy verdict. */
  readonly noVerdict: readonly RunRow[];
  readonly items: readonly RunRow[];
}

/** A line of a source that holds no payload that may be sent. */
export interface RejectedLine {
  /** e.g. `payments.csv:17` */
  readonly origin: string;
  /** One sentence; untrusted text in it is already escaped. */
  readonly message: string;
}

/** Items of a run by outcome; their sum is `total`. */
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
  /** Items per second of active time. */
  readonly ratePerS: number | null;
  /** Items that were certainly not decided, which a continued run sends again; absent for none. */
  readonly undecided?: number;
  /** Stored answers of the sandbox to identical checks, which decided nothing again; absent for none. */
  readonly repeated?: number;
  /** Active time, without pauses. */
  readonly durationMs: Milliseconds;
  /** As it was in the end; missing before the first item. */
  readonly time?: RunTime;
}

/** A limit that a run did not keep. */
export interface FailedGate {
  /** The option without its dashes: `max-p95`. */
  readonly gate: string;
  /** As it was typed: `50ms`, `0.5%`. */
  readonly limit: string;
  /** Items, or milliseconds of a latency; null where there was nothing to judge. */
  readonly figure: number | null;
  /** One sentence with both. */
  readonly message: string;
}

/** Hits of a rule in a run, where the service says which rules hit. */
export interface RuleHits {
  readonly code: string;
  readonly hits: number;
  /** Items in which it was the decisive rule. */
  readonly decided: number;
}

/** Items of a run that agree in what became of their payment, their verdicts and their currency. */
export interface LabelledGroup extends Pick<RunItem, "was"> {
  /** The item's own, else that of its order; null where nobody has said. */
  readonly label: Label | null;
  /** A trustworthy verdict, else the outcome; null while it is open. */
  readonly verdict: Recommendation | Exclude<Outcome, "answered"> | null;
  readonly currency: number | null;
  readonly count: number;
  /** Those with an exact amount, and its sum in the unit of the profile. */
  readonly amounts: number;
  readonly amount: bigint;
}

/** `complete`: nothing is left to be sent; `partial`: stopped or crashed, or with undecided items, and can be resumed. */
export type RunState = "complete" | "partial";

/** A run as it is listed. */
export interface RunInfo extends RunHeader {
  readonly state: RunState;
  /** Null for a run whose process ended before the summary was written. */
  readonly summary: RunSummary | null;
}

/** Into how many parts its payments were divided; 1 for a whole run. */
export function shardsOf({ shard, shards = 1 }: Pick<RunHeader, "shard" | "shards">): number {
  return shard?.of ?? shards;
}

/** Where a run was sent: `staging:shop/low`. */
export function placeOf({ profile, project }: Pick<RunHeader, "profile" | "project">): string {
  return `${profile}:${project}`;
}

/** Fail closed: only an answered call has a verdict that may be compared. */
export function trustedVerdict(result: CheckResult | null): Recommendation | null {
  return result?.outcome === "answered" ? result.recommendation : null;
}

/** What a service that cannot take a check answers, before it decides anything. */
const NOT_TAKEN: readonly (number | null)[] = [429, 503];

/** True for an item that was certainly not decided, so that it may be sent again: it never left, or was not taken. */
export function isUndecided({ outcome, httpStatus, decisionId }: CheckResult): boolean {
  if (outcome === "refused") return NOT_TAKEN.includes(httpStatus) && decisionId === null;
  return outcome === "not_sent";
}

/** Items without a trustworthy verdict. */
export function withoutVerdict({ indeterminate, refused, unknown, notSent }: RunCounts): number {
  return indeterminate + refused + unknown + notSent;
}
