// Shares of labelled payments by which rules are judged, and how far a share of so few payments can be trusted. Pure.

import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { isBad, LABELS } from "./label.ts";
import type { ByKind, ByWorth, OutcomeCause, Share, SideOutcomes, Weighed } from "./outcomes.ts";

export type SideShares = ReturnType<typeof sideShares>;

/** The shares of one rule set: of all bad payments, of all good ones, of all that are blocked, and of all with a label. */
export function sideShares(side: Pick<SideOutcomes, "labels">, unit: keyof Weighed = "count") {
  const share = (kind: keyof ByWorth, ...verdicts: Recommendation[]): Share => ({
    part: worthOf(side, kind, verdicts)[unit],
    whole: worthOf(side, kind)[unit],
  });
  const blocked = { bad: worthOf(side, "bad", ["block"]), good: worthOf(side, "good", ["block"]) };
  return {
    caught: share("bad", "block"),
    badSecured: share("bad", "3ds_or_block"),
    badPassed: share("bad", "pass"),
    goodBlocked: share("good", "block"),
    goodSecured: share("good", "3ds_or_block"),
    goodPassed: share("good", "pass"),
    goodDisturbed: share("good", "3ds_or_block", "block"),
    // With labels of one kind alone every block looks right, or wrong.
    precision: isJudged(side) ? precisionOf(blocked, unit) : NOTHING,
    baseRate: isJudged(side)
      ? precisionOf({ bad: worthOf(side, "bad"), good: worthOf(side, "good") }, unit)
      : NOTHING,
  };
}

const NOTHING: Share = { part: 0, whole: 0 };

/** How many times a share is the base rate: a rule that hits by chance has 1. Null where either has no value. */
export function liftOf({ part, whole }: Share, base: Share): number | null {
  return whole === 0 || base.part === 0 ? null : (part * base.whole) / (whole * base.part);
}

/** The bad part of labelled payments, such as those that a rule hit. */
export function precisionOf({ bad, good }: ByWorth, unit: keyof Weighed = "count"): Share {
  return { part: bad[unit], whole: bad[unit] + good[unit] };
}

/** Labelled payments of one kind with one of these verdicts; all of them where none is named. */
export function worthOf(
  { labels }: Pick<SideOutcomes, "labels">,
  kind: keyof ByWorth,
  verdicts: readonly Recommendation[] = MILDEST_FIRST,
): Weighed {
  const chosen = LABELS.filter((label) => isBad(label) === (kind === "bad"));
  return addWeighed(chosen.flatMap((label) => verdicts.map((verdict) => labels[label][verdict])));
}

/** Shares of the fraud sent to 3-D Secure that it may stop, 0..1; the first is the one by which values are chosen. */
export type ThreeDsStops = readonly [number, ...number[]];
/** Nobody knows how many fraudsters pass 3-D Secure, so that money is said for none and for all of them. */
export const NONE_OR_ALL: ThreeDsStops = [0, 1];

/**
 * Money that rules keep, in EUR: fraud that they stop, less the good payments that they block. Good payments pass 3-D Secure.
 * @param stops share of the fraud sent to 3-D Secure that it stops, 0..1
 */
export function keptEur(side: Pick<SideOutcomes, "labels">, stops: number): number {
  const secured = worthOf(side, "bad", ["3ds_or_block"]).eur;
  return worthOf(side, "bad", ["block"]).eur + stops * secured - worthOf(side, "good", ["block"]).eur;
}

/** True with labels of both kinds; without, every block looks right, or wrong. */
export function isJudged(side: Pick<SideOutcomes, "labels">): boolean {
  return worthOf(side, "bad").count > 0 && worthOf(side, "good").count > 0;
}

export function addWeighed(list: readonly Weighed[]): Weighed {
  return list.reduce((sum, { count, eur }) => ({ count: sum.count + count, eur: sum.eur + eur }), {
    count: 0,
    eur: 0,
  });
}

/** Labelled or not. */
export function allOf({ bad, good, unlabelled }: ByKind): Weighed {
  return addWeighed([bad, good, unlabelled]);
}

/** Payments by what rules should have done with them, as far as it is known. */
export type WorthKind = keyof ByKind;

/** Payments that were `was` and are `now`. */
export type MovedPayments = Pick<OutcomeCause, "was" | "now" | WorthKind>;

/** What crossed the border of a block: payments that are blocked no longer, and those that are newly blocked. */
export function movedBlocks(
  changes: readonly MovedPayments[],
  kind: WorthKind,
): { readonly released: Weighed; readonly added: Weighed } {
  const sum = (fits: (change: MovedPayments) => boolean): Weighed =>
    addWeighed(changes.filter(fits).map((change) => change[kind]));
  return {
    released: sum(({ was, now }) => was === "block" && now !== "block"),
    added: sum(({ was, now }) => was !== "block" && now === "block"),
  };
}

/** Standard deviations around the mean of a normal distribution that hold 95 of 100. */
const Z = 1.959_963_984_540_054;

/**
 * Where the true share lies, with a confidence of 95 %: the score interval of Wilson (J. Am. Stat. Assoc. 22, 1927),
 * which holds for small numbers and for shares near 0 and 1. Null where there is nothing to judge.
 * @param share of counts: sums of money are no independent cases
 */
export function wilson({ part, whole }: Share): { readonly from: number; readonly to: number } | null {
  if (whole === 0) return null;
  const share = part / whole;
  const centre = (part + Z ** 2 / 2) / (whole + Z ** 2);
  const half = (Z * Math.sqrt(whole * share * (1 - share) + Z ** 2 / 4)) / (whole + Z ** 2);
  return {
    from: part === 0 ? 0 : Math.max(0, centre - half),
    to: part === whole ? 1 : Math.min(1, centre + half),
  };
}
