// The counts of one attempt as plain numbers, from which they can be recomputed, also for another amount.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { lengthOfRun } from "#src/rules/counters/amount-trails.ts";
import { edges, type AttemptView } from "#src/rules/counters/attempt-view.ts";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import { DISTINCT_CAP } from "#src/rules/counters/companion-lists.ts";
import { KIND, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { keyBits } from "#src/rules/counters/key-slots.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** The kind of companion whose key depends on the amount. */
const BY_AMOUNT: CounterKey = "charge";

export interface CountsRecord {
  /** In the order of `RuleSet.countReads`. */
  readonly values: readonly number[];
  /** Currency, amount and time, latest first; empty where no rule reads a run. */
  readonly trail: readonly number[];
  /** Charges that came with a key before the attempt: halves and time of each, and so on. */
  readonly charges: Readonly<Partial<Record<CounterKey, readonly number[]>>>;
}

/**
 * Records the counts that rules can read from a view.
 * @param values as `readCounts` reads them from it
 */
export function recordCounts(
  { readsRun, distinctPairs }: RuleSet,
  view: AttemptView,
  values: readonly number[],
): CountsRecord {
  const trail = readsRun ? view.trail() : [];
  const charges: Partial<Record<CounterKey, number[]>> = {};
  for (let i = 0; i < distinctPairs.length; i++) {
    const pair = distinctPairs[i]!;
    if (pair[0] !== BY_AMOUNT) continue;
    const key = pair[1];
    const found = view.earlierCharges(KIND[key]);
    if (found.length > 0) charges[key] = found.flatMap(([, high, low, last]) => [high, low, last]);
  }
  return { values, trail, charges };
}

/** Whether another amount changes counts only in ways that the record can tell. */
export function canVaryAmount({ distinctPairs }: RuleSet): boolean {
  return distinctPairs.every(([, key]) => key !== BY_AMOUNT);
}

/**
 * The counts as they were, or as they would have been had the attempt come with another amount.
 * @param attempt as it was counted
 * @param tried the same with another amount; the attempt itself for the counts as they were
 * @returns in the order of `RuleSet.countReads`
 */
export function replayCounts(
  { countReads }: RuleSet,
  { values, trail, charges }: CountsRecord,
  at: Milliseconds,
  attempt: Attempt,
  tried: Attempt,
): number[] {
  const more = {
    spent: (tried.eurCents ?? 0) - (attempt.eurCents ?? 0),
    valued: Number(tried.eurCents !== null) - Number(attempt.eurCents !== null),
    micro: Number(tried.micro === true) - Number(attempt.micro === true),
  };
  return countReads.map(({ what, of, key, window }, i) => {
    const value = values[i] ?? 0;
    if (tried === attempt || (key !== null && attempt.keys[key] === undefined)) return value;
    switch (what) {
      case "velocity":
        return value;
      case "distinct": {
        const charge = tried.keys[BY_AMOUNT];
        if (of !== BY_AMOUNT || charge === undefined) return value;
        return countCharges(charges[key!] ?? [], charge, ...edges(at, window));
      }
      case "run":
        return lengthOfRun(otherwise(trail, tried), ...edges(at, window));
      default:
        return value + more[what];
    }
  });
}

/** How many charges there are with one more, unless it is one of them. */
function countCharges(
  earlier: readonly number[],
  charge: string,
  from: Milliseconds,
  until: Milliseconds,
): number {
  const { high, low } = keyBits(charge);
  let count = 1;
  for (let i = 0; i < earlier.length; i += 3) {
    const last = earlier[i + 2]!;
    const isSame = earlier[i] === high && earlier[i + 1] === low;
    if (!isSame && last >= from && last < until) count += 1;
  }
  return Math.min(count, DISTINCT_CAP);
}

/** The trail with another amount at its head. */
function otherwise(trail: readonly number[], { amount }: Attempt): readonly number[] {
  return amount === undefined || trail.length === 0 ? trail : trail.with(1, amount);
}
