// Conversions of a map: what stands in a cell, in the form in which a payload has it.

import { Fault } from "#src/contract/fault.ts";
import { reduceCardNumber } from "#src/contract/fields/card-data.ts";
import { currencyOfNumber, minorAmount } from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import { localTimes, type LocalTime } from "#src/contract/text/local-time.ts";
import { shownWord } from "./request-body.ts";

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
  const read = target === "at" ? localTimes(word) : null;
  if (read !== null) return (text) => moment(read(text.trim()), word);
  const known: Readonly<Record<string, string>> = {
    amount: "major (57.16) and major-comma (57,16), and ",
    at: "the names of zones such as Europe/Kyiv, and ",
  };
  throw new Fault(
    "usage",
    `"${shownWord(word)}" is no conversion to ${target}; there are ${known[target] ?? ""}lists of values such as 1=fraud,0=good.`,
  );
}

/** `1=fraud,0=good,*=good`: the value of a cell, and what it means; `*` any other, and nothing behind = leaves the field out. */
function byWords(target: string, list: string): Convert {
  const meanings = new Map<string, string>();
  for (const pair of list.split(",")) {
    const equals = pair.lastIndexOf("=");
    if (equals < 1) {
      throw new Fault(
        "usage",
        `"${shownWord(pair)}" in the values of ${target} has no VALUE=MEANING; write for example 1=fraud,0=good.`,
      );
    }
    meanings.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  const other = meanings.get("*");
  return (text) => {
    const meaning = meanings.get(text.trim()) ?? other;
    return meaning === undefined
      ? { problem: `${target} has a value that the map does not name; add it, or *= for all others.` }
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

function moment(read: LocalTime, zone: string): ReturnType<Convert> {
  if ("at" in read) return { text: new Date(read.at).toISOString() };
  const problems = {
    unreadable: "must be a time such as 2026-03-01 12:00:00",
    skipped: `is a time that clocks in ${zone} left out when they were put forward`,
    twice: `is a time that clocks in ${zone} showed twice when they were put back; give it with its offset, such as 2026-10-25 03:30:00+02:00`,
  };
  return { problem: `at ${problems[read.problem]}.` };
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
