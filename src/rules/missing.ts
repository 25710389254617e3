// Why a rule cannot be evaluated: missing fields, unusable keys and missing data, in words.

import { currencyByNumeric } from "#src/contract/currency.ts";
import { KEY_FIELDS, isCounterKey, type CounterKey } from "./counter-keys.ts";
import { fieldValue, type Situation } from "./situation.ts";

/** Reasons that hold for every attempt, because nothing provides the data: they say nothing about the attempt at hand. */
export const NO_IP_COUNTRY = "nothing tells the country of an IP address here";

/** Which of the fields are missing, as one reason; null when all are there. */
export function missingFields(situation: Situation, fields: readonly string[]): string | null {
  let missing: string[] | null = null;
  for (const field of fields) if (fieldValue(situation, field) === undefined) (missing ??= []).push(field);
  return missing && `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`;
}

/** Why nothing can be counted under a key; null when it can. */
export function missingKey(situation: Situation, key: string): string | null {
  if (situation.keys[key as CounterKey] !== undefined || !isCounterKey(key)) return null;
  return missingFields(situation, KEY_FIELDS[key]) ?? `${KEY_FIELDS[key].join(", ")} cannot be used`;
}

export function missingEur(situation: Situation): string | null {
  if (situation.eur !== null) return null;
  const missing = missingFields(situation, ["amount", "currency"]);
  if (missing !== null) return missing;
  const code = fieldNumber(situation, "currency");
  return `no EUR rate for ${currencyByNumeric(code)?.alpha ?? `currency ${code}`}`;
}

export function missingCurrency(situation: Situation): string | null {
  const missing = missingFields(situation, ["currency"]);
  if (missing !== null) return missing;
  return currencyByNumeric(fieldNumber(situation, "currency")) ? null : "currency is not in ISO 4217";
}

export function missingExpiry(situation: Situation): string | null {
  const missing = missingFields(situation, ["card.expiration_month", "card.expiration_year"]);
  if (missing !== null) return missing;
  const month = fieldNumber(situation, "card.expiration_month");
  const year = fieldNumber(situation, "card.expiration_year");
  return month >= 1 && month <= 12 && year >= 0 && year <= 9999 ? null : "the expiry is not a month";
}

/** A whole-number field that is there. */
export function fieldNumber(situation: Situation, field: string): number {
  return Number(fieldValue(situation, field));
}
