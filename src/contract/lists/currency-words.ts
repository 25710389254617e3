// Currency numbers in words, for hints and messages: as a currency, as a country, and what was probably meant.

import {
  countryByAlpha,
  countryByNumeric,
  currencyByAlpha,
  currencyByNumeric,
  currencyOfNumber,
  likelyCurrencyForCountry,
  type Currency,
} from "./currency.ts";

/** Reads the letters of a currency, such as `UAH`, as its number; null when they are none. */
export function readCurrency(text: string): number | null {
  return currencyByAlpha(text)?.numeric ?? null;
}

/** Letters of a number: of the currency, or of a country that is no currency as well; null for a number that is neither. */
export function currencyLetters(numeric: number): string | null {
  return currencyByNumeric(numeric)?.alpha ?? countryByNumeric(numeric)?.alpha ?? null;
}

/** Reads the letters of a country, such as `UA`, as its number; null when they are none. */
export function readCountry(text: string): number | null {
  return countryByAlpha(text.toUpperCase())?.numeric ?? null;
}

/** A country and its currency: `Ukraine: UAH, 2 decimals`; null for a number that is no country. */
export function countryWords(numeric: number): string | null {
  const country = countryByNumeric(numeric);
  if (country === undefined) return null;
  const currency = currencyOfNumber(numeric, "iso-3166-1");
  if (currency !== undefined) return `${country.name}: ${withDecimals(currency)}`;
  const several = country.currencies.join(" or ");
  return `${country.name}: ${several === "" ? "no currency" : `no single currency, but ${several}`}`;
}

/** What a number that is no country may be: `980 is the currency UAH`. */
export function notCountryText(numeric: number): string {
  const currency = currencyByNumeric(numeric);
  const example = "use for example 804 for Ukraine";
  return currency === undefined
    ? example
    : `${threeDigits(numeric)} is the currency ${currency.alpha}; ${example}`;
}

/** A currency and its decimals: `UAH, 2 decimals`; null for a number that is no currency. */
export function currencyDecimals(numeric: number): string | null {
  const currency = currencyByNumeric(numeric);
  return currency === undefined ? null : withDecimals(currency);
}

/** A currency with its name behind its decimals: `UAH, 2 decimals, Hryvnia`; null for a number that is no currency. */
export function currencyWords(numeric: number): string | null {
  const currency = currencyByNumeric(numeric);
  return currency === undefined ? null : `${withDecimals(currency)}, ${currency.name}`;
}

/**
 * Both readings of a number, because the spec states ISO 3166-1 for a currency (spec 2.5):
 * `EUR, 2 decimals; no country has 978`, `AUD, 2 decimals; as a country 036 is Australia`.
 */
export function bothReadings(numeric: number): string {
  const currency = currencyDecimals(numeric) ?? "no currency";
  const country = countryByNumeric(numeric);
  const number = threeDigits(numeric);
  return country === undefined
    ? `${currency}; no country has ${number}`
    : `${currency}; as a country ${number} is ${country.name}`;
}

/** The next step after a number that is no currency: `804 is Ukraine, whose currency UAH is 980`. */
export function likelyCurrencyText(numeric: number): string {
  const likely = likelyCurrencyForCountry(numeric);
  const country = countryByNumeric(numeric);
  if (likely === undefined || country === undefined) return "use for example 980 for UAH or 978 for EUR";
  return `${threeDigits(numeric)} is ${country.name}, whose currency ${likely.alpha} is ${threeDigits(likely.numeric)}`;
}

function withDecimals({ alpha, minorUnits }: Currency): string {
  if (minorUnits === null) return `${alpha}, no minor unit`;
  return `${alpha}, ${minorUnits} decimal${minorUnits === 1 ? "" : "s"}`;
}

function threeDigits(numeric: number): string {
  return String(numeric).padStart(3, "0");
}
