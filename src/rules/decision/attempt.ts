// An attempt as the counters take it: its keys, its worth, and whether its amount is tiny.

import { minorUnits } from "#src/contract/lists/currency.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
import { worthInEur, type Facts } from "./situation.ts";

/** Minor units under which an amount is tiny where the currency has none: 100 JPY stands for 1.00. */
const FEWEST_UNITS = 100;

/** What `counters.record` and `counters.peek` take, with the address that was read on the way. */
export function attemptOf(
  { rates, distinctPairs }: RuleSet,
  facts: Facts,
  { keysOf }: Pick<Counters, "keysOf">,
): { attempt: Attempt; address: Address | null } {
  const { request, project } = facts;
  const { amount, currency } = request;
  const address = readAddress(request.payer?.payer_ip);
  const keys = keysOf(request, project.projectId, address);
  const eur = worthInEur(facts, rates);
  const eurCents = eur === null ? null : Math.round(eur * 100);
  const micro = isMicro(request);
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  const attempt: Attempt = known
    ? { keys, pairs: distinctPairs, eurCents, micro, amount: amount!, currency: currency! }
    : { keys, pairs: distinctPairs, eurCents, micro };
  return { attempt, address };
}

/**
 * The same attempt with another amount, without hashing again what stays the same.
 * @param facts with the other amount
 */
export function attemptWithAmount(
  { rates }: RuleSet,
  facts: Facts,
  keysOf: Counters["keysOf"],
  attempt: Attempt,
): Attempt {
  const { amount, currency, card } = facts.request;
  const { charge } = keysOf({ amount, currency, card }, facts.project.projectId, null);
  const eur = worthInEur(facts, rates);
  const { charge: _, ...keys } = attempt.keys;
  return {
    ...attempt,
    keys: charge === undefined ? keys : { ...keys, charge },
    eurCents: eur === null ? null : Math.round(eur * 100),
    micro: isMicro(facts.request),
    amount: amount!,
  };
}

/** An amount under 1.00 of its currency, as a stolen card is tried out with. */
export function isMicro({ amount, currency }: CheckRequest): boolean {
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(currency)) return false;
  const digits = minorUnits(currency!);
  return digits !== null && amount! < Math.max(FEWEST_UNITS, 10 ** digits);
}
