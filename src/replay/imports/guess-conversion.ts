// Which conversion the values of a column ask for, as far as its first values and its name tell.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { isLabel, type Label } from "#src/contract/records/label.ts";
import { bareName } from "./column-names.ts";
import { conversionOf, type NumberReading } from "./conversion.ts";
import { localTimes } from "./local-time.ts";

/** Where a count says nothing of its start. */
const START = "2026-01-01";
/** Different values that a list names. */
const MOST_VALUES = 12;
const ROW = { request: { currency: 978 }, cells: new Map<string, string>() };

const AMOUNTS = ["major", "major-comma", "major rounded", "major-comma rounded"];
const ORDERS = ["MM/DD/YYYY", "DD/MM/YYYY", "DD.MM.YYYY", "DD-MM-YYYY", "MM-DD-YYYY"];
const MEANINGS: readonly (readonly [RegExp, Label])[] = [
  // Before the others: "Non-Fraud", "not disputed".
  [/(?:^|[^a-z])(?:non?|not|un)[^a-z0-9]*(?:fraud|stolen|scam|chargeback|dispute|refund)/, "good"],
  [/^(?:1|true|yes|y)$|fraud|stolen|lost|counterfeit|scam/, "fraud"],
  [/chargeback|dispute/, "chargeback"],
  [/refund/, "refund"],
  [/^(?:0|false|no|n|ok|none)$|good|genuine|legit/, "good"],
];

export interface GuessedConversion {
  /** Null for none. */
  readonly word: string | null;
  /** What a person should look at. */
  readonly note?: string;
}

/** The values of a column, without the empty ones. */
type Values = readonly string[];

const isQuoted = (text: string): boolean => /^'.*'$/s.test(text);

/** `unquoted` where each value has quotes of its own. */
export function textConversion(values: Values): GuessedConversion {
  return { word: values.length > 0 && values.every(isQuoted) ? "unquoted" : null };
}

/** Major units, because few exports have others, and a minor one by the name of its column. */
export function amountConversion(column: string, values: Values, reading: NumberReading): GuessedConversion {
  if (/minor|cent/.test(bareName(column))) return { word: "minor" };
  // A refund below zero among them is read by none.
  const counts = new Map(AMOUNTS.map((word) => [word, countRead("amount", word, values, reading)]));
  const word = AMOUNTS.toSorted((one, other) => counts.get(other)! - counts.get(one)!)[0]!;
  if (counts.get(word) !== values.length)
    return { word, note: "has values that are no such amount; their rows are not taken." };
  if (!values.every((text) => /^\d+$/.test(text))) return { word };
  return { word, note: "has whole numbers alone, taken for whole units; amount:minor takes them for cents." };
}

/**
 * The order of dates or a count since a start; null where no form reads the values.
 * @param isStepHours what a column `step` counts: hours, else days
 */
export function timeWord(
  column: string,
  values: Values,
  reading: NumberReading,
  isStepHours: boolean,
): GuessedConversion | null {
  if (values.every((text) => "at" in localTimes("UTC")!(text))) return { word: null };
  const [order, another] = ORDERS.filter((word) => allRead("at", word, values, reading));
  if (order !== undefined)
    return another === undefined
      ? { word: order }
      : { word: order, note: `has dates that ${another} reads as well.` };
  const unit = bareName(column) !== "step" ? "seconds" : isStepHours ? "hours" : "days";
  const word = `${unit} since ${START}`;
  if (!allRead("at", word, values, reading)) return null;
  return { word, note: `is taken for a count of ${unit}, and its start ${START} is made up.` };
}

/** What stands in the rows that are not among the first, of which fraud is rare. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  "0": "1",
  "'0'": "'1'",
  false: "true",
  False: "True",
  FALSE: "TRUE",
  no: "yes",
  N: "Y",
};

/** The list of labels; null where no value says what became of a payment. */
export function labelList(column: string, values: Values): GuessedConversion | null {
  const different = [...new Set(values)];
  const [other] = different.length === 1 ? [COUNTERPARTS[different[0]!]] : [];
  if (other !== undefined) different.push(other);
  if (different.length > 0 && different.every(isLabel)) return { word: null };
  const isDispute = /dispute|chargeback/.test(bareName(column));
  const pairs = different
    .slice(0, MOST_VALUES)
    .filter((text) => !/[,=]/.test(text) && findCardData(text) === null)
    .flatMap((text) => {
      const value = text.replace(/^'(.*)'$/s, "$1").toLowerCase();
      const meaning = MEANINGS.find(([pattern]) => pattern.test(value))?.[1];
      return meaning === undefined ? [] : [`${text}=${meaning}`];
    });
  if (isDispute) return { word: [...pairs, "*=chargeback", "empty=good"].join(",") };
  if (pairs.length === 0) return null;
  const isWhole = pairs.length === different.length;
  return isWhole
    ? { word: pairs.join(",") }
    : { word: [...pairs, "*="].join(","), note: "has values that say nothing of fraud; they give no label." };
}

function countRead(target: string, word: string, values: Values, reading: NumberReading): number {
  const { convert } = conversionOf(target, word, reading);
  return values.filter((text) => "text" in convert(text, ROW)).length;
}

function allRead(target: string, word: string, values: Values, reading: NumberReading): boolean {
  return countRead(target, word, values, reading) === values.length;
}
