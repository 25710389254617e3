// Converts a check to an attempt for the counters: its keys, its value in EUR, and whether its amount is tiny.

import { minorUnits } from "#src/contract/lists/currency.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
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
  const eur = worthInEur(input, rates);
  const eurCents = eur === null ? null : Math.round(eur * 100);
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
  const eur = worthInEur(input, rates);
  const { charge: _, ...keys } = attempt.keys;
  return {
    ...attempt,
    keys: charge === undefined ? keys : { ...keys, charge },
    eurCents: eur === null ? null : Math.round(eur * 100),
    micro: isMicro(input.request),
    amount: amount!,
  };
}

/** An amount under 1.00 of its currency, as used to test stolen cards. */
export function isMicro({ amount, currency }: CheckRequest): boolean {
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(currency)) return false;
  const digits = minorUnits(currency!);
  return digits !== null && amount! < Math.max(FEWEST_UNITS, 10 ** digits);
}
