// What became of payments, from a file: CSV with the columns order_id, outcome and at, or JSON objects with such keys.

import { badInput, whole } from "#src/contract/fault.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import { isLabel, LABEL_CHOICE, type OrderLabel } from "#src/contract/records/label.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseMoment } from "#src/contract/text/instant.ts";
import { plainCell } from "#src/replay/csv.ts";
import { cellsOf } from "#src/replay/imports/foreign-rows.ts";
import { labelRows } from "#src/replay/imports/label-map.ts";
import type { TableSink } from "./source-csv.ts";
import { fileChunks, namedFile } from "./source-files.ts";
import { jsonOf, NO_IRREGULAR_NUMBERS, type SourceSink } from "./source-items.ts";
import type { SourceKind } from "./source-kind.ts";
import { readText } from "./source-text.ts";

const COLUMNS = ["order_id", "outcome", "at"];
const KNOWN = `they are ${COLUMNS.join(", ")}, of which at may be left out`;

/** A label, or the line that holds none, with its reason. */
export type LabelLine = OrderLabel | RejectedLine;

/**
 * Reads a file of labels in flat memory; nothing is opened before the first is asked for.
 * @param signal ends the wait for more of a pipe, as if it had ended
 * @param onBytes called with the size of each chunk that was read
 * @param map words of a map for a file with columns of its own; none for one with the columns of a label file
 * @throws Fault("usage") when there is no such file; Fault("bad_input") when it cannot be read, when its header names other
 *   columns, and after the whole lines of one that is cut off; Fault("storage")
 */
export async function* readLabels(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
  map: readonly string[] = [],
): AsyncGenerator<LabelLine, void, undefined> {
  const file = await namedFile(path);
  const found: LabelLine[] = [];
  let count = 0;
  const take = (line: LabelLine): void => void ((count += 1), found.push(line));
  const reject: SourceSink["reject"] = (origin, message) => {
    // The sentence may quote what is itself a card number.
    const isCard = findCardData(message) !== null;
    const shown = isCard ? "It holds a full card number, which never belongs here." : message;
    // What is judged by labels that were not read would be judged wrong.
    if (origin === file.label) throw badInput`${origin}: ${whole(shown)}`;
    take({ origin, message: shown });
  };
  const isMapped = map.length > 0;
  let read = isMapped ? labelRows(map, null, file.label) : null;
  const value: SourceSink["value"] = (origin, json) => {
    const found = read?.(cellsOf(json)) ?? { label: json.value };
    if ("problem" in found) return reject(origin, found.problem);
    const label = readLabel(found.label);
    if (typeof label === "string") reject(origin, label);
    else take(label);
  };
  const sink: SourceSink = {
    value,
    reject,
    json: jsonOf(value, reject),
    get count() {
      return count;
    },
  };
  const onColumns = (columns: readonly string[]): null => {
    read = labelRows(map, columns, file.label);
    return null;
  };
  const table = tableOf(file.label, value, reject, isMapped ? onColumns : null);
  const source = { name: "", label: file.label, table, kindOf: kindOfLabels, what: "label of a payment" };
  for await (const _ of readText(fileChunks(file, signal), source, sink, onBytes)) yield* found.splice(0);
}

/** @param onForeign takes the columns of a file that a map reads; null where they must be those of a label file */
function tableOf(
  label: string,
  value: SourceSink["value"],
  reject: TableSink["reject"],
  onForeign: ((columns: readonly string[]) => null) | null,
): TableSink {
  let columns: readonly string[] = [];
  return {
    header(cells) {
      const names = cells.map((cell) => cell.trim());
      const problem = onForeign === null ? headerProblem(names) : onForeign(names);
      if (problem === null) columns = names;
      return problem;
    },
    row(origin, cells) {
      const given = columns.map((column, index) => {
        const cell = plainCell(cells[index]!);
        return [column, column === "order_id" ? cell : cell.trim() || null] as const;
      });
      value(origin, { value: Object.fromEntries(given), irregularNumbers: NO_IRREGULAR_NUMBERS });
    },
    // Without a header no row can be read.
    reject: (origin, message) => (columns.length === 0 ? reject(label, message) : reject(origin, message)),
  };
}

function headerProblem(names: readonly string[]): string | null {
  const missing = ["order_id", "outcome"].find((column) => !names.includes(column));
  if (missing !== undefined) return `The first line names no column ${missing}; ${KNOWN}.`;
  const stray = names.find((name) => !COLUMNS.includes(name));
  if (stray !== undefined) return `"${escapeText(stray, 60)}" is no known column; ${KNOWN}.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : `The column ${twice} stands there twice; take one out.`;
}

/** By its text alone, because a table may have any name. */
function kindOfLabels(_name: string, head: Uint8Array): SourceKind {
  const [first = ""] = new TextDecoder().decode(head).trimStart();
  return first === "{" ? "lines" : first === "[" ? "list" : "csv";
}

/** A label, or what is wrong with it as one sentence. */
function readLabel(given: unknown): OrderLabel | string {
  if (!isJsonObject(given)) return "It is no JSON object.";
  const { order_id: id, outcome: word = null, at = null } = given;
  const outcome = typeof word === "string" ? word.toLowerCase() : word;
  const stray = Object.keys(given).find((key) => !COLUMNS.includes(key));
  if (stray !== undefined) return `${shown(stray)} is no known key; ${KNOWN}.`;
  const problem = orderIdProblem(id);
  if (problem !== null) return problem;
  if (outcome === null) return `It names no label; write ${LABEL_CHOICE}.`;
  if (!isLabel(outcome)) return `${shown(word)} is no label; write ${LABEL_CHOICE}.`;
  const moment = parseMoment(at);
  return at === null || moment !== null
    ? { orderId: id as string, label: outcome, at: moment }
    : `${shown(at)} is no time; write 2026-03-01T12:00:00Z or 2026-03-01 12:00:00 (UTC), or seconds or milliseconds since 1970.`;
}

function shown(value: unknown): string {
  return `"${escapeText(typeof value === "string" ? value : JSON.stringify(value), 40)}"`;
}
