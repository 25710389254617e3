// Reads a foreign file of any kind, as a stream: the rows of a table or of JSON as texts by column, and what documents hold.

import { isJsonObject } from "#src/contract/fields/body-path.ts";
import {
  asSentence,
  foreignDocument,
  foreignText,
  type ForeignKind,
} from "#src/contract/fields/not-a-payment.ts";
import { parseStrictJson, StrictJsonError, type StrictJson } from "#src/contract/text/strict-json.ts";
import { plainCell } from "#src/replay/csv.ts";
import type { TableSink } from "#src/replay/sources/source-csv.ts";
import type { SourceSink } from "#src/replay/sources/source-items.ts";
import { kindOf, type SourceKind } from "#src/replay/sources/source-kind.ts";
import { readText } from "#src/replay/sources/source-text.ts";
import type { DataRows, DocumentReader, ForeignRow, Found } from "./candidate.ts";

/** Largest document that is read as a whole: a recording of some hours. */
const DOCUMENT_BYTES = 256 * 1024 * 1024;
const DOCUMENT_DEPTH = 200;

/** Loaded on use. */
const READERS: Readonly<Partial<Record<ForeignKind, () => Promise<DocumentReader>>>> = {
  har: async () => (await import("./har.ts")).readHar,
  postman: async () => (await import("./postman.ts")).readPostman,
  openapi: async () => (await import("./openapi.ts")).readOpenApi,
};

export interface ForeignSource {
  /** Base name, for its ending; empty for standard input. */
  readonly name: string;
  /** Name in places, escaped. */
  readonly label: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Called with the names of a table, before its first row. */
  readonly onHeader?: (columns: readonly string[]) => void;
  readonly onBytes: (bytes: number) => void;
  /** For documents with variables. */
  readonly rows: DataRows;
}

/** What a file holds, in its order, in flat memory where it is no document. */
export async function* readForeign(source: ForeignSource): AsyncGenerator<ForeignRow | Found> {
  const { name, label, chunks, onBytes, rows } = source;
  let found: (ForeignRow | Found | Promise<Iterable<Found> | AsyncIterable<Found>>)[] = [];
  let count = 0;
  const take = (one: (typeof found)[number]): void => {
    count += 1;
    found.push(one);
  };
  const reject: SourceSink["reject"] = (place, why) => take({ place, why });
  const value: SourceSink["value"] = (place, json) => {
    const foreign = foreignDocument(json.value);
    const load = foreign && READERS[foreign.kind];
    if (load) take(load().then((read) => read({ label: place, json }, rows)));
    else if (foreign !== null) reject(place, asSentence(foreign.problem));
    else if (isJsonObject(json.value)) take({ place, cells: cellsOf(json) });
    else reject(place, "It is no JSON object.");
  };
  const sink: SourceSink = {
    value,
    reject,
    json(place, text, where) {
      if (isYaml(name) && typeof text !== "string")
        return take(import("./openapi.ts").then(({ readYamlOpenApi }) => readYamlOpenApi(text, label)));
      try {
        const limits = place === label ? { maxBytes: DOCUMENT_BYTES, maxDepth: DOCUMENT_DEPTH } : {};
        value(place, parseStrictJson(text, { ...limits, bom: "refuse" }));
      } catch (error) {
        if (!(error instanceof StrictJsonError)) throw error;
        const foreign = foreignText(text);
        const isCut = error.code === "truncated" && place === label;
        const problem = error.message
          .replace(/^Line \d+, column \d+: /, "")
          .replace(/\.$/, isCut ? "; the file is cut off, so save it again." : ".");
        // One that is read here, but not so: cut off, most of all.
        const isReadHere = foreign === null || READERS[foreign.kind] !== undefined;
        reject(
          place,
          isReadHere ? `${where(error.line, error.column)}: ${problem}` : asSentence(foreign.problem),
        );
      }
    },
    get count() {
      return count;
    },
  };
  const table = tableOfRows(source, take, reject);
  const text = { name, label, table, kindOf: foreignSourceKind, documentBytes: DOCUMENT_BYTES };
  for await (const _ of readText(chunks, text, sink, onBytes)) {
    const batch = found;
    found = [];
    for (const one of batch) {
      if (one instanceof Promise) yield* await one;
      else yield one;
    }
  }
}

function tableOfRows(
  { onHeader }: ForeignSource,
  take: (row: ForeignRow) => void,
  reject: TableSink["reject"],
): TableSink {
  let columns: readonly string[] = [];
  return {
    header(cells) {
      // An index that a program wrote in front of a table has no name.
      columns = cells.map((cell, index) => plainCell(cell).trim() || `column ${index + 1}`);
      onHeader?.(columns);
      return null;
    },
    row(place, texts) {
      take({ place, cells: new Map(texts.map((text, index) => [columns[index]!, plainCell(text)])) });
    },
    reject,
  };
}

/** As replays detect it, and a table by any header. */
function foreignSourceKind(name: string, head: Uint8Array): SourceKind | null {
  if (isYaml(name) || /\.har(?:\.gz)?$/i.test(name)) return "document";
  return kindOf(name, head) ?? (foreignText(head) === null ? "csv" : "document");
}

function isYaml(name: string): boolean {
  return /\.ya?ml(?:\.gz)?$/i.test(name);
}

/** The values of an object by dotted path: numbers as they are written, lists of texts with commas between them. */
export function cellsOf({ value, irregularNumbers }: StrictJson): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const add = (path: string, inner: unknown): void => {
    if (typeof inner === "object" && inner !== null) {
      if (Array.isArray(inner) && inner.every((each) => typeof each === "string")) {
        if (inner.length > 0) cells.set(path, inner.join(","));
        return;
      }
      for (const [key, part] of Object.entries(inner)) add(path === "" ? key : `${path}.${key}`, part);
    } else if (inner !== null && inner !== "") {
      cells.set(
        path,
        irregularNumbers.get(path) ?? (typeof inner === "string" ? inner : JSON.stringify(inner)),
      );
    }
  };
  add("", value);
  return cells;
}
