// The input of the reports of a decision about rules: what a back-test found, in plain data.

import type { Comparison } from "#src/contract/records/flip.ts";
import type { ThreeDsStops } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import type { FailedGate } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleMode } from "#src/contract/wire/explanation.ts";

export interface DecisionRule {
  readonly code: string;
  /** `mode` is null where that side does not have the rule. */
  readonly current: { readonly mode: RuleMode | null; readonly hits: number };
  readonly proposed: DecisionRule["current"];
  /** Payments that it hit on both sides. */
  readonly both: number;
  /** Of the proposed side, those that no other live rule hit. */
  readonly alone: number;
}

/** Proposed rules that say the same: of the same hits, and those that never hit without another one. */
export interface DecisionOverlap {
  readonly together: readonly { readonly codes: readonly string[]; readonly count: number }[];
  readonly within: readonly {
    readonly code: string;
    readonly other: string;
    readonly count: number;
    readonly otherCount: number;
  }[];
}

/** Labels that were of no use, and those that are a guess. */
export interface LabelCounts {
  /** Payments that are taken for good ones without a label. */
  readonly assumed: number;
  /** Orders of the file that no payment has. */
  readonly unused: number;
  /** Labels of the file that became known too late. */
  readonly late: number;
  /** Payments on neither side because they were made after that time. */
  readonly madeAfter: number;
  /** Payments on neither side because they are called fraud after that time, and were not by then. */
  readonly turnedBad: number;
  /** Labels of identical repeats that were read too long after the payment itself. */
  readonly missed: number;
  /** Tags that stand for an outcome, but that no payment has. */
  readonly idleTags: readonly string[];
}

export interface UsedLabels extends LabelCounts {
  /** Files, columns and tags that they come from, as the user gave them. */
  readonly origins: readonly string[];
  /** Labels that became known later are not counted; null for all. */
  readonly asOf: Milliseconds | null;
}

export interface DecisionData {
  /** Name for people, and the hash of what the rules say. */
  readonly current: { readonly name: string; readonly hash: string };
  readonly proposed: DecisionData["current"];
  /** What the proposed rules change, a phrase each. */
  readonly ruleChanges: readonly string[];
  readonly sources: readonly string[];
  /** Time of the first and of the last payment; null where there is none. */
  readonly from: Milliseconds | null;
  readonly to: Milliseconds | null;
  readonly total: number;
  /** Of the payments as they were decided, with their times and labels: the same payments have the same one. */
  readonly dataHash: string;
  readonly comparison: Comparison;
  /** Null without labels. */
  readonly outcomes: Outcomes | null;
  /** Shares of the fraud sent to 3-D Secure that it may stop, for each of which net money is said. */
  readonly threeDsStops: ThreeDsStops;
  readonly labels: UsedLabels;
  readonly rules: readonly DecisionRule[];
  readonly overlap: DecisionOverlap;
  /** Limits that were asked for, as options of the command: `--min-caught 85%`. */
  readonly gates: readonly string[];
  readonly failedGates: readonly FailedGate[];
  /** Day of the exchange rates; null for none, so that there is no money. */
  readonly ratesAsOf: string | null;
  /** Risk level of all payments; null where each has that of its project. */
  readonly riskLevel: string | null;
  /** Lines of the sources that hold no payment. */
  readonly rejected: number;
  /** Payments without a time of their own, and how long after the one before each of them comes. */
  readonly untimed: number;
  readonly stepMs: Milliseconds;
  /** Payments that were earlier than the one before them in the sources, so that all were sorted. */
  readonly outOfOrder: number;
  /** Identical repeats, which neither side counted. */
  readonly repeats: number;
  /** Personal data is shown; masked unless true. */
  readonly showPersonal: boolean;
  readonly generatedAt: Milliseconds;
}
