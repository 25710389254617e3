// What a foreign file holds, read as the import does.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dataRows } from "#src/actions/replay/import-payloads.ts";
import { namedFile } from "#src/replay/sources/source-files.ts";
import { folderOf } from "../reading.ts";
import type { Candidate, DataRows, ForeignRow, Found, Skipped } from "#src/replay/imports/candidate.ts";
import { readForeign } from "#src/replay/imports/foreign-rows.ts";

export interface Read {
  readonly rows: ForeignRow[];
  readonly taken: Candidate[];
  readonly untaken: Skipped[];
}

/** A file of this folder. */
export function sample(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)));
}

export function readAs(
  name: string,
  content: string | Uint8Array,
  rows: DataRows = () => null,
): AsyncGenerator<ForeignRow | Found> {
  return readForeign({
    name,
    label: name,
    chunks: inPieces(Buffer.from(content)),
    onHeader: () => undefined,
    onBytes: () => undefined,
    rows,
  });
}

export async function readForeignFile(
  name: string,
  content: string | Uint8Array,
  rows: DataRows = () => null,
): Promise<Read> {
  const read: Read = { rows: [], taken: [], untaken: [] };
  for await (const one of readAs(name, content, rows)) {
    if ("why" in one) read.untaken.push(one);
    else if ("cells" in one) read.rows.push(one);
    else read.taken.push(one);
  }
  return read;
}

/** A data file as the rows of a document. */
export async function rowsOf(name: string, content: string | Uint8Array): Promise<DataRows> {
  const file = await namedFile(join(folderOf({ [name]: content }), name));
  return () => dataRows(file, new AbortController().signal);
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}
