// A check as an attempt for the counters: its keys, its value in EUR, and whether its amount is tiny; and its counts as plain
// numbers, from which they can be recomputed, also for another amount.

import { minorUnits } from "#src/contract/lists/currency.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { type Attempt, edges, type AttemptView } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { lengthOfRun, DISTINCT_CAP } from "#src/rules/counters/key-lists.ts";
import { KIND, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { keyBits } from "#src/rules/counters/key-slots.ts";
import { worthInEur, type DecisionInput } from "./situation.ts";

/** Limit of a tiny amount in a currency without minor units: 100 JPY stands for 1.00. */
const FEWEST_UNITS = 100;

/** Argument of `counters.record` and `counters.peek`, with the parsed address. */
export function attemptOf(
  { rates, distinctPairs }: RuleSet,
  input: DecisionInput,
  { keysOf }: Pick<Counters, "keysOf">,
): { attempt: Attempt; address: Address | null } {
  const { request, project } = input;
  const { amount, currency } = request;
  const address = readAddress(request.payer?.payer_ip);
  const keys = keysOf(request, project.projectId, address);
  const eurCents = centsOf(input, rates);
  const micro = isMicro(request);
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  const money = known ? { amount: amount!, currency: currency! } : undefined;
  const attempt: Attempt = { keys, pairs: distinctPairs, eurCents, micro, ...money };
  return { attempt, address };
}

/**
 * The same attempt with another amount; only the keys that depend on it are hashed again.
 * @param input with the other amount
 */
export function attemptWithAmount(
  { rates }: RuleSet,
  input: DecisionInput,
  keysOf: Counters["keysOf"],
  attempt: Attempt,
): Attempt {
  const { amount, currency, card } = input.request;
  const { charge } = keysOf({ amount, currency, card }, input.project.projectId, null);
  const { charge: _, ...keys } = attempt.keys;
  return {
    ...attempt,
    keys: charge === undefined ? keys : { ...keys, charge },
    eurCents: centsOf(input, rates),
    micro: isMicro(input.request),
    amount: amount!,
  };
}

function centsOf(...worth: Parameters<typeof worthInEur>): number | null {
  const eur = worthInEur(...worth);
  return eur === null ? null : Math.round(eur * 100);
}

/** An amount under 1.00 of its currency, as used to test stolen cards. */
export function isMicro({ amount, currency }: CheckRequest): boolean {
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(currency)) return false;
  const digits = minorUnits(currency!);
  return digits !== null && amount! < Math.max(FEWEST_UNITS, 10 ** digits);
}

/** The kind of companion whose key depends on the amount. */
const BY_AMOUNT: CounterKey = "charge";

/** The counts of one attempt. */
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
