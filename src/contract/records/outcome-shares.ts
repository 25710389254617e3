// Shares of labelled payments by which rules are judged, and how far a share of so few payments can be trusted. Pure.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { isBad, LABELS } from "./label.ts";
import type { ByKind, ByWorth, OutcomeCause, Outcomes, Share, SideOutcomes, Weighed } from "./outcomes.ts";

/** What a share is made of: payments, or their worth in EUR. */
export type ShareUnit = keyof Weighed;

/** The shares of one rule set. */
export interface SideShares {
  /** Bad payments blocked, of all bad ones. */
  readonly caught: Share;
  readonly badSecured: Share;
  /** Bad payments passed, of all bad ones; neither blocked nor sent to 3-D Secure. */
  readonly badPassed: Share;
  readonly goodBlocked: Share;
  readonly goodSecured: Share;
  /** Good payments blocked or sent to 3-D Secure, of all good ones. */
  readonly goodDisturbed: Share;
  /** Bad payments of the labelled ones that are blocked. */
  readonly precision: Share;
}

export function sideShares(side: Pick<SideOutcomes, "labels">, unit: ShareUnit = "count"): SideShares {
  const bad = worthOf(side, "bad")[unit];
  const good = worthOf(side, "good")[unit];
  const share = (kind: keyof ByWorth, whole: number, ...verdicts: Recommendation[]): Share => ({
    part: worthOf(side, kind, verdicts)[unit],
    whole,
  });
  const blocked = { bad: worthOf(side, "bad", ["block"]), good: worthOf(side, "good", ["block"]) };
  return {
    caught: share("bad", bad, "block"),
    badSecured: share("bad", bad, "3ds_or_block"),
    badPassed: share("bad", bad, "pass"),
    goodBlocked: share("good", good, "block"),
    goodSecured: share("good", good, "3ds_or_block"),
    goodDisturbed: share("good", good, "3ds_or_block", "block"),
    precision: precisionOf(blocked, unit),
  };
}

/** The bad part of labelled payments, such as those that a rule hit. */
export function precisionOf({ bad, good }: ByWorth, unit: ShareUnit = "count"): Share {
  return { part: bad[unit], whole: bad[unit] + good[unit] };
}

/** Labelled payments of one kind with one of these verdicts; all of them where none is named. */
export function worthOf(
  { labels }: Pick<SideOutcomes, "labels">,
  kind: keyof ByWorth,
  verdicts: readonly Recommendation[] = ["pass", "3ds_or_block", "block"],
): Weighed {
  const chosen = LABELS.filter((label) => isBad(label) === (kind === "bad"));
  return addWeighed(chosen.flatMap((label) => verdicts.map((verdict) => labels[label][verdict])));
}

/** True with labels of both kinds; without, every block looks right, or wrong. */
export function isJudged({ current }: Outcomes): boolean {
  return worthOf(current, "bad").count > 0 && worthOf(current, "good").count > 0;
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

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the true share lies, with a confidence of 95 %: the score interval of Wilson (J. Am. Stat. Assoc. 22, 1927),
 * which holds for small numbers and for shares near 0 and 1. Null where there is nothing to judge.
 * @param share of counts: sums of money are no independent cases
 */
export function wilson({ part, whole }: Share): Interval | null {
  if (whole === 0) return null;
  const share = part / whole;
  const centre = (part + Z ** 2 / 2) / (whole + Z ** 2);
  const half = (Z * Math.sqrt(whole * share * (1 - share) + Z ** 2 / 4)) / (whole + Z ** 2);
  return {
    from: part === 0 ? 0 : Math.max(0, centre - half),
    to: part === whole ? 1 : Math.min(1, centre + half),
  };
}

/** A probability above which a difference is said to be within chance. */
const BY_CHANCE = 0.05;

/**
 * True where rules that are no better and no worse would show such a difference in more than 5 of 100 cases: the exact
 * test of McNemar (Psychometrika 12, 1947) over payments that two rule sets judge differently; all others say nothing.
 */
export function isWithinChance(one: number, other: number): boolean {
  const total = one + other;
  const fewer = Math.min(one, other);
  // Logarithms, because 2 ** -total is 0 from 1 075 on.
  let log = -total * Math.LN2;
  let tail = Math.exp(log);
  for (let hits = 1; hits <= fewer; hits += 1) {
    log += Math.log((total - hits + 1) / hits);
    tail += Math.exp(log);
  }
  return 2 * tail > BY_CHANCE;
}
