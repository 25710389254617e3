// Currency and country numbers in words, for hints and messages.

import {
  countryByAlpha,
  countryByNumeric,
  currencyByAlpha,
  currencyByNumeric,
  currencyOfNumber,
  likelyCurrencyForCountry,
  type Currency,
} from "./currency.ts";
import { formerCurrency, type FormerCurrency } from "./former-currencies.ts";

/** The number of a currency by its letters, such as `UAH`; null for others. */
export function readCurrency(text: string): number | null {
  return currencyByAlpha(text)?.numeric ?? null;
}

const LETTERS = /^[a-z]{3}$/i;

/** Why three letters are no currency: `names BGN, which EUR (978) replaced on 2026-01-01; its number was 975`; null for another text. */
export function unreadCurrency(text: string): string | null {
  if (!LETTERS.test(text)) return null;
  const former = formerCurrency(text.toUpperCase());
  return former === undefined
    ? "has three letters that are no currency of ISO 4217; use for example UAH or 980"
    : `names ${former.alpha}, which ${replacement(former)}; its number was ${threeDigits(former.numeric)}`;
}

function replacement({ replacedBy, on }: FormerCurrency): string {
  return `${replacedBy} (${threeDigits(currencyByAlpha(replacedBy)!.numeric)}) replaced on ${on}`;
}

/** Letters of a currency number, else of a country number; null for a number that is neither. */
export function currencyLetters(numeric: number): string | null {
  return currencyByNumeric(numeric)?.alpha ?? countryByNumeric(numeric)?.alpha ?? null;
}

/**
 * The number of a country by its letters, such as `UA`, or by those of its currency, such as `UAH`, which begin with them
 * (ISO 4217); null for others, and for a currency of several countries, such as EUR.
 */
export function readCountry(text: string): number | null {
  const letters = text.toUpperCase();
  return (
    countryByAlpha(currencyByAlpha(letters) === undefined ? letters : letters.slice(0, 2))?.numeric ?? null
  );
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

/** The next step after a number that is no country: `980 is the currency UAH; use ...`. */
export function notCountryText(numeric: number): string {
  const currency = currencyByNumeric(numeric);
  const example = "use for example 804 for Ukraine";
  return currency === undefined
    ? example
    : `${threeDigits(numeric)} is the currency ${currency.alpha}; ${example}`;
}

/** A currency with its name behind its decimals: `UAH, 2 decimals, Hryvnia`; null for a number that is no currency. */
export function currencyWords(numeric: number): string | null {
  const currency = currencyByNumeric(numeric);
  return currency === undefined ? null : `${withDecimals(currency)}, ${currency.name}`;
}

/**
 * Both readings of a number, because the spec states ISO 3166-1 for a currency (spec 2.5):
 * `EUR, 2 decimals`, `AUD, 2 decimals; as a country 036 is Australia`.
 */
export function bothReadings(numeric: number): string {
  const currency = currencyByNumeric(numeric);
  const asCurrency = currency === undefined ? "no currency" : withDecimals(currency);
  const country = countryByNumeric(numeric);
  return country === undefined
    ? asCurrency
    : `${asCurrency}; as a country ${threeDigits(numeric)} is ${country.name}`;
}

/** The next step after a number that is no currency: `804 is Ukraine, whose currency UAH is 980`. */
export function likelyCurrencyText(numeric: number): string {
  const former = formerCurrency(numeric);
  if (former !== undefined)
    return `${threeDigits(numeric)} was ${former.alpha}, which ${replacement(former)}`;
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
