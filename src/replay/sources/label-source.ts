// What became of payments, from a file: CSV with the columns order_id, outcome and at, or one JSON object a line.

import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import { isLabel, LABEL_CHOICE, type OrderLabel } from "#src/contract/records/label.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseMoment } from "#src/contract/text/instant.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { plainCell } from "#src/display/csv.ts";
import { unpacked } from "./gzip.ts";
import { CsvRecord } from "./source-csv-record.ts";
import { separatorOf } from "./source-csv.ts";
import { fileChunks, namedFile } from "./source-files.ts";
import { notText } from "./source-kind.ts";
import { LineSplitter } from "./source-lines.ts";

const COLUMNS = ["order_id", "outcome", "at"] as const;
type Column = (typeof COLUMNS)[number];

interface Table {
  readonly separator: string;
  readonly columns: readonly Column[];
}

const BYTE_ORDER_MARK = "\uFEFF";
const CARD = "It holds a full card number or card verification data, which never belong here.";

/** A label, or the line that holds none, with its reason. */
export type LabelLine = OrderLabel | RejectedLine;

/**
 * Reads a file of labels, also one that is compressed with gzip, in constant memory; nothing is opened before the first is asked
 * for. A record of CSV is one line.
 * @param signal ends the wait for more of a pipe, as if it had ended
 * @param onBytes called with the size of each chunk that was read
 * @throws Fault("usage") when there is no such file; Fault("bad_input") when it cannot be read; Fault("storage")
 */
export async function* readLabels(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<LabelLine, void, undefined> {
  const file = await namedFile(path);
  let found: LabelLine[] = [];
  let count = 0;
  let damaged = false;
  const reader = new LabelReader(file.label, (line) => {
    count += 1;
    found.push(line);
  });
  const take = (): readonly LabelLine[] => found.splice(0);
  async function* counting(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of fileChunks(file, signal)) {
      onBytes(chunk.length);
      yield chunk;
    }
  }
  for await (const chunk of unpacked(counting(), () => void (damaged = true))) {
    const goesOn = reader.push(chunk);
    yield* take();
    if (!goesOn) return;
  }
  if (damaged) {
    // What follows the last whole line may be a part of an order id.
    yield {
      origin: file.label,
      message: "It is compressed with gzip, and cut off or damaged after what was read; pack it again.",
    };
    return;
  }
  reader.end();
  yield* take();
  if (count === 0) yield { origin: file.label, message: "It holds no outcome of a payment." };
}

/** Feed it chunks with `push`, then call `end`; `push` returns false when the rest cannot be read. */
class LabelReader {
  readonly #label: string;
  readonly #found: (line: LabelLine) => void;
  readonly #lines: LineSplitter;
  #isFirst = true;
  #broken = false;
  /** Null for lines of JSON. */
  #table: Table | null = null;

  constructor(label: string, found: (line: LabelLine) => void) {
    this.#label = label;
    this.#found = found;
    this.#lines = new LineSplitter((number, text, problem) => {
      if (this.#broken) return;
      if (text === null) this.#reject(number, problem);
      else this.#line(number, text.endsWith("\r") ? text.slice(0, -1) : text);
    });
  }

  push(chunk: Uint8Array): boolean {
    const problem = this.#isFirst ? notText(chunk) : null;
    if (problem !== null) this.#giveUp(this.#label, problem);
    else this.#lines.push(chunk);
    return !this.#broken;
  }

  end(): void {
    this.#lines.end();
  }

  #line(number: number, line: string): void {
    const text = this.#isFirst && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    if (text.trim() === "") return;
    if (this.#isFirst) {
      this.#isFirst = false;
      if (text.startsWith("[")) {
        return this.#giveUp(this.#label, "It is a JSON list; write one object a line, as .ndjson.");
      }
      if (!text.startsWith("{")) return this.#header(number, text);
    }
    if (this.#table === null) this.#object(number, text);
    else this.#row(number, text, this.#table);
  }

  #header(number: number, text: string): void {
    const separator = separatorOf(text);
    const cells = cellsOf(text, separator);
    const problem = "problem" in cells ? cells.problem : headerProblem(cells.map((cell) => cell.trim()));
    if (problem !== null) return this.#giveUp(`${this.#label}:${number}`, problem);
    const columns = (cells as readonly string[]).map((cell) => cell.trim() as Column);
    this.#table = { separator, columns };
  }

  #row(number: number, text: string, { separator, columns }: Table): void {
    const cells = cellsOf(text, separator);
    if ("problem" in cells) return this.#reject(number, cells.problem);
    // Spreadsheets write rows of only separators below a table.
    if (cells.every((cell) => cell === "")) return;
    if (cells.length !== columns.length) {
      return this.#reject(
        number,
        `The row has ${cells.length} cells where the header has ${columns.length}.`,
      );
    }
    const given = columns.map((column, index) => {
      const cell = plainCell(cells[index]!);
      return [column, column === "order_id" ? cell : cell.trim()] as const;
    });
    this.#take(number, Object.fromEntries(given.filter(([, cell]) => cell !== "")));
  }

  #object(number: number, text: string): void {
    let value: unknown;
    try {
      ({ value } = parseStrictJson(text, { bom: "refuse" }));
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      const problem = error.message.replace(/^Line \d+, column \d+: /, "");
      return this.#reject(number, `Column ${error.column}: ${problem}`);
    }
    if (!isJsonObject(value)) return this.#reject(number, "The line is no JSON object.");
    const stray = Object.keys(value).find((key) => !COLUMNS.includes(key as Column));
    if (findCardData(value) !== null) return this.#reject(number, CARD);
    if (stray !== undefined) {
      return this.#reject(number, `"${escapeText(stray, 40)}" is no known key; ${KNOWN}.`);
    }
    this.#take(number, value);
  }

  #take(number: number, given: Readonly<Record<string, unknown>>): void {
    const label = readLabel(given);
    if (typeof label === "string") this.#reject(number, label);
    else this.#found(label);
  }

  #giveUp(origin: string, message: string): void {
    this.#broken = true;
    this.#found({ origin, message });
  }

  #reject(number: number, message: string): void {
    // The sentence may quote what is itself a card number.
    const shown = findCardData(message) === null ? message : CARD;
    this.#found({ origin: `${this.#label}:${number}`, message: shown });
  }
}

const KNOWN = `they are ${COLUMNS.join(", ")}, of which at may be left out`;

/** The cells of a record that ends with its line. */
function cellsOf(text: string, separator: string): readonly string[] | { readonly problem: string } {
  const record = new CsvRecord(separator);
  const state = record.feed(text);
  if (state === "done") return record.cells;
  return state === "open" ? { problem: "A quote is not closed in its line." } : state;
}

function headerProblem(names: readonly string[]): string | null {
  if (findCardData(Object.fromEntries(names.map((name) => [name, null]))) !== null) return CARD;
  const stray = names.find((name) => !COLUMNS.includes(name as Column));
  const missing = COLUMNS.slice(0, 2).find((column) => !names.includes(column));
  if (missing !== undefined) return `The first line names no column ${missing}; ${KNOWN}.`;
  if (stray !== undefined) return `"${escapeText(stray, 60)}" is no known column; ${KNOWN}.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : `The column ${twice} stands there twice; take one out.`;
}

/** A label, or what is wrong with it as one sentence. */
function readLabel({
  order_id: id,
  outcome,
  at = null,
}: Readonly<Record<string, unknown>>): OrderLabel | string {
  const problem = orderIdProblem(id);
  if (problem !== null) return problem;
  if (outcome === undefined || outcome === null) return `It names no outcome; write ${LABEL_CHOICE}.`;
  if (!isLabel(outcome)) return `${shown(outcome)} is no outcome; write ${LABEL_CHOICE}.`;
  const moment = parseMoment(at);
  if (at !== null && moment === null) {
    return `${shown(at)} is no time; write 2026-03-01T12:00:00Z or 2026-03-01 12:00:00 (UTC), or seconds or milliseconds since 1970.`;
  }
  return { orderId: id as string, label: outcome, at: moment };
}

function shown(value: unknown): string {
  return `"${escapeText(typeof value === "string" ? value : JSON.stringify(value), 40)}"`;
}
