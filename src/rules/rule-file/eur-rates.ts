// The dated table of exchange rates in a rule file, and conversion to EUR.

import {
  COUNTRY_NUMBERS,
  CURRENCY_NUMBERS,
  currencyByNumeric,
  likelyCurrencyForCountry,
} from "#src/contract/lists/currency.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";

/** A currency in the table: its minor units in one major unit, e.g. 100, and `unitsPerEur` in major ones, e.g. 48.8 for UAH. */
interface Rate {
  readonly minorUnit: number;
  readonly unitsPerEur: number;
}

export interface EurRates {
  /** Day of the rates, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** By ISO 4217 numeric code. */
  readonly byCurrency: ReadonlyMap<number, Rate>;
}

/** EUR in one unit of an amount, by every number that profiles use for a currency with a rate. @param unit of the amounts */
export function eurPerUnit(rates: EurRates | null, unit: AmountUnit): ReadonlyMap<number, number> {
  const byNumber = new Map<number, number>();
  for (const number of [...CURRENCY_NUMBERS, ...COUNTRY_NUMBERS]) {
    const currency = currencyByNumeric(number) ?? likelyCurrencyForCountry(number);
    const rate = currency === undefined ? undefined : rates?.byCurrency.get(currency.numeric);
    if (rate !== undefined)
      byNumber.set(number, 1 / rate.unitsPerEur / (unit === "minor" ? rate.minorUnit : 1));
  }
  return byNumber;
}

/**
 * Value of an amount in EUR.
 * @param amount in the currency's minor units
 * @returns null for a currency without a rate: unknown is not zero
 */
export function amountInEur(amount: number, currency: number, rates: EurRates | null): number | null {
  const rate = rates?.byCurrency.get(currency);
  return rate ? amount / rate.minorUnit / rate.unitsPerEur : null;
}
