// Payloads from a CSV table: one per row; columns are dotted field names and `name`, `expect`, `tags`, `at` and `outcome`.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { readField } from "#src/contract/fields/validate.ts";
import { readTags } from "#src/contract/records/saved-payload.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";
import { counted } from "#src/display/count.ts";
import { plainCell } from "#src/replay/csv.ts";
import { CsvRecord, SEPARATORS } from "./source-csv-record.ts";
import { NO_IRREGULAR_NUMBERS, type SourceSink } from "./source-items.ts";
import { LINE_LIMIT_BYTES, LineSplitter } from "./source-lines.ts";

export const ENVELOPE_COLUMNS = ["name", "expect", "tags", "at", "outcome"] as const;

/** Excel's first line, which names the separator of the lines behind it. */
export const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/i;

/** Null for one that is left out. */
type Column = Field | (typeof ENVELOPE_COLUMNS)[number] | null;

/** Takes the rows of a table. */
export interface TableSink {
  /** @returns why no row can be read, as one sentence; null when they can */
  header(cells: readonly string[]): string | null;
  /** @param cells as they stand in the file, as many as the header has */
  row(origin: string, cells: readonly string[]): void;
  /** @throws Fault("bad_input") in strict mode */
  reject(origin: string, message: string): void;
}

/** Feed it chunks with `push`, then call `end`; `push` returns false when the rest cannot be read. */
export class CsvReader {
  readonly #sink: TableSink;
  readonly #label: string;
  readonly #lines: LineSplitter;
  #separator = ",";
  /** Named by the first line. */
  #given: string | undefined;
  /** Cells of the header; null before it. */
  #width: number | null = null;
  #broken = false;
  #record: CsvRecord | null = null;
  /** First line of the current record, and its lines so far, which are read again if the record is malformed. */
  #first = 0;
  #pending: string[] = [];
  #pendingLength = 0;

  constructor(label: string, sink: TableSink) {
    this.#label = label;
    this.#sink = sink;
    this.#lines = new LineSplitter((number, text, problem) => {
      if (text !== null) this.#line(number, text);
      else this.#unusable(number, problem);
    });
  }

  push(chunk: Uint8Array): boolean {
    this.#lines.push(chunk);
    return !this.#broken;
  }

  end(): void {
    this.#lines.end();
    // Each round drops at least one line.
    while (this.#pending.length > 0 && !this.#broken) this.#giveUp("A quote is not closed.");
  }

  #line(number: number, text: string): void {
    if (this.#broken) return;
    if (this.#record === null) {
      if (text === "" || text === "\r") return;
      if (this.#width === null) {
        const [, separator] = (number === 1 && SEPARATOR_LINE.exec(text)) || [];
        if (separator !== undefined) return void (this.#given = separator);
        this.#separator = this.#given ?? separatorOf(text);
      }
      this.#record = new CsvRecord(this.#separator);
      this.#first = number;
    }
    this.#pending.push(text);
    this.#pendingLength += text.length + 1;
    let state = this.#record.feed(text);
    if (typeof state === "object" && this.#width === null) state = this.#anotherSeparator() ?? state;
    if (state === "open") {
      if (this.#pendingLength > LINE_LIMIT_BYTES) this.#giveUp("A quote is not closed within 1 MiB.");
    } else if (state === "done") {
      const { cells } = this.#record;
      const [first, length] = [this.#first, this.#pendingLength];
      this.#forget();
      this.#row(first, cells, length);
    } else this.#giveUp(state.problem);
  }

  /** The first guess is wrong where a quoted name of the header has a line break or a separator in it. */
  #anotherSeparator(): "open" | "done" | null {
    for (const separator of SEPARATORS) {
      const record = new CsvRecord(separator);
      const states = this.#pending.map((line) => record.feed(line));
      const [last] = states.slice(-1);
      if (typeof last === "object" || states.slice(0, -1).some((state) => state !== "open")) continue;
      this.#separator = separator;
      this.#record = record;
      return last!;
    }
    return null;
  }

  /** An unreadable line also ends the record that would continue over it. */
  #unusable(number: number, problem: string): void {
    while (this.#pending.length > 0 && !this.#broken)
      this.#giveUp("A quote is not closed before a line that cannot be read.");
    if (this.#broken) return;
    this.#sink.reject(`${this.#label}:${number}`, problem);
    if (this.#width === null) this.#broken = true;
  }

  /** Rejects the record's first line and reads the lines behind it again as separate records. */
  #giveUp(problem: string): void {
    const [first, lines] = [this.#first, this.#pending];
    this.#forget();
    this.#sink.reject(`${this.#label}:${first}`, problem);
    if (this.#width === null) {
      this.#broken = true;
      return;
    }
    for (let index = 1; index < lines.length; index++) this.#line(first + index, lines[index]!);
  }

  #forget(): void {
    this.#record = null;
    this.#pending = [];
    this.#pendingLength = 0;
  }

  #row(line: number, cells: readonly string[], length: number): void {
    const origin = `${this.#label}:${line}`;
    if (this.#width === null) {
      this.#width = cells.length;
      const problem = this.#sink.header(cells);
      if (problem === null) return;
      this.#broken = true;
      return this.#sink.reject(origin, problem);
    }
    // Spreadsheets write rows of only separators below a table.
    if (cells.every((cell) => cell === "")) return;
    if (length > BODY_LIMIT_BYTES) this.#sink.reject(origin, "The row is larger than 64 KiB.");
    else if (cells.length === this.#width) this.#sink.row(origin, cells);
    else {
      const problem = `The row has ${counted(cells.length, "cell")} where the header has ${this.#width}.`;
      this.#sink.reject(origin, problem);
    }
  }
}

/**
 * Makes payloads of the rows of a table with known columns.
 * @param ignored names of columns that are left out
 */
export function payloadTable(items: SourceSink, ignored: readonly string[]): TableSink {
  let columns: readonly Column[] = [];
  return {
    header(cells) {
      const header = readHeader(cells, ignored);
      if ("problem" in header) return header.problem;
      columns = header.columns;
      return null;
    },
    row(origin, cells) {
      const row = readRow(cells, columns);
      if ("problem" in row) items.reject(origin, row.problem);
      else items.value(origin, { value: row.envelope, irregularNumbers: NO_IRREGULAR_NUMBERS });
    },
    reject: items.reject,
  };
}

/** True for a line that may be the header of a payload table. */
export function looksLikeHeader(line: string): boolean {
  const record = new CsvRecord(separatorOf(line));
  return record.feed(line) === "done" && record.cells.some((cell) => columnOf(cell) !== undefined);
}

/** The most frequent separator, because column names contain none. */
export function separatorOf(header: string): string {
  const count = (separator: string): number => header.split(separator).length;
  return SEPARATORS.toSorted((one, other) => count(other) - count(one))[0]!;
}

function columnOf(cell: string): Column | undefined {
  const name = cell.trim();
  const envelope = ENVELOPE_COLUMNS.find((column) => column === name);
  const path = name.replace(/^request\./, "");
  return envelope ?? CHECK_FIELDS.find((field) => field.path === path);
}

function readHeader(
  cells: readonly string[],
  ignored: readonly string[],
): { readonly columns: readonly Column[] } | { readonly problem: string } {
  const columns: Column[] = [];
  const unknown: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim();
    const column = ignored.includes(name) && !isCardColumn(name) ? null : columnOf(cell);
    if (column === undefined) {
      if (isCardColumn(name)) return { problem: CARD_COLUMN };
      if (name === "") return { problem: `Column ${index + 1} has no name; ${KNOWN_COLUMNS}.` };
      unknown.push(name);
      continue;
    }
    if (column !== null && columns.includes(column)) {
      return { problem: `The column ${escapeText(name, 60)} stands there twice; take one out.` };
    }
    columns.push(column);
  }
  return unknown.length === 0 ? { columns } : { problem: unknownColumns(unknown) };
}

const MAJOR_UNITS = /^\d+[.,]\d+$/;
const MAJOR_HINT =
  'amount must be in minor units, such as 5716; "verdict payload import" reads 57.16 with --map "COLUMN=amount:major".';
const MONTH_AND_YEAR = /^\d{1,4}[/.-]\d{1,4}$|^\d{4}(?:\d\d)?$/;
const EXPIRY_HINT =
  'card.expiration_month must be a month alone; "verdict payload import" reads 06/2027 with --map "COLUMN=card.expiration_month:expiry" and --map "COLUMN=card.expiration_year:expiry".';
const CARD_COLUMN =
  "A column for card numbers or card verification data is not allowed, because neither belongs here; remove it.";
const KNOWN_COLUMNS = `the columns are ${[...ENVELOPE_COLUMNS, ...CHECK_FIELDS.map(({ path }) => path)].join(", ")}`;

/** True for a name that says that the column holds what never belongs here; it cannot be left out either. */
export function isCardColumn(name: string): boolean {
  return findCardData(Object.fromEntries([name, ...name.split(".")].map((part) => [part, null]))) !== null;
}

function unknownColumns(names: readonly string[]): string {
  const shown = names.map((name) => `"${escapeText(name, 60)}"`).join(", ");
  const [are, them] = names.length === 1 ? ["is no known column", "it"] : ["are no known columns", "them"];
  const option = escapeText(names.join(","), 400);
  return `${shown} ${are}; leave ${them} out with --ignore-columns "${option}", or rename ${them}: ${KNOWN_COLUMNS}.`;
}

/** An empty cell leaves its field out. */
function readRow(
  cells: readonly string[],
  columns: readonly Column[],
): { readonly envelope: object } | { readonly problem: string } {
  const request: Record<string, unknown> = {};
  const envelope: Record<string, unknown> = { request };
  for (const [index, column] of columns.entries()) {
    const cell = plainCell(cells[index]!);
    if (cell === "" || column === null) continue;
    if (column === "tags") envelope["tags"] = readTags(cell);
    else if (typeof column === "string") envelope[column] = column === "name" ? cell : cell.trim();
    else {
      const problem = setField(request, column, cell);
      if (problem !== null) return { problem };
    }
  }
  return { envelope };
}

/** @returns one sentence when the cell does not fit the field; null otherwise */
export function setField(request: Record<string, unknown>, field: Field, cell: string): string | null {
  const read = readField(field, cell);
  if ("error" in read) {
    if (findCardData({ [field.path]: cell }) !== null)
      return `${field.path} holds a full card number, which never belongs here; send bin_card and cin_card instead.`;
    if (field.path === "card.expiration_month" && MONTH_AND_YEAR.test(cell)) return EXPIRY_HINT;
    return field.path === "amount" && MAJOR_UNITS.test(cell) ? MAJOR_HINT : read.error;
  }
  const dot = field.path.indexOf(".");
  if (dot < 0) request[field.path] = read.value;
  else {
    const group = (request[field.path.slice(0, dot)] ??= {}) as Record<string, unknown>;
    group[field.path.slice(dot + 1)] = read.value;
  }
  return null;
}
