// Conversions of a map: what stands in a cell, in the form in which a payload has it.

import { usage, whole } from "#src/contract/fault.ts";
import { reduceCardNumber } from "#src/contract/fields/card-data.ts";
import { currencyOfNumber, minorAmount, withoutExponent } from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { Conversion, Convert } from "./convert.ts";
import { shownWord } from "./request-body.ts";
import { timeConversion } from "./time-conversion.ts";

/** How the profile's service reads numbers. */
export interface NumberReading {
  readonly numbering: CurrencyNumbering | undefined;
  readonly unit: AmountUnit;
}

const MAJOR = /^major(-comma)?( rounded)?$/;
const EXPIRY = "expiry (06/2027, 2027-06 or 0627), ";
const KNOWN: Readonly<Record<string, string>> = {
  amount: "major (57.16), major-comma (57,16), major rounded (37.098 as 37.10), minor, ",
  at: "the names of zones such as Europe/Kyiv, zone COLUMN, orders of dates such as DD.MM.YYYY, counts such as hours since 2026-01-01, ",
  "card.expiration_month": EXPIRY,
  "card.expiration_year": EXPIRY,
};

/**
 * The conversion behind the colon of `FIELD:CONVERSION`.
 * @throws Fault("usage") for one that the field does not have
 */
export function conversionOf(target: string, word: string, reading: NumberReading): Conversion {
  const time = target === "at" ? timeConversion(word) : null;
  if (time !== null) return time;
  if (word.includes("=")) return byWords(target, word);
  if (word === "unquoted") return { convert: unquoted };
  const [isMajor, comma, rounded] = MAJOR.exec(word) ?? [];
  if (target === "amount" && isMajor !== undefined)
    return { convert: fromMajor(reading, comma === undefined ? "." : ",", rounded !== undefined) };
  if (target === "amount" && word === "minor") return { convert: (text) => ({ text }) };
  if (word === "expiry" && KNOWN[target] === EXPIRY)
    return { convert: fromExpiry(target === "card.expiration_month" ? "month" : "year") };
  throw usage`"${shownWord(word)}" is no conversion to ${target}; there are ${whole(KNOWN[target] ?? "")}unquoted, and lists of values such as 1=fraud,0=good.`;
}

/**
 * `1=fraud,0=good,*=good`: the value of a cell, and what it means; `*` any other, `*=*` any other as it is, `empty` an empty cell,
 * and nothing behind = leaves the field out.
 */
function byWords(target: string, list: string): Conversion {
  const meanings = new Map<string, string>();
  for (const pair of list.split(",")) {
    const equals = pair.lastIndexOf("=");
    const value = pair.slice(0, Math.max(0, equals)).trim();
    if (equals < 1 || meanings.has(value)) {
      const problem = equals < 1 ? "has no VALUE=MEANING" : "gives a value a second meaning";
      throw usage`"${shownWord(pair)}" in the values of ${target} ${whole(problem)}; write for example 1=fraud,0=good.`;
    }
    meanings.set(value, pair.slice(equals + 1).trim());
  }
  const other = meanings.get("*");
  const empty = meanings.get("empty") ?? "";
  return {
    empty,
    convert(text) {
      const value = text.trim();
      const meaning = value === "" ? empty : (meanings.get(value) ?? (other === "*" ? text : other));
      return meaning === undefined
        ? {
            problem: `${target} has a value that the map does not name; add it, or *=* to keep all others as they are, or *= to leave them out.`,
          }
        : { text: meaning };
    },
  };
}

/** A text in quotes of its own, such as `'M348934600'`, without them. */
const unquoted: Convert = (text) => ({ text: text.trim().replace(/^(['"])(.*)\1$/s, "$2") });

function fromMajor(
  { numbering = "iso-4217", unit }: NumberReading,
  mark: "." | ",",
  isRounded: boolean,
): Convert {
  const example = mark === "." ? "57.16" : "57,16";
  return (text, { request: { currency } }) => {
    const known = typeof currency === "number" ? currencyOfNumber(currency, numbering) : undefined;
    if (known === undefined || known.minorUnits === null) {
      return {
        problem:
          "amount in major units needs a currency with decimals in the same row; map a column to currency, or add --set currency=EUR.",
      };
    }
    const decimals = unit === "major" ? 0 : known.minorUnits;
    const amount = isRounded
      ? minorAmount(withoutExponent(text, mark), decimals, mark, "round")
      : minorAmount(text, decimals, mark);
    if (amount !== null) return { text: String(amount) };
    const hint = isRounded
      ? "."
      : ` and at most ${decimals} decimals for ${known.alpha}; "rounded" behind the conversion rounds further ones and reads 1e3.`;
    return { problem: `amount must be written such as ${example}, with no sign${hint}` };
  };
}

/** Two numbers with a mark between them, or without where one has two digits, and both the month and the year have them all. */
const EXPIRIES = [
  /^(\d{1,2}|\d{4})\s*[/.-]\s*(\d{1,2}|\d{4})$/,
  /^(20\d\d)(0[1-9]|1[0-2])$/,
  /^(\d\d)(\d\d|20\d\d)$/,
];

/** The month or the year of `06/2027`, `2027-06`, `6/27` or `0627`, whichever of its two numbers can be the month. */
function fromExpiry(part: "month" | "year"): Convert {
  return (text) => {
    const [, one = "", other = ""] = EXPIRIES.map((form) => form.exec(text.trim())).find(Boolean) ?? [];
    const isRead = (month: string, year: string): boolean =>
      month.length <= 2 && Number(month) >= 1 && Number(month) <= 12 && year.length > 1;
    const [first, last] = [isRead(one, other), isRead(other, one)];
    if (first !== last) return { text: first === (part === "month") ? one : other };
    const why = first ? ", and either number could be the month; write the year with four digits" : "";
    return {
      problem: `card.expiration_${part} must be a month and a year such as 06/2027, 2027-06 or 0627${why}.`,
    };
  };
}

/**
 * A part of a full card number; any other text has a problem. A BIN that begins with 0 is left out, because a service is sent an
 * integer of six digits.
 * @param column for the sentence
 */
export function reducing(part: "bin" | "lastFour", column: string): Conversion {
  return {
    convert(text) {
      const reduced = reduceCardNumber(text);
      if (reduced === null) {
        return {
          problem: `"${shownWord(column)}" holds no card number of 12 to 19 digits with a valid check digit.`,
        };
      }
      return { text: part === "bin" && reduced.bin.startsWith("0") ? "" : reduced[part] };
    },
  };
}
