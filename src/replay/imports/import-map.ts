// The map of an import: rows of a foreign table become payloads in envelopes, column by column.

import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { findCardData, namesCardNumber } from "#src/contract/fields/card-data.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { readChange } from "#src/contract/fields/payload.ts";
import { isJsonObject, setPath, type JsonObject } from "#src/contract/fields/body-path.ts";
import { asSentence } from "#src/contract/fields/not-a-payment.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import { readTags } from "#src/contract/records/saved-payload.ts";
import { parseMoment } from "#src/contract/text/instant.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { anyText, flag, list as listOf, map as mapOf, or, type Of } from "#src/contract/text/shape.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { ENVELOPE_COLUMNS, isCardColumn, setField } from "#src/replay/sources/source-csv.ts";
import { targetOfName } from "./column-names.ts";
import { conversionOf, reducing, type NumberReading } from "./conversion.ts";
import type { Cells, Conversion } from "./convert.ts";
import { shownWord } from "./request-body.ts";
import { UNREADABLE_TIME } from "./time-conversion.ts";

/** Columns that one sentence names. */
const MOST = 100;
/** Columns that a hint maps. */
const MOST_MAPPED = 5;

const texts = (description: string) => or(listOf(anyText(), description), []);

const WORDS = mapOf(
  {
    map: texts("`COLUMN=FIELD` or `COLUMN=FIELD:CONVERSION`"),
    set: texts("`FIELD=VALUE`, for every payment."),
    ignore: texts("Columns that are left out, and in JSON all that is in them."),
    reducePan: texts("Columns whose full card numbers are reduced to BIN and last four."),
    only: texts("`COLUMN=VALUE` or `COLUMN=VALUE,VALUE`: rows that have another value are left out."),
    ignoreOthers: or(flag("True to leave out every column that nothing else names."), false),
  },
  "How an import reads the columns of a file; --save-map keeps it as JSON.",
);
export type ImportWords = Of<typeof WORDS>;

export const NO_WORDS = readShape(WORDS, jsonPlace({}), "the map");

/** What gives one field its value. */
export interface Assignment {
  /** Columns that it reads. */
  readonly columns: readonly string[];
  /** Undefined or empty leaves the field out. */
  text(cells: Cells): string | undefined;
  readonly target: string;
  readonly conversion: Conversion | null;
  /** True where the text is a full card number, of which the conversion keeps what may be kept. */
  readonly reduces?: true;
}

export interface ImportMap {
  readonly words: ImportWords;
  readonly fields: readonly Field[];
  readonly unit: AmountUnit;
  readonly assignments: readonly Assignment[];
  /** Of every payment, and more than what columns say. */
  readonly constants: readonly { readonly path: string; readonly value: unknown }[];
  /** True where columns with the name of a field map themselves. */
  readonly mapsKnown: boolean;
}

/** A map for the columns of one file. */
export interface BoundMap {
  /** What its reader should know, as one sentence. */
  readonly note: string | null;
  /** False for a row that the map leaves out. */
  takes(cells: Cells): boolean;
  /** An envelope that is not validated yet, or one sentence on why there is none. */
  convert(cells: Cells): { readonly envelope: Record<string, unknown> } | { readonly problem: string };
}

/**
 * Reads what --save-map wrote.
 * @param source its name in messages
 * @throws Fault("bad_input") for anything else
 */
export function savedWords(bytes: Uint8Array, source: string): ImportWords {
  const value = jsonObject(bytes, source, `${source} is no map; name a file that --save-map wrote.`);
  const fault = (message: string): Fault =>
    badInput`${source} is no map, because ${message}; name a file that --save-map wrote.`;
  return readShape(WORDS, jsonPlace(value, "", fault), "the map");
}

/** An object of strict JSON. @throws Fault("bad_input") with `problem` for anything else that is JSON */
export function jsonObject(bytes: Uint8Array, source: string, problem: string): JsonObject {
  try {
    const { value } = parseStrictJson(bytes);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw badInput`${source}: ${whole(error.message)}`;
  }
  throw new Fault("bad_input", whole(problem));
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
  // Option --ignore splits its words at commas, which may stand between the digits of a card number.
  if (findCardData([words, words.ignore.join()]) !== null)
    throw usage`The map holds a full card number, which never belongs here; take it out.`;
  const fields = checkFields(reading.numbering, reading.unit);
  return {
    words,
    fields,
    unit: reading.unit,
    assignments: template ?? words.map.map((word) => readWord(word, fields, reading)),
    constants: words.set.map((word) => readChange(word, fields)),
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
  for (let at = word.indexOf("=", 1); at >= 0; at = word.indexOf("=", at + 1)) {
    const meant = word.slice(at + 1).trimStart();
    const target = targets.find((each) => meant === each || meant.startsWith(`${each}:`));
    if (target === undefined) continue;
    const conversion =
      meant === target ? null : conversionOf(target, meant.slice(target.length + 1).trim(), reading);
    return columnTo(word.slice(0, at).trim(), target, conversion);
  }
  throw usage`--map takes COLUMN=FIELD or COLUMN=FIELD:CONVERSION, such as "Card BIN=card.bin_card" or "Total=amount:major", and cannot read "${shownWord(word)}"; the fields are ${whole(targets.join(", "))}.`;
}

/**
 * Fits a map to the columns of a file.
 * @param found of a table, or of the objects of JSON, each of which is rejected alone for card data
 * @param label of the file, escaped
 * @throws Fault("usage") for columns that the map and the file do not agree on, Fault("bad_input") for columns of card data
 */
export function bindMap(map: ImportMap, found: readonly string[], label: string, isTable: boolean): BoundMap {
  const { words, fields, constants } = map;
  const isLeftOut = (column: string): boolean =>
    column === "$schema" || words.ignore.some((name) => column === name || column.startsWith(`${name}.`));
  const isSet = (target: string): boolean => constants.some(({ path }) => path === target);
  const given = [...map.assignments, ...words.reducePan.flatMap(reductionOf)].filter(
    (each) => !isSet(each.target),
  );
  const mapped = new Set([...map.assignments.flatMap((each) => each.columns), ...words.reducePan]);
  const columns = isTable ? found : found.filter((column) => mapped.has(column) || !isCardColumn(column));
  const filters = words.only.map((word) => filterOf(word, columns, label));
  const filtered = new Set(filters.map(({ column }) => column));
  requireColumns([...mapped], columns, label);

  const targets = map.mapsKnown ? targetsOf(fields) : [];
  const isGiven = (target: string): boolean => given.some((each) => each.target === target);
  const unknown: string[] = [];
  const seen = new Set<string>();
  for (const column of columns) {
    const isReduced = words.reducePan.includes(column) && namesNumber(column);
    if (isCardColumn(column) && !isReduced) throw badInput`${label}: ${whole(cardColumn(column))}.`;
    if (!mapped.has(column) && isLeftOut(column)) continue;
    if (seen.has(column))
      throw usage`${label}: the column ${shown(column)} stands there twice; take one out.`;
    seen.add(column);
    if (mapped.has(column)) continue;
    const target = column.replace(/^request\./, "");
    if (!targets.includes(target)) unknown.push(...(filtered.has(column) ? [] : [column]));
    else if (isGiven(target)) given.unshift(columnTo(column, target));
  }
  if (unknown.length > 0 && !words.ignoreOthers)
    throw new Fault("usage", whole(unknownColumns(unknown, label, targets)));
  // Later objects of JSON may have any field, in an envelope or not.
  const names = targets.filter((target) => !isLeftOut(target) && !isSet(target) && !isGiven(target));
  requireSingle(given, label);
  const assignments = [...names.map(knownTo), ...given];
  // An amount in major units is read by the currency of its row.
  const isLast = ({ target, conversion }: Assignment): boolean => target === "amount" && conversion !== null;
  const ordered = assignments.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const known = new Set([...columns, ...names, ...names.map((name) => `request.${name}`)]);
  return {
    note: map.unit === "minor" ? minorNote(assignments, columns, label) : null,
    takes: (cells) => filters.every(({ column, values }) => values.includes(cells.get(column)?.trim() ?? "")),
    convert(cells) {
      for (const column of cells.keys()) {
        if (known.has(column)) continue;
        if (isCardColumn(column)) return { problem: asSentence(cardColumn(column)) };
        if (words.ignoreOthers || isLeftOut(column)) continue;
        return {
          problem: `It has ${shown(column)}, which the objects before it had not; map it, or add it to --ignore.`,
        };
      }
      return envelopeOf(cells, ordered, withConstants({}, map), byPath);
    },
  };
}

/** A copy of a request with the constants of the map. */
export function withConstants(request: JsonObject, { constants }: ImportMap): JsonObject {
  return constants.reduce((given, { path, value }) => setPath(given, path, value), request);
}

function envelopeOf(
  cells: Cells,
  assignments: readonly Assignment[],
  request: Record<string, unknown>,
  fields: ReadonlyMap<string, Field>,
): ReturnType<BoundMap["convert"]> {
  const tags: string[] = [];
  const envelope: Record<string, unknown> = { request, tags };
  for (const { target, conversion, ...assignment } of assignments) {
    let text = assignment.text(cells) ?? "";
    // The payload is searched as well, but not its amount, which any number fits; a telephone number may look like a card's.
    if (!assignment.reduces && target !== "payer.number_phone" && findCardData(text) !== null)
      return { problem: cardNumber(assignment) };
    if (text === "") text = conversion?.empty ?? "";
    else if (conversion !== null) {
      const converted = conversion.convert(text, { request, cells });
      if ("problem" in converted) return converted;
      ({ text } = converted);
    }
    if (text === "") continue;
    if (target === "at" && parseMoment(text.trim()) === null) return { problem: UNREADABLE_TIME };
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

export function columnTo(column: string, target: string, conversion: Conversion | null = null): Assignment {
  const columns = [column, ...(conversion?.columns ?? [])];
  return { columns, text: (cells) => cells.get(column), target, conversion };
}

function knownTo(target: string): Assignment {
  const text = (cells: Cells): string | undefined => cells.get(target) ?? cells.get(`request.${target}`);
  return { columns: [target], text, target, conversion: null };
}

function cardNumber({ columns }: Pick<Assignment, "columns">): string {
  return `${list(columns)} holds a full card number, which never belongs here; --reduce-pan keeps BIN and last four of a column alone.`;
}

/** A column of full card numbers as BIN and last four. */
function reductionOf(column: string): readonly Assignment[] {
  return [
    { ...columnTo(column, "card.bin_card", reducing("bin", column)), reduces: true },
    { ...columnTo(column, "card.cin_card", reducing("lastFour", column)), reduces: true },
  ];
}

/** An amount by its name alone, which may well be in major units. */
function minorNote(assignments: readonly Assignment[], columns: readonly string[], label: string) {
  const isTaken = ({ target, conversion, columns: [column] }: Assignment): boolean =>
    target === "amount" && conversion === null && column !== undefined && columns.includes(column);
  const column = assignments.find(isTaken)?.columns[0];
  if (column === undefined) return null;
  return `${label}: ${shown(column)} is taken in minor units, 57 as 0.57 EUR. If 57 is 57.00 EUR, map it to amount:major; amount:minor says that it is in minor ones.`;
}

/** @throws Fault("usage") where no column begins `COLUMN=VALUE`; one may hold =, so that the longest counts */
function filterOf(word: string, columns: readonly string[], label: string) {
  const named = columns.filter((column) => word.startsWith(`${column}=`));
  const [column] = named.toSorted((one, other) => other.length - one.length);
  if (column === undefined)
    throw usage`--only takes COLUMN=VALUE, such as Status=Paid, and cannot read "${shownWord(word)}"; ${label} has the columns ${whole(list(columns))}.`;
  const values = word.slice(column.length + 1).split(",");
  return { column, values: values.map((value) => value.trim()) };
}

function requireColumns(wanted: readonly string[], columns: readonly string[], label: string): void {
  const missing = wanted.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw usage`${label} has no ${missing.length === 1 ? "column" : "columns"} ${whole(list(missing))}, which the map names; it has ${whole(list(columns))}.`;
}

function requireSingle(assignments: readonly Assignment[], label: string): void {
  const seen = new Map<string, Assignment>();
  for (const assignment of assignments) {
    const before = seen.get(assignment.target);
    if (before !== undefined && assignment.target !== "tags") {
      throw usage`${label}: ${whole(list([...before.columns, ...assignment.columns]))} would both become ${assignment.target}; leave one out with --ignore, or map it to tags.`;
    }
    seen.set(assignment.target, assignment);
  }
}

function cardColumn(column: string): string {
  return namesNumber(column)
    ? `the column ${shown(column)} is for full card numbers, which never belong here; take it out, or keep BIN and last four alone with --reduce-pan ${shown(column)}`
    : "a column is for card verification data or has a card number as its name, and neither is ever read; take it out of the file";
}

function namesNumber(column: string): boolean {
  return namesCardNumber(column) || namesCardNumber(column.split(".").at(-1)!);
}

/** @param targets what a map may name; none where it may not */
function unknownColumns(unknown: readonly string[], label: string, targets: readonly string[]): string {
  const [s, them] = unknown.length === 1 ? ["", "it"] : ["s", "them"];
  // Each is a line to copy: it names all columns, or none.
  const isShort = unknown.length <= MOST && unknown.every((name) => name.length <= 60);
  const maps =
    unknown.length <= MOST_MAPPED && isShort
      ? unknown.map((column) => `--map ${shellWord(`${column}=${likely(column, targets)}`)}`).join(" ")
      : "--map COLUMN=FIELD";
  const mapping = targets.length > 0 ? `map ${them} with ${maps}, or ` : "";
  const names = unknown.join(",");
  const isNamed = isShort && findCardData(names) === null && unknown.every((name) => !name.includes(","));
  const ignore = isNamed ? `--ignore ${shellWord(names)} or ` : "";
  return `${label}: no field takes the column${s} ${list(unknown)}; ${mapping}leave ${them} out with ${ignore}--ignore-others${targets.length > 0 ? "; --guess prints a first map" : ""}.`;
}

/** The field that ends with the name of a column or has it in most files, else the tags, which take any text. */
function likely(column: string, targets: readonly string[]): string {
  const field = targets.find((target) => target.endsWith(`.${column.trim().toLowerCase()}`));
  return field ?? targets.find((target) => target === targetOfName(column)) ?? "tags";
}

function shown(column: string): string {
  return `"${shownWord(column)}"`;
}

function list(columns: readonly string[]): string {
  const more = columns.length > MOST ? ` and ${columns.length - MOST} more` : "";
  return columns.slice(0, MOST).map(shown).join(", ") + more;
}
