// Imports payments from foreign files: rows through a map or a template, bodies of documents as they are.

import { basename } from "node:path";
import type { ActionContext } from "#src/actions/action-context.ts";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import type { RunItem } from "#src/contract/records/run.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import type { Candidate, DataRows, ForeignRow, Skipped } from "#src/replay/imports/candidate.ts";
import { cellsOf, readForeign } from "#src/replay/imports/foreign-rows.ts";
import { guessMap, type GuessedMap } from "#src/replay/imports/guess-map.ts";
import {
  NO_WORDS,
  bindMap,
  readMap,
  withConstants,
  type BoundMap,
  type ImportMap,
  type ImportWords,
} from "#src/replay/imports/import-map.ts";
import { readTemplate } from "#src/replay/imports/template.ts";
import {
  fileChunks,
  namedFile,
  withDistinctLabels,
  type SourceFile,
} from "#src/replay/sources/source-files.ts";
import { createSourceItems, NO_IRREGULAR_NUMBERS } from "#src/replay/sources/source-items.ts";

/** Objects of JSON whose columns are known before the first is converted. */
const SAMPLE = 256;
/** Rows from which a map is guessed. */
const GUESSED_FROM = 5_000;
const STDIN = "-";
const STANDARD_INPUT: SourceFile = { path: STDIN, label: "stdin", bytes: null, named: true };
export const STOPPED = "Stopped; nothing was written.";

export interface ImportInput {
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  readonly words: ImportWords;
  /** A payload with places for columns, in place of the words of the map, and its name in messages. */
  readonly template: { readonly bytes: Uint8Array; readonly source: string } | null;
  /** Path of a table or of JSON, each row of which fills every request of a Postman collection; null for none. */
  readonly data: string | null;
  readonly stdin: AsyncIterable<Uint8Array>;
}

export interface Imported {
  readonly place: string;
  /** The payload in its envelope, valid and without card data. */
  readonly item: RunItem;
  /** Its name; null for none. */
  readonly name: string | null;
}

/** A row that the map leaves out; or what the reader of a file should know, as one sentence. */
export type Aside = { readonly leftOut: true } | { readonly note: string };

/**
 * The payments of the files in their order, and what is none, in flat memory.
 * @param onBytes what was read of how many bytes; of all NaN with a pipe among them
 * @throws Fault("usage") for a word of the map that cannot be read or does not fit a file, Fault("bad_input") for a file that cannot be
 *   read, Fault("interrupted")
 */
export async function* importPayloads(
  context: ActionContext,
  input: ImportInput,
  signal: AbortSignal,
  onBytes: (done: number, all: number) => void,
): AsyncGenerator<Imported | Skipped | Aside> {
  const { currencyNumbering: numbering, amountUnit: unit } = context.profile;
  const reading = { numbering, unit };
  const template =
    input.template === null ? null : readTemplate(input.template.bytes, input.template.source, reading);
  const map = readMap(input.words, reading, template);
  const named = input.files.map(async (path) => (path === STDIN ? STANDARD_INPUT : await namedFile(path)));
  const files = withDistinctLabels(await Promise.all(named)) as readonly SourceFile[];
  const all = files.reduce((sum, { bytes }) => sum + (bytes ?? Number.NaN), 0);
  const data = input.data === null ? null : await namedFile(input.data);
  const rows = data === null ? null : (): ReturnType<DataRows> => dataRows(data, signal);
  let done = 0;
  const items = createSourceItems({ strict: false, now: context.now(), numbering });
  for (const file of files) {
    const chunks = file.path === STDIN ? input.stdin : fileChunks(file, signal);
    const onChunk = (bytes: number): void => onBytes((done += bytes), all);
    for await (const found of envelopesOf(file, chunks, { map, rows }, onChunk)) {
      if (signal.aborted) throw new Fault("interrupted", whole(STOPPED));
      // The items know how a sentence is kept free of card numbers.
      if ("why" in found) items.reject(found.place, found.why);
      else if ("json" in found) items.value(found.place, found.json);
      else yield found;
      for (const line of items.take()) {
        if ("rejected" in line) yield { place: line.rejected.origin, why: line.rejected.message };
        else yield { place: line.item.origin, item: line.item, name: nameOf(found) };
      }
    }
  }
  if (signal.aborted) throw new Fault("interrupted", whole(STOPPED));
}

interface Converted {
  readonly place: string;
  readonly json: StrictJson;
}

async function* envelopesOf(
  { path, label }: SourceFile,
  chunks: AsyncIterable<Uint8Array>,
  { map, rows }: { readonly map: ImportMap; readonly rows: DataRows | null },
  onBytes: (bytes: number) => void,
): AsyncGenerator<Converted | Skipped | Aside> {
  let isFilled = rows === null;
  const filled: DataRows = () => {
    isFilled = true;
    return rows === null ? null : rows();
  };
  let bound: BoundMap | null = null;
  let waiting: (ForeignRow | Converted | Skipped | Aside)[] = [];
  const bind = (columns: readonly string[], isTable: boolean): void => {
    bound = bindMap(map, columns, label, isTable);
    if (bound.note !== null) waiting.unshift({ note: bound.note });
  };
  const onHeader = (columns: readonly string[]): void => bind(columns, true);
  const flush = function* (): Generator<Converted | Skipped | Aside> {
    const objects = waiting.filter((each) => "cells" in each);
    if (objects.length > 0 && bound === null)
      bind([...new Set(objects.flatMap(({ cells }) => [...cells.keys()]))], false);
    for (const each of waiting) yield "cells" in each ? convert(each, bound!) : each;
    waiting = [];
  };
  const isMapped = map.words.map.length + map.words.only.length > 0 || !map.mapsKnown;
  const name = path === STDIN ? "" : basename(path);
  for await (const found of readForeign({ name, label, chunks, onHeader, onBytes, rows: filled })) {
    if (!("body" in found)) waiting.push(found);
    else if (isMapped) waiting.push({ place: found.place, cells: cellsOf(found.body) });
    else waiting.push(asFound(found, map));
    if (bound !== null || waiting.length >= SAMPLE) yield* flush();
  }
  yield* flush();
  if (isFilled) return;
  throw usage`--data works only with a Postman collection, and ${label} is not a collection; remove --data.`;
}

/**
 * A first map for a file, from its columns and its first rows; it fits the file.
 * @throws Fault("usage") for a file without rows, Fault("bad_input") for one that cannot be read or with columns of card data
 */
export async function guessImport(
  context: ActionContext,
  { files: [path = STDIN], stdin }: Pick<ImportInput, "files" | "stdin">,
  signal: AbortSignal,
): Promise<GuessedMap> {
  const { currencyNumbering: numbering, amountUnit: unit } = context.profile;
  const reading = { numbering, unit };
  const file = path === STDIN ? STANDARD_INPUT : await namedFile(path);
  let header: readonly string[] | null = null;
  const source = {
    name: path === STDIN ? "" : basename(path),
    label: file.label,
    chunks: path === STDIN ? stdin : fileChunks(file, signal),
    onHeader: (columns: readonly string[]) => void (header = columns),
    onBytes: () => undefined,
    rows: () => null,
  };
  const rows: ForeignRow["cells"][] = [];
  let unread: Skipped | null = null;
  for await (const found of readForeign(source)) {
    if ("body" in found) throw usage`${file.label} holds requests, which need no map.`;
    if ("cells" in found && rows.push(found.cells) >= GUESSED_FROM) break;
    if ("why" in found && rows.length === 0) unread ??= found;
  }
  const columns = header ?? [...new Set(rows.flatMap((cells) => [...cells.keys()]))];
  if (rows.length === 0 && unread !== null) throw badInput`${unread.place}: ${whole(unread.why)}`;
  if (rows.length === 0) throw usage`${file.label} holds no rows, from which a map could be guessed.`;
  const guessed = guessMap(columns, rows, reading);
  const { reducePan } = guessed.words;
  // A name that is a card number is the file's fault, before it is one of the map.
  bindMap(
    readMap({ ...NO_WORDS, reducePan, ignoreOthers: true }, reading),
    columns,
    file.label,
    header !== null,
  );
  bindMap(readMap(guessed.words, reading), columns, file.label, header !== null);
  return guessed;
}

/** The rows of a table or of JSON. */
export async function* dataRows(file: SourceFile, signal: AbortSignal): AsyncGenerator<ForeignRow | Skipped> {
  const { path, label } = file;
  const source = {
    name: basename(path),
    label,
    chunks: fileChunks(file, signal),
    onBytes: () => undefined,
    rows: () => null,
  };
  for await (const found of readForeign(source)) {
    if ("body" in found) throw badInput`${label} holds no rows; give a table, or JSON with values.`;
    yield found;
  }
}

function convert({ place, cells }: ForeignRow, bound: BoundMap): Converted | Skipped | Aside {
  if (!bound.takes(cells)) return { leftOut: true };
  const converted = bound.convert(cells);
  return "problem" in converted
    ? { place, why: converted.problem }
    : { place, json: { value: converted.envelope, irregularNumbers: NO_IRREGULAR_NUMBERS } };
}

/** A body as it was found, in an envelope with its name and time, and with the constants of the map. */
function asFound({ place, body, name, at }: Candidate, map: ImportMap): Converted {
  const { value } = body;
  const { request } = value;
  const envelope: Record<string, unknown> = isJsonObject(request)
    ? { ...value, request: withConstants(request, map) }
    : { request: withConstants(value, map) };
  envelope["name"] ??= name;
  envelope["at"] ??= at;
  const inside = isJsonObject(request) ? "" : "request.";
  const irregularNumbers = new Map([...body.irregularNumbers].map(([path, token]) => [inside + path, token]));
  for (const { path } of map.constants) irregularNumbers.delete(`request.${path}`);
  return { place, json: { value: envelope, irregularNumbers } };
}

function nameOf(found: Converted | Skipped | Aside): string | null {
  const value = "json" in found ? found.json.value : null;
  const name = isJsonObject(value) ? value["name"] : null;
  return typeof name === "string" ? name : null;
}

/** A payment as the envelope that payloads are read from, without what it does not have. */
export function importedEnvelope({ item, name }: Pick<Imported, "item" | "name">): object {
  const { request, expect, tags, time, label, was } = item;
  return {
    ...(name === null ? {} : { name }),
    ...(time === undefined ? {} : { at: new Date(time).toISOString() }),
    ...(expect === null ? {} : { expect }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(label === undefined ? {} : { outcome: label }),
    ...(was === null ? {} : { answer: { outcome: "answered", verdict: was } }),
    request,
  };
}
