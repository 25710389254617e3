// The map of an import: rows of a foreign table become payloads in envelopes, column by column.

import { Fault } from "#src/contract/fault.ts";
import { findCardData, namesCardNumber } from "#src/contract/fields/card-data.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { readChange } from "#src/contract/fields/payload.ts";
import type { ImportWords } from "#src/contract/records/import-map.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { ENVELOPE_COLUMNS, isCardColumn, readTags, setField } from "#src/replay/sources/source-csv.ts";
import { guessOf } from "./column-guess.ts";
import { conversionOf, reducing, type Convert, type NumberReading } from "./conversion.ts";

/** Columns that one sentence names. */
const MOST = 100;

type Cells = ReadonlyMap<string, string>;

/** What gives one field its value. */
export interface Assignment {
  /** Columns that it reads. */
  readonly columns: readonly string[];
  /** Undefined or empty leaves the field out. */
  text(cells: Cells): string | undefined;
  readonly target: string;
  readonly convert: Convert | null;
  /** True where the text is a full card number, of which the conversion keeps what may be kept. */
  readonly reduces?: true;
}

export interface ImportMap {
  readonly words: ImportWords;
  readonly fields: readonly Field[];
  readonly assignments: readonly Assignment[];
  /** The constants of every payment, which count more than columns. */
  readonly constants: readonly Assignment[];
  /** True where columns with the name of a field map themselves. */
  readonly mapsKnown: boolean;
}

/** A map for the columns of one file. */
export interface BoundMap {
  /** An envelope that is not validated yet, or one sentence on why there is none. */
  convert(cells: Cells): { readonly envelope: Record<string, unknown> } | { readonly problem: string };
}

/**
 * Reads the words of a map.
 * @param template what the fields are when a template says it, in place of the map
 * @throws Fault("usage") for a word that cannot be read
 */
export function readMap(
  words: ImportWords,
  reading: NumberReading,
  template: readonly Assignment[] | null = null,
): ImportMap {
  const fields = checkFields(reading.numbering, reading.unit);
  return {
    words,
    fields,
    assignments: template ?? words.map.map((word) => readWord(word, fields, reading)),
    constants: words.set.map((word) => {
      const { path, value } = readChange(word, fields);
      return { columns: [], text: () => String(value), target: path, convert: null };
    }),
    mapsKnown: template === null,
  };
}

/** Fields of an envelope, then of a check. */
export function targetsOf(fields: readonly Field[]): readonly string[] {
  return [...ENVELOPE_COLUMNS, ...fields.map(({ path }) => path)];
}

/** `COLUMN=FIELD:CONVERSION`; a column may hold = and :, because only a known field ends it. */
function readWord(word: string, fields: readonly Field[], reading: NumberReading): Assignment {
  const targets = targetsOf(fields);
  const known = targets.map((target) => target.replaceAll(".", "\\.")).join("|");
  const found = new RegExp(`^(.+?)\\s*=\\s*(${known})(?::(.+))?$`, "s").exec(word);
  if (found === null) {
    throw new Fault(
      "usage",
      `--map takes COLUMN=FIELD or COLUMN=FIELD:CONVERSION, such as "Card BIN=card.bin_card" or "Total=amount:major", and cannot read "${escapeText(word, 80)}"; the fields are ${targets.join(", ")}.`,
    );
  }
  const [, column = "", target = "", conversion] = found;
  const name = column.trim();
  return {
    columns: [name],
    text: (cells) => cells.get(name),
    target,
    convert: conversion === undefined ? null : conversionOf(target, conversion.trim(), reading),
  };
}

/**
 * Fits a map to the columns of a file.
 * @param label of the file, escaped
 * @param areAll false for JSON, whose later objects may have further columns
 * @throws Fault("usage") for columns that the map and the file do not agree on, and for columns of card data
 */
export function bindMap(
  map: ImportMap,
  columns: readonly string[],
  label: string,
  areAll: boolean,
): BoundMap {
  const { words, fields } = map;
  const isLeftOut = (column: string): boolean =>
    column === "$schema" || words.ignore.some((name) => column === name || column.startsWith(`${name}.`));
  const reduced = words.reducePan.flatMap((word) => {
    const mapped = map.assignments.filter(({ target }) => target === word).flatMap((each) => each.columns);
    return columns.includes(word) || mapped.length === 0 ? [word] : mapped;
  });
  const named = map.assignments.filter((each) => !each.columns.some((column) => reduced.includes(column)));
  const parts = reduced.flatMap((column) => reductionOf(column));
  const mapped = new Set([...named, ...parts].flatMap((each) => each.columns));
  requireColumns([...mapped], columns, label);

  const byPath = new Map(fields.map((field) => [field.path, field]));
  const targetOf = (column: string): string | undefined => {
    const name = column.replace(/^request\./, "");
    return map.mapsKnown && (byPath.has(name) || isEnvelopeColumn(column)) ? name : undefined;
  };
  const given = [...map.constants, ...named, ...parts];
  const isGiven = (target: string | undefined): boolean => given.some((each) => each.target === target);
  const unknown: string[] = [];
  const own: Assignment[] = [];
  const seen = new Set<string>();
  for (const column of columns) {
    if (isCardColumn(column) && !(reduced.includes(column) && namesCardNumber(lastName(column))))
      throw cardColumn(column, label);
    if (!mapped.has(column) && isLeftOut(column)) continue;
    if (seen.has(column))
      throw new Fault("usage", `${label}: the column ${shown(column)} stands there twice; take one out.`);
    seen.add(column);
    if (mapped.has(column)) continue;
    const target = targetOf(column);
    if (target === undefined) {
      if (!words.ignoreOthers) unknown.push(column);
    } else if (areAll || isGiven(target)) own.push(columnTo(column, target));
  }
  if (unknown.length > 0) throw new Fault("usage", unknownColumns(unknown, label, map.mapsKnown));
  // Any object of JSON may have any known field, in an envelope or not.
  const names = areAll || !map.mapsKnown ? [] : targetsOf(fields).filter((target) => !isGiven(target));
  own.push(...names.filter((target) => !isLeftOut(target)).map(knownTo));

  const fixed = new Set(map.constants.map(({ target }) => target));
  const assignments = [
    ...map.constants,
    ...[...own, ...named, ...parts].filter(({ target }) => !fixed.has(target)),
  ];
  requireSingle(assignments, label);
  // An amount in major units is read by the currency of its row.
  const isLast = ({ target, convert }: Assignment): boolean => target === "amount" && convert !== null;
  const ordered = [...assignments.filter((each) => !isLast(each)), ...assignments.filter(isLast)];
  const known = new Set([...columns, ...names, ...names.map((name) => `request.${name}`)]);
  return {
    convert(cells) {
      if (!areAll) {
        for (const column of cells.keys()) {
          if (known.has(column) || words.ignoreOthers || isLeftOut(column)) continue;
          if (isCardColumn(column)) return { problem: CARD_KEY };
          return {
            problem: `It has ${shown(column)}, which the objects before it had not; map it, or add it to --ignore.`,
          };
        }
      }
      return envelopeOf(cells, ordered, byPath);
    },
  };
}

function envelopeOf(
  cells: Cells,
  assignments: readonly Assignment[],
  fields: ReadonlyMap<string, Field>,
): ReturnType<BoundMap["convert"]> {
  const request: Record<string, unknown> = {};
  const tags: string[] = [];
  const envelope: Record<string, unknown> = { request, tags };
  for (const { target, convert, ...assignment } of assignments) {
    let text = assignment.text(cells) ?? "";
    // The payload is searched as well, but not its amount, which any number fits.
    if (!assignment.reduces && !isPhone(target) && findCardData(text) !== null)
      return { problem: cardNumber(assignment) };
    if (convert !== null && text !== "") {
      const converted = convert(text, request);
      if ("problem" in converted) return converted;
      ({ text } = converted);
    }
    if (text === "") continue;
    const field = fields.get(target);
    if (target === "tags") tags.push(...readTags(text));
    else if (field === undefined) envelope[target] = target === "name" ? text : text.trim();
    else {
      const problem = setField(request, field, text);
      if (problem !== null) return { problem };
    }
  }
  return { envelope };
}

function columnTo(column: string, target: string): Assignment {
  return { columns: [column], text: (cells) => cells.get(column), target, convert: null };
}

function knownTo(target: string): Assignment {
  const text = (cells: Cells): string | undefined => cells.get(target) ?? cells.get(`request.${target}`);
  return { columns: [target], text, target, convert: null };
}

function isEnvelopeColumn(column: string): boolean {
  return ENVELOPE_COLUMNS.some((name) => name === column);
}

function isPhone(target: string): boolean {
  return target === "payer.number_phone";
}

function cardNumber({ columns }: Pick<Assignment, "columns">): string {
  return `${list(columns)} holds a full card number, which never belongs here; --reduce-pan keeps BIN and last four of a column alone.`;
}

/** A column of full card numbers as BIN and last four. */
function reductionOf(column: string): readonly Assignment[] {
  return [
    { ...columnTo(column, "card.bin_card"), convert: reducing("bin", column), reduces: true },
    { ...columnTo(column, "card.cin_card"), convert: reducing("lastFour", column), reduces: true },
  ];
}

function requireColumns(wanted: readonly string[], columns: readonly string[], label: string): void {
  const missing = wanted.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw new Fault(
    "usage",
    `${label} has no ${missing.length === 1 ? "column" : "columns"} ${list(missing)}, which the map names; it has ${list(columns)}.`,
  );
}

function requireSingle(assignments: readonly Assignment[], label: string): void {
  const seen = new Map<string, Assignment>();
  for (const assignment of assignments) {
    const before = seen.get(assignment.target);
    if (before !== undefined && assignment.target !== "tags") {
      throw new Fault(
        "usage",
        `${label}: ${list([...before.columns, ...assignment.columns])} would both become ${assignment.target}; leave one out with --ignore, or map it to tags.`,
      );
    }
    seen.set(assignment.target, assignment);
  }
}

const CARD_KEY =
  "It has a key for card numbers or card verification data, which never belong here; remove it.";

function cardColumn(column: string, label: string): Fault {
  const number = namesCardNumber(lastName(column));
  return new Fault(
    "bad_input",
    number
      ? `${label}: the column ${shown(column)} is for full card numbers, which never belong here; take it out, or keep BIN and last four alone with --reduce-pan ${shown(column)}.`
      : `${label}: a column is for card verification data or has a card number as its name, and neither is ever read; take it out of the file.`,
  );
}

function lastName(column: string): string {
  return column.split(".").at(-1)!;
}

/** All of them, each with the field that it looks like; of more than a hundred, the first. */
function unknownColumns(unknown: readonly string[], label: string, mayMap: boolean): string {
  const guesses = unknown.slice(0, MOST).map((column) => [column, mayMap ? guessOf(column) : null] as const);
  const said = guesses.map(
    ([column, guess]) => shown(column) + (guess === null ? "" : ` (looks like ${guess})`),
  );
  const [s, them] = unknown.length === 1 ? ["", "it"] : ["s", "them"];
  const [column, field] = guesses.find(([, guess]) => guess !== null) ?? [unknown[0]!, "tags"];
  const mapping = mayMap ? `map ${them} with --map ${shown(`${column}=${field}`)}, or ` : "";
  const names = escapeText(guesses.map(([name]) => name).join(","), 10_000);
  return `${label}: no field takes the column${s} ${said.join(", ")}${more(unknown)}; ${mapping}leave ${them} out with --ignore "${names}" or --ignore-others.`;
}

function more(columns: readonly string[]): string {
  return columns.length > MOST ? ` and ${columns.length - MOST} more` : "";
}

function shown(column: string): string {
  return `"${escapeText(column, 60)}"`;
}

function list(columns: readonly string[]): string {
  return columns.slice(0, MOST).map(shown).join(", ") + more(columns);
}
