// A first map for a foreign table, from the names of its columns and the values of its first rows.

import { namesCardNumber, reduceCardNumber } from "#src/contract/fields/card-data.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import { bareName, columnsByTarget, EXPIRY_COLUMN } from "./column-names.ts";
import type { NumberReading } from "./conversion.ts";
import type { Cells } from "./convert.ts";
import {
  amountConversion,
  labelList,
  textConversion,
  timeWord,
  type GuessedConversion,
} from "./guess-conversion.ts";
import { NO_WORDS, targetsOf, type ImportWords } from "./import-map.ts";
import { writtenZone } from "./local-time.ts";
import { shownWord } from "./request-body.ts";

/** So many card numbers in a column, and nothing else, are no accident. */
const SURE_NUMBERS = 5;
const ZONES = ["timezone", "createdtimezone", "zone", "tz"];
const STATES = ["status", "transactionstatus", "paymentstatus", "state"];
const PAID =
  /^(?:paid|settled|settling|submittedforsettlement|authori[sz]ed|captured|succeeded|success(?:ful)?|completed?|approved|accepted|sentforsettle)$/;
/** Fields that may need a conversion though a column has their name. */
const CONVERTED = ["amount", "at", "outcome"];

export interface GuessedMap {
  /** They name each column, mapped or ignored. */
  readonly words: ImportWords;
  /** What a person should look at, as sentences. */
  readonly notes: readonly string[];
}

/** @param rows the first ones of the table */
export function guessMap(
  columns: readonly string[],
  rows: readonly Cells[],
  reading: NumberReading,
): GuessedMap {
  const map: string[] = [];
  const notes: string[] = [];
  const valuesOf = (column: string): readonly string[] =>
    rows.flatMap((cells) => cells.get(column)?.trim() || []);
  const reducePan = columns.filter((column) => holdsCardNumbers(column, valuesOf(column)));
  const only = columns.flatMap((column) => paidAlone(column, valuesOf(column)));
  const targets = targetsOf(checkFields(reading.numbering, reading.unit));
  const used = new Set([...targets, ...reducePan, ...only.map(({ column }) => column)]);
  const found = new Set(columns.filter((column) => targets.includes(column) && !CONVERTED.includes(column)));
  const add = (column: string, target: string, { word, note }: GuessedConversion): void => {
    used.add(column);
    found.add(target);
    if (column !== target || word !== null) map.push(`${column}=${target}${word === null ? "" : `:${word}`}`);
    if (note !== undefined) notes.push(`"${shownWord(column)}" ${note}`);
  };

  const free = columns.filter((column) => !reducePan.includes(column));
  for (const [target, named] of columnsByTarget(free)) {
    const isMeant = (text: string): boolean => target !== "card.bin_card" || /^\d{6,8}$/.test(text);
    const column = named.find((name) => valuesOf(name).length > 0 && valuesOf(name).every(isMeant));
    if (column === undefined || found.has(target)) continue;
    const values = valuesOf(column);
    if (target === EXPIRY_COLUMN) {
      for (const part of ["month", "year"]) add(column, `card.expiration_${part}`, { word: "expiry" });
      continue;
    }
    const zone = target === "at" ? zoneColumn(columns, valuesOf) : null;
    const conversion =
      target === "amount"
        ? amountConversion(column, values, reading)
        : target === "at"
          ? timeWord(column, values, reading, free.some(isPayerOfSteps))
          : target === "outcome"
            ? labelList(column, values)
            : textConversion(values);
    if (conversion === null) continue;
    add(column, target, zone === null ? conversion : inZone(conversion, zone));
    if (zone !== null) used.add(zone);
  }
  for (const { note } of only) notes.push(note);
  if (!found.has("currency"))
    notes.push('No column holds a currency; add yours to "set", such as "currency=EUR".');
  if (!found.has("order_id"))
    notes.push("No column holds order ids, by which labels and reports find payments.");
  if (!found.has("at")) notes.push("No column holds a time that can be read.");
  const words = {
    ...NO_WORDS,
    map,
    set: columns.includes("operation") ? [] : ["operation=payment"],
    ignore: columns.filter((column) => !used.has(column)),
    reducePan,
    only: only.map(({ word }) => word),
  };
  return { words, notes };
}

/** Simulated mobile payments count hours. */
function isPayerOfSteps(column: string): boolean {
  return bareName(column) === "nameorig";
}

function holdsCardNumbers(column: string, values: readonly string[]): boolean {
  if (namesCardNumber(column)) return true;
  const isEnough = values.length >= SURE_NUMBERS || /card|cc|pan/i.test(column);
  return values.length > 0 && isEnough && values.every((text) => reduceCardNumber(text) !== null);
}

/** Payments that went through, where a column says so and others did not. */
function paidAlone(column: string, values: readonly string[]) {
  if (!STATES.includes(bareName(column))) return [];
  const different = [...new Set(values)];
  const paid = different.filter((text) => PAID.test(bareName(text)) && !text.includes(","));
  if (paid.length === 0 || paid.length === different.length) return [];
  const note = `Rows whose "${shownWord(column)}" is not ${paid.map(shownWord).join(" or ")} are left out.`;
  return [{ column, word: `${column}=${paid.join(",")}`, note }];
}

function zoneColumn(
  columns: readonly string[],
  valuesOf: (column: string) => readonly string[],
): string | null {
  const isZone = (column: string): boolean =>
    ZONES.includes(bareName(column)) && valuesOf(column).every((text) => writtenZone(text) !== null);
  return columns.find((column) => isZone(column) && valuesOf(column).length > 0) ?? null;
}

function inZone({ word, ...conversion }: GuessedConversion, zone: string): GuessedConversion {
  const isCounted = word?.includes(" since ") === true;
  return {
    ...conversion,
    word: isCounted ? word : [...(word === null ? [] : [word]), `zone ${zone}`].join(" "),
  };
}
