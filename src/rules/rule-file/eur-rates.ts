// The dated table of exchange rates in a rule file, conversion to EUR, and limits per transaction by project and currency.

import {
  COUNTRY_NUMBERS,
  CURRENCY_NUMBERS,
  currencyByNumeric,
  likelyCurrencyForCountry,
  currencyByAlpha,
} from "#src/contract/lists/currency.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import { memoize } from "#src/rules/values/memoize.ts";

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

interface Limit {
  /** Null: any project. */
  readonly projectId: string | null;
  /** ISO 4217 numeric. */
  readonly currency: number;
  /** Major units. */
  readonly limit: number;
}

export const EUR = currencyByAlpha("EUR")!.numeric;
const LINE = /^(\S+) ([A-Z]{3}) (\d{1,15}(?:\.\d{1,4})?)$/;

/**
 * The limit for a project and a currency, in major units: a line `PROJECT CURRENCY LIMIT` of this project before one of any
 * (`*`), one of this currency before the one of EUR, which is converted.
 * @param own a currency that has an EUR rate
 * @throws Error when a line cannot be read, or no line applies
 */
export function amountLimit(
  lines: readonly string[],
  project: string,
  own: number,
  rates: EurRates | null,
): number {
  let closest: Limit | null = null;
  let distance = Infinity;
  for (const limit of limitsOf(lines)) {
    const { projectId, currency } = limit;
    if (projectId !== null && projectId !== project) continue;
    if (currency !== own && currency !== EUR) continue;
    const away = (currency === own ? 0 : 2) + (projectId === null ? 1 : 0);
    if (away >= distance) continue;
    closest = limit;
    distance = away;
  }
  if (closest === null) throw new Error(`no limit for currency ${own}`);
  return closest.currency === own ? closest.limit : converted(closest.limit, own, rates);
}

function converted(eur: number, currency: number, rates: EurRates | null): number {
  return eur * (rates?.byCurrency.get(currency)?.unitsPerEur ?? NaN);
}

const limitsOf = memoize((lines: readonly string[]): readonly Limit[] =>
  lines.map((line) => {
    const [, project = "", currency = "", limit = ""] = LINE.exec(line) ?? [];
    const code = currencyByAlpha(currency)?.numeric;
    if (code === undefined) throw new Error(`"${line}" is not a limit such as "* UAH 490000"`);
    return { projectId: project === "*" ? null : project, currency: code, limit: Number(limit) };
  }),
);
