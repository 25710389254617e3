// Currencies (ISO 4217) and countries (ISO 3166-1) by number and letters, and amounts as text.

import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { groupDigits } from "#src/contract/text/group-digits.ts";
import countries from "./iso-3166.json" with { type: "json" };
import currencies from "./iso-4217.json" with { type: "json" };

/** XXX of ISO 4217: no currency is involved. */
export const NO_CURRENCY = 999;

export interface Currency {
  readonly numeric: number;
  /** three letters, e.g. `UAH` */
  readonly alpha: string;
  /** Decimals of the minor unit, 0 to 4; null where none applies (gold, test codes). */
  readonly minorUnits: number | null;
  readonly name: string;
}

export interface Country {
  readonly numeric: number;
  /** two letters, e.g. `UA` (ISO 3166-1 alpha-2) */
  readonly alpha: string;
  readonly name: string;
  /** Letters of the currencies used there, the likeliest first. */
  readonly currencies: readonly string[];
}

/** List one of ISO 4217 as published 2026-01-01: 178 entries. */
const CURRENCIES: readonly Currency[] = currencies;

/** ISO 3166-1: 249 countries. */
const COUNTRIES: readonly Country[] = countries;

/** The number of every currency, ascending. */
export const CURRENCY_NUMBERS: readonly number[] = CURRENCIES.map(({ numeric }) => numeric).sort(
  (one, other) => one - other,
);

/** The number of every country, ascending. */
export const COUNTRY_NUMBERS: readonly number[] = COUNTRIES.map(({ numeric }) => numeric).sort(
  (one, other) => one - other,
);

const BY_NUMERIC = new Map(CURRENCIES.map((currency) => [currency.numeric, currency]));
const BY_ALPHA = new Map(CURRENCIES.map((currency) => [currency.alpha, currency]));
const COUNTRY_BY_NUMERIC = new Map(COUNTRIES.map((country) => [country.numeric, country]));
const COUNTRY_BY_ALPHA = new Map(COUNTRIES.map((country) => [country.alpha, country]));

/** The currency with an ISO 4217 number, e.g. 980; undefined for none. */
export function currencyByNumeric(numeric: number): Currency | undefined {
  return BY_NUMERIC.get(numeric);
}

/** The currency with an ISO 4217 code of three letters, in any case; undefined for none. */
export function currencyByAlpha(alpha: string): Currency | undefined {
  return BY_ALPHA.get(alpha.toUpperCase());
}

/** The country with an ISO 3166-1 number, e.g. 804; undefined for none. */
export function countryByNumeric(numeric: number): Country | undefined {
  return COUNTRY_BY_NUMERIC.get(numeric);
}

/** The country with an ISO 3166-1 code of two letters, e.g. `UA`; undefined for none. */
export function countryByAlpha(alpha: string): Country | undefined {
  return COUNTRY_BY_ALPHA.get(alpha);
}

/**
 * The currency probably meant by a country number: 804 (Ukraine) gives the hryvnia, 980.
 * @returns undefined for a number that is a currency, and for one that is neither
 */
export function likelyCurrencyForCountry(numeric: number): Currency | undefined {
  if (BY_NUMERIC.has(numeric)) return undefined;
  const alpha = COUNTRY_BY_NUMERIC.get(numeric)?.currencies[0];
  return alpha === undefined ? undefined : BY_ALPHA.get(alpha);
}

/**
 * The currency of a number under a profile's numbering.
 * @returns undefined for an unknown number, and for a country that has no currency or several
 */
export function currencyOfNumber(numeric: number, numbering: CurrencyNumbering): Currency | undefined {
  if (numbering === "iso-4217") return BY_NUMERIC.get(numeric);
  const [alpha, other] = COUNTRY_BY_NUMERIC.get(numeric)?.currencies ?? [];
  return alpha === undefined || other !== undefined ? undefined : BY_ALPHA.get(alpha);
}

/** Decimals of a currency's minor unit; null where none applies or the number is no currency. */
export function minorUnits(numeric: number): number | null {
  return BY_NUMERIC.get(numeric)?.minorUnits ?? null;
}

/**
 * An amount in minor units as people write it: `120.00 UAH`, `2 400.00 EUR`, `12 000 JPY`. Exact: a sum beyond 2^53-1 is a bigint.
 * @returns null for an amount that is no safe integer and for a number that is no currency
 */
export function moneyText(amount: number | bigint, numeric: number): string | null {
  const currency = BY_NUMERIC.get(numeric);
  if (currency === undefined || (typeof amount === "number" && !Number.isSafeInteger(amount))) return null;
  const decimals = currency.minorUnits ?? 0;
  const digits = String(amount < 0 ? -amount : amount).padStart(decimals + 1, "0");
  const whole = groupDigits(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${amount < 0 ? "-" : ""}${whole}${fraction} ${currency.alpha}`;
}

/** Digits, alone or in groups of three; a decimal mark and digits. */
const MAJOR = {
  ".": /^(\d{1,3}(?:[, \u00a0\u202f'\u2019]\d{3})+|\d+)(?:\.(\d+))?$/,
  ",": /^(\d{1,3}(?:[. \u00a0\u202f'\u2019]\d{3})+|\d+)(?:,(\d+))?$/,
};

/**
 * An amount in major units in minor ones, digit by digit: `57.16` is 5716 with two decimals, `1,234.5` is 123450.
 * @param decimals of the currency
 * @param mark between units and decimals; the other one may group the digits
 * @param further what becomes of decimals behind those: they must be zeros, or are rounded, from five up
 * @returns null for what is no such amount, has more decimals, or is beyond 2^53-1
 */
export function minorAmount(
  text: string,
  decimals: number,
  mark: keyof typeof MAJOR = ".",
  further: "zeros" | "round" = "zeros",
): number | null {
  const [, whole, fraction = ""] = MAJOR[mark].exec(text.trim()) ?? [];
  const rest = fraction.slice(decimals);
  if (whole === undefined || (further === "zeros" && /[^0]/.test(rest))) return null;
  const digits = whole.replaceAll(/\D/g, "") + fraction.slice(0, decimals).padEnd(decimals, "0");
  const amount = Number(digits) + (rest >= "5" ? 1 : 0);
  return Number.isSafeInteger(amount) ? amount : null;
}

/** `1e+05` as programs write large and small numbers, in digits: `100000`; any other text, or with another mark, as it is. */
export function withoutExponent(text: string, mark: keyof typeof MAJOR): string {
  const [, whole = "", given = mark, fraction = "", exponent] =
    /^(\d+)(?:([.,])(\d+))?[eE]([+-]?\d\d?)$/.exec(text.trim()) ?? [];
  if (exponent === undefined || given !== mark) return text;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length + Math.max(0, 1 - point), "0");
  const at = Math.max(point, 1);
  return `${digits.slice(0, at).padEnd(at, "0")}${mark}${digits.slice(at) || "0"}`;
}
