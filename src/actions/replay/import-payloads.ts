// Imports payments from foreign files: rows through a map or a template, bodies of documents as they are.

import { basename } from "node:path";
import type { ActionContext } from "#src/actions/action-context.ts";
import { createWhole, createWholeFolder } from "#src/actions/whole-file.ts";
import { Fault } from "#src/contract/fault.ts";
import { isJsonObject, setPath } from "#src/contract/fields/body-path.ts";
import type { ImportWords } from "#src/contract/records/import-map.ts";
import type { RunItem } from "#src/contract/records/run.ts";
import { payloadNameProblem } from "#src/contract/records/saved-payload.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import { safeJson } from "#src/display/safe.ts";
import type { Candidate, ForeignRow, Untaken } from "#src/replay/imports/candidate.ts";
import { cellsOf, readForeign } from "#src/replay/imports/foreign-rows.ts";
import { NO_VALUES, type DocumentValues } from "#src/replay/imports/document-reader.ts";
import { bindMap, readMap, type BoundMap, type ImportMap } from "#src/replay/imports/import-map.ts";
import { readEnvironment } from "#src/replay/imports/postman.ts";
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
const STDIN = "-";
/** Characters of a key in the name of its file, short enough for a number behind it. */
const STEM = 48;

export interface NamedDocument {
  readonly bytes: Uint8Array;
  /** Its name in messages. */
  readonly source: string;
}

export interface ImportInput {
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  readonly words: ImportWords;
  /** A payload with places for columns, in place of the words of the map. */
  readonly template: NamedDocument | null;
  /** Fills the variables of Postman collections. */
  readonly variables: VariableFiles;
  readonly stdin: AsyncIterable<Uint8Array>;
}

export interface VariableFiles {
  /** An environment that Postman exported; null for none. */
  readonly environment: NamedDocument | null;
  /** Path of a table or of JSON, each row of which fills every request; null for none. */
  readonly data: string | null;
}

export interface Imported {
  readonly place: string;
  /** The payload in its envelope, valid and without card data. */
  readonly item: RunItem;
  /** Its name; null for none. */
  readonly name: string | null;
}

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
): AsyncGenerator<Imported | Untaken> {
  const { currencyNumbering: numbering, amountUnit: unit } = context.profile;
  const reading = { numbering, unit };
  const template =
    input.template === null ? null : readTemplate(input.template.bytes, input.template.source, reading);
  const map = readMap(input.words, reading, template);
  const files = withDistinctLabels(
    await Promise.all(
      input.files.map((path) => (path === STDIN ? Promise.resolve(standardInput()) : namedFile(path))),
    ),
  ) as readonly SourceFile[];
  const all = files.reduce((sum, { bytes }) => sum + (bytes ?? Number.NaN), 0);
  const values = await readVariables(input.variables, signal);
  let done = 0;
  const items = createSourceItems({ strict: false, now: context.now(), numbering });
  for (const file of files) {
    const chunks = file.path === STDIN ? input.stdin : fileChunks(file, signal);
    const onChunk = (bytes: number): void => onBytes((done += bytes), all);
    for await (const found of envelopesOf(file, chunks, { map, values }, onChunk)) {
      if (signal.aborted) throw new Fault("interrupted", "Stopped; nothing was written.");
      if ("why" in found) {
        // The items know how a sentence is kept free of card numbers.
        items.reject(found.place, found.why);
      } else items.value(found.place, found.json);
      for (const line of items.take()) {
        if ("rejected" in line) yield { place: line.rejected.origin, why: line.rejected.message };
        else yield { place: line.item.origin, item: line.item, name: nameOf(found) };
      }
    }
  }
  if (signal.aborted) throw new Fault("interrupted", "Stopped; nothing was written.");
}

interface Converted {
  readonly place: string;
  readonly json: StrictJson;
}

async function* envelopesOf(
  { path, label }: SourceFile,
  chunks: AsyncIterable<Uint8Array>,
  { map, values }: { readonly map: ImportMap; readonly values: (() => DocumentValues) | null },
  onBytes: (bytes: number) => void,
): AsyncGenerator<Converted | Untaken> {
  let isFilled = values === null;
  const filled = (): DocumentValues => {
    isFilled = true;
    return values?.() ?? NO_VALUES;
  };
  let bound: BoundMap | null = null;
  let waiting: (ForeignRow | Converted | Untaken)[] = [];
  const onHeader = (columns: readonly string[]): null => {
    bound = bindMap(map, columns, label, true);
    return null;
  };
  const flush = function* (): Generator<Converted | Untaken> {
    const rows = waiting.filter((each) => "cells" in each);
    if (rows.length > 0)
      bound ??= bindMap(map, [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], label, false);
    for (const each of waiting) yield "cells" in each ? convert(each, bound!) : each;
    waiting = [];
  };
  const isMapped = map.words.map.length > 0 || !map.mapsKnown;
  const name = path === STDIN ? "" : basename(path);
  for await (const found of readForeign({ name, label, chunks, onHeader, onBytes, values: filled })) {
    if (!("body" in found)) waiting.push(found);
    else if (isMapped) waiting.push({ place: found.place, cells: cellsOf(found.body) });
    else waiting.push(asFound(found, map));
    if (bound !== null || waiting.length >= SAMPLE) yield* flush();
  }
  yield* flush();
  if (isFilled) return;
  throw new Fault("usage", `--data and --environment fill a Postman collection, and ${label} is none.`);
}

/** What gives the values anew for each collection; null for none. @throws Fault for a file that cannot be used */
async function readVariables(
  { environment, data }: VariableFiles,
  signal: AbortSignal,
): Promise<(() => DocumentValues) | null> {
  if (environment === null && data === null) return null;
  const parsed = environment === null ? null : readEnvironment(environment.bytes, environment.source);
  const file = data === null ? null : await namedFile(data);
  return () => ({ environment: parsed, rows: file === null ? null : dataRows(file, signal) });
}

/** The rows of a table or of JSON; an empty cell is an empty text. */
export async function* dataRows(file: SourceFile, signal: AbortSignal): AsyncGenerator<ForeignRow | Untaken> {
  const { path, label } = file;
  let empty: readonly (readonly [string, string])[] = [];
  const onHeader = (names: readonly string[]): null => {
    empty = names.map((name) => [name, ""]);
    return null;
  };
  const [name, chunks] = [basename(path), fileChunks(file, signal)];
  for await (const found of readForeign({ name, label, chunks, onHeader, onBytes: () => undefined })) {
    if ("cells" in found) yield { ...found, cells: new Map([...empty, ...found.cells]) };
    else if ("why" in found) yield found;
    else throw new Fault("bad_input", `${label} holds no rows; give a table, or JSON with values.`);
  }
}

function convert({ place, cells }: ForeignRow, bound: BoundMap): Converted | Untaken {
  const converted = bound.convert(cells);
  return "problem" in converted
    ? { place, why: converted.problem }
    : { place, json: { value: converted.envelope, irregularNumbers: NO_IRREGULAR_NUMBERS } };
}

/** A body as it was found, in an envelope with its name and time, and with the constants of the map. */
function asFound({ place, body, name, at }: Candidate, { constants, fields }: ImportMap): Converted {
  const { value } = body;
  const envelope: Record<string, unknown> =
    isJsonObject(value) && isJsonObject(value["request"]) ? { ...value } : { request: value };
  const irregularNumbers = new Map(body.irregularNumbers);
  for (const { target, text } of constants) {
    const constant = text(new Map())!;
    const isNumber = fields.find(({ path }) => path === target)!.type === "integer";
    const request = envelope["request"];
    if (isJsonObject(request))
      envelope["request"] = setPath(request, target, isNumber ? Number(constant) : constant);
    irregularNumbers.delete(target);
  }
  envelope["name"] ??= name;
  envelope["at"] ??= at;
  return { place, json: { value: envelope, irregularNumbers } };
}

function nameOf(found: Converted | Untaken): string | null {
  const value = "json" in found ? found.json.value : null;
  const name = isJsonObject(value) ? value["name"] : null;
  return typeof name === "string" ? name : null;
}

function standardInput(): SourceFile {
  return { path: STDIN, label: "stdin", bytes: null, named: true };
}

/** A payment as the envelope that payloads are read from, without what it does not have. */
export function importedEnvelope({ item, name }: Imported): object {
  const { request, expect, tags, time, label } = item;
  return {
    ...(name === null ? {} : { name }),
    ...(time === undefined ? {} : { at: new Date(time).toISOString() }),
    ...(expect === null ? {} : { expect }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(label === undefined ? {} : { outcome: label }),
    request,
  };
}

/**
 * Writes the payments to a new file, one a line, or, for a path with / at its end, to a new folder, a file each.
 * @throws Fault as `createWhole` does, and what `imported` throws: nothing is left then
 */
export async function writeImported(path: string, imported: AsyncIterable<Imported>): Promise<void> {
  if (!path.endsWith("/")) return createWhole(path, lines());
  return createWholeFolder(path, files());

  async function* lines(): AsyncGenerator<string> {
    for await (const one of imported) yield `${safeJson(importedEnvelope(one))}\n`;
  }
  async function* files(): AsyncGenerator<{ name: string; text: string }> {
    const names = new Set<string>();
    const counts = new Map<string, number>();
    for await (const one of imported) {
      const stem = fileStem(one.item.key);
      let name = stem;
      // File systems may take upper and lower case for the same.
      while (names.has(name.toLowerCase())) {
        const count = (counts.get(stem) ?? 1) + 1;
        counts.set(stem, count);
        name = `${stem}-${count}`;
      }
      names.add(name.toLowerCase());
      yield { name: `${name}.json`, text: `${safeJson(importedEnvelope(one), 2)}\n` };
    }
  }
}

/** A key as the name of a saved payload. */
function fileStem(key: string): string {
  const stem = key.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, STEM);
  return payloadNameProblem(stem) === null ? stem : `payment-${stem}`;
}
