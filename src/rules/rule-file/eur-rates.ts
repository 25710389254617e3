// The dated table of exchange rates in a rule file, and conversion to EUR.

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

/**
 * Value of an amount in EUR.
 * @param amount in the currency's minor units
 * @returns null for a currency without a rate: unknown is not zero
 */
export function amountInEur(amount: number, currency: number, rates: EurRates | null): number | null {
  const rate = rates?.byCurrency.get(currency);
  return rate ? amount / rate.minorUnit / rate.unitsPerEur : null;
}
