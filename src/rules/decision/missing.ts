// Why a rule cannot be evaluated: missing fields, unusable keys and missing data, in words.

import { currencyByNumeric } from "#src/contract/lists/currency.ts";
import { COUNTER_KEYS, KEY_FIELDS, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { fieldReader, type Situation } from "./situation.ts";

/** Why something cannot be evaluated in a situation; null if it can. */
export type Missing = (situation: Situation) => string | null;

/** Which of the fields are missing, as one reason. */
export function missingFields(paths: readonly string[]): Missing {
  const readers = paths.map(fieldReader);
  return (situation) => {
    if (readers.every((read) => read(situation) !== undefined)) return null;
    const missing = paths.filter((_, i) => readers[i]!(situation) === undefined);
    return `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`;
  };
}

/** A whole-number field; NaN where it is missing. */
export function fieldNumber(path: string): (situation: Situation) => number {
  const read = fieldReader(path);
  return (situation) => Number(read(situation));
}

const KEYS = new Map<string, Missing>(
  COUNTER_KEYS.map((key) => {
    const fields = missingFields(KEY_FIELDS[key]);
    return [key, (situation) => fields(situation) ?? `${KEY_FIELDS[key].join(", ")} cannot be used`];
  }),
);

/** Why nothing can be counted under a key; null when it can. */
export function missingKey(situation: Situation, key: string): string | null {
  return situation.keys[key as CounterKey] === undefined ? (KEYS.get(key)?.(situation) ?? null) : null;
}

const currencyOf = fieldNumber("currency");
const monthOf = fieldNumber("card.expiration_month");
const yearOf = fieldNumber("card.expiration_year");
export const missingSum = missingFields(["amount", "currency"]);
const missingCode = missingFields(["currency"]);
const missingMonth = missingFields(["card.expiration_month", "card.expiration_year"]);

export function missingEur(situation: Situation): string | null {
  if (situation.eur !== null) return null;
  const missing = missingSum(situation);
  if (missing !== null) return missing;
  const code = currencyOf(situation);
  return `no EUR rate for ${currencyByNumeric(code)?.alpha ?? `currency ${code}`}`;
}

export function missingCurrency(situation: Situation): string | null {
  const missing = missingCode(situation);
  if (missing !== null) return missing;
  return currencyByNumeric(currencyOf(situation)) ? null : "currency is not in ISO 4217";
}

export function missingExpiry(situation: Situation): string | null {
  const missing = missingMonth(situation);
  if (missing !== null) return missing;
  const month = monthOf(situation);
  const year = yearOf(situation);
  return month >= 1 && month <= 12 && year >= 0 && year <= 9999 ? null : "the expiry is not a month";
}
