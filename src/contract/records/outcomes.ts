// Two rule sets judged by what became of the payments: labels against verdicts, in counts and in EUR.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { SidedRow } from "./flip.ts";
import type { Label } from "./label.ts";

/** Payments, and their worth in EUR, about; those of a currency without a rate add nothing to the worth. */
export interface Weighed {
  readonly count: number;
  readonly eur: number;
}

/** `part` of `whole` payments: a share, which has no value where `whole` is 0. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

export type ByVerdict = Readonly<Record<Recommendation, Weighed>>;

/** Labelled payments by what rules should do with them: `bad` for fraud and chargebacks, `good` for the others. */
export interface ByWorth {
  readonly bad: Weighed;
  readonly good: Weighed;
}

/** Those, and payments without a label. */
export interface ByKind extends ByWorth {
  readonly unlabelled: Weighed;
}

/** What is blocked if the block mark of every risk level is moved. */
export interface CurvePoint extends ByWorth {
  /** Points by which the marks are higher; 0 for the rules as they are. */
  readonly shift: number;
}

/** Labelled payments whose score is from `from` to below the next bin's. */
export interface ScoreBin {
  readonly from: number;
  readonly bad: number;
  readonly good: number;
}

/** One of the two rule sets. */
export interface SideOutcomes {
  readonly labels: Readonly<Record<Label, ByVerdict>>;
  readonly unlabelled: ByVerdict;
  /** By `shift`, the lowest first; a hard block stays one, and what is allowed by name stays so. */
  readonly curve: readonly CurvePoint[];
  readonly scores: readonly ScoreBin[];
  /** Marks of the only risk level of the payments; null where there are several. */
  readonly marks: { readonly threeDs: number; readonly block: number } | null;
}

/** A rule on one side: the payments that it hit, and those that no other live rule hit. */
export interface RuleWorth {
  readonly hits: ByKind;
  readonly alone: ByKind;
}

export interface RuleOutcomes {
  readonly code: string;
  /** Null for a side without the rule. */
  readonly current: RuleWorth | null;
  readonly proposed: RuleWorth | null;
}

export interface OutcomeCase extends SidedRow {
  readonly label: Label | null;
  /** Its worth in EUR; null without a rate. */
  readonly eur: number | null;
}

/** Payments that were `was` under the current rules and are `now` under the proposed ones. */
export interface OutcomeChange extends ByKind {
  readonly was: Recommendation;
  readonly now: Recommendation;
  /** At most `CASES_KEPT` of each, those of the most money first. */
  readonly cases: { readonly bad: readonly OutcomeCase[]; readonly good: readonly OutcomeCase[] };
}

/** Changed payments with the same decisive rules on both sides; null for none. */
export interface OutcomeCause extends ByKind {
  readonly was: Recommendation;
  readonly now: Recommendation;
  readonly before: string | null;
  readonly after: string | null;
}

/** One span of the time of the payments. */
export interface OutcomeSpan {
  readonly from: Milliseconds;
  readonly total: number;
  readonly current: { readonly goodBlocked: number; readonly badPassed: number };
  readonly proposed: { readonly goodBlocked: number; readonly badPassed: number };
}

export interface Outcomes {
  readonly current: SideOutcomes;
  readonly proposed: SideOutcomes;
  /** Nine: rows by `was`, columns by `now`, each in the order pass, 3ds_or_block, block. */
  readonly changes: readonly OutcomeChange[];
  /** The largest count first. */
  readonly causes: readonly OutcomeCause[];
  /** Rules of both sides, those of the proposed file first. */
  readonly rules: readonly RuleOutcomes[];
  /** In the order of time, without gaps; at most `SPANS_KEPT`, so that a span is an hour or longer. */
  readonly spans: readonly OutcomeSpan[];
  readonly spanMs: Milliseconds;
  /** Labelled payments of a currency without a rate, which sums of money leave out. */
  readonly withoutRate: number;
  /** Labels of a list that no payment has. */
  readonly unused: number;
}

/** The verdicts of a run against what became of its payments. */
export interface RunOutcomes {
  readonly now: Pick<SideOutcomes, "labels">;
  /** By the verdicts that the items carried; null where none did. */
  readonly before: Pick<SideOutcomes, "labels"> | null;
  readonly labelled: number;
  readonly unlabelled: number;
  /** Labelled items without a trustworthy verdict, which are in no cell. */
  readonly noVerdict: number;
}

/** Named cases of each change. */
export const CASES_KEPT = 3;
/** Spans of time at most: two weeks by the hour. */
export const SPANS_KEPT = 336;
