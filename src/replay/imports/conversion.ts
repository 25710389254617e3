// Conversions of a map: what stands in a cell, in the form in which a payload has it.

import { usage, whole } from "#src/contract/fault.ts";
import { reduceCardNumber } from "#src/contract/fields/card-data.ts";
import { currencyOfNumber, minorAmount } from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import { localTimes } from "#src/replay/imports/local-time.ts";
import { shownWord } from "./request-body.ts";

/** `DD.MM.YYYY Europe/Kyiv`: the order and the mark of a date, and a zone. */
const ORDER = /^(DD|MM)([./-])(?!\1)(?:DD|MM)\2YYYY(?: (.+))?$/;
const ORDERED_DATE = /^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:,? (.+))?$/;

export const UNREADABLE_TIME =
  "at must be a time such as 2026-03-01 12:00:00; at:DD.MM.YYYY or at:MM/DD/YYYY reads dates of another order.";

/** How the profile's service reads numbers. */
export interface NumberReading {
  readonly numbering: CurrencyNumbering | undefined;
  readonly unit: AmountUnit;
}

/**
 * @param request what the row has become so far; of it, `currency`
 * @returns the text to be read as the field's value, empty to leave the field out; or one sentence that repeats no value
 */
export type Convert = (
  text: string,
  request: Readonly<Record<string, unknown>>,
) => { readonly text: string } | { readonly problem: string };

/**
 * The conversion behind the colon of `FIELD:CONVERSION`.
 * @throws Fault("usage") for one that the field does not have
 */
export function conversionOf(target: string, word: string, reading: NumberReading): Convert {
  if (word.includes("=")) return byWords(target, word);
  if (target === "amount" && (word === "major" || word === "major-comma"))
    return fromMajor(reading, word === "major" ? "." : ",");
  const fromTimes = target === "at" ? fromTime(word) : null;
  if (fromTimes !== null) return fromTimes;
  const known: Readonly<Record<string, string>> = {
    amount: "major (57.16) and major-comma (57,16), and ",
    at: "the names of zones such as Europe/Kyiv, orders of dates such as DD.MM.YYYY, and ",
  };
  throw usage`"${shownWord(word)}" is no conversion to ${target}; there are ${whole(known[target] ?? "")}lists of values such as 1=fraud,0=good.`;
}

/** `1=fraud,0=good,*=good`: the value of a cell, and what it means; `*` any other, `*=*` any other as it is, and nothing behind = leaves the field out. */
function byWords(target: string, list: string): Convert {
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
  return (text) => {
    const meaning = meanings.get(text.trim()) ?? (other === "*" ? text : other);
    return meaning === undefined
      ? {
          problem: `${target} has a value that the map does not name; add it, or *=* to keep all others as they are, or *= to leave them out.`,
        }
      : { text: meaning };
  };
}

function fromMajor({ numbering = "iso-4217", unit }: NumberReading, mark: "." | ","): Convert {
  const example = mark === "." ? "57.16" : "57,16";
  return (text, request) => {
    const { currency } = request;
    const known = typeof currency === "number" ? currencyOfNumber(currency, numbering) : undefined;
    if (known === undefined || known.minorUnits === null) {
      return {
        problem:
          "amount in major units needs a currency with decimals in the same row; map a column to currency, or add --set currency=EUR.",
      };
    }
    const decimals = unit === "major" ? 0 : known.minorUnits;
    const amount = minorAmount(text, decimals, mark);
    return amount === null
      ? {
          problem: `amount must be written such as ${example}, with no sign and at most ${decimals} decimals for ${known.alpha}.`,
        }
      : { text: String(amount) };
  };
}

/** A zone, an order of dates, or both; null for another word. */
function fromTime(word: string): Convert | null {
  const [, first, mark, zone = first === undefined ? word : "UTC"] = ORDER.exec(word) ?? [];
  const read = localTimes(zone);
  if (read === null) return null;
  const problems = {
    unreadable:
      first === undefined
        ? UNREADABLE_TIME
        : `at must be ${word.slice(0, 10)}, with a time such as 12:00:00 behind it or none.`,
    skipped: `at is a time that clocks in ${zone} left out when they were put forward.`,
    twice: `at is a time that clocks in ${zone} showed twice when they were put back; give it with its offset, such as 2026-10-25 03:30:00+02:00.`,
  };
  return (text) => {
    const time = first === undefined ? text.trim() : withYearFirst(text.trim(), first, mark!);
    const found = read(time);
    return "at" in found ? { text: new Date(found.at).toISOString() } : { problem: problems[found.problem] };
  };
}

/** Empty for a date with other marks. */
function withYearFirst(text: string, first: string, wanted: string): string {
  const [, one = "", mark, other = "", year, time = "00:00"] = ORDERED_DATE.exec(text) ?? [];
  if (mark !== wanted) return "";
  const [month, day] = first === "MM" ? [one, other] : [other, one];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")} ${time.replace(/^\d:/, "0$&")}`;
}

/** A part of a full card number; any other text has a problem. @param column for the sentence */
export function reducing(part: "bin" | "lastFour", column: string): Convert {
  return (text) => {
    const reduced = reduceCardNumber(text);
    return reduced === null
      ? {
          problem: `"${shownWord(column)}" holds no card number of 12 to 19 digits with a valid check digit.`,
        }
      : { text: reduced[part] };
  };
}
