// The table of a full segment beside it, in index/<segment>.idx, so that it is not scanned again. A file that does not fit its
// segment, or is not whole, is passed over and made anew; one that cannot be written is done without.

import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { createPrivate, ensureFolder, openRegular, readAt, temporaryName, writeAll } from "./durable-file.ts";
import type { FileSystem } from "./file-system.ts";
import { bytesOf, rowsIn } from "./history-rows.ts";
import type { HistoryRows, RowCounts } from "./history-rows.ts";

/** A segment as the index knows it: another size or time of change makes it another one. */
export interface SegmentState {
  readonly size: number;
  /** Last change in ms since the epoch, with its fraction. */
  readonly changedAt: number;
}

export interface IndexedRows {
  readonly rows: HistoryRows;
  /** Lines that are torn or damaged. */
  readonly bad: number;
}

/** "VIDX" and the version of the columns; read in the byte order of this machine, so that another order does not fit. */
const MAGIC = 0x58444956;
const VERSION = 1;
const HEADER_BYTES = 64;
const FOLDER = "index";
const NAME = /^(\d{15}-[0-9a-f]{8})\.idx$/;

function pathOf(dir: string, id: string): string {
  return join(dir, FOLDER, `${id}.idx`);
}

/** The table of a segment in this state; null when there is none that fits. */
export async function readIndexFile(
  dir: string,
  id: string,
  state: SegmentState,
  fs: FileSystem,
): Promise<IndexedRows | null> {
  let file;
  try {
    file = await openRegular(pathOf(dir, id), constants.O_RDONLY, fs);
  } catch {
    return null;
  }
  try {
    const { size } = await file.stat();
    const head = new ArrayBuffer(HEADER_BYTES);
    if ((await readAt(file, new Uint8Array(head), 0)) < HEADER_BYTES) return null;
    const { counts, bad, sum, of, magic, version } = readHeader(head);
    if (magic !== MAGIC || version !== VERSION) return null;
    if (of.size !== state.size || of.changedAt !== state.changedAt) return null;
    if (size !== HEADER_BYTES + bytesOf(counts)) return null;
    const buffer = new SharedArrayBuffer(bytesOf(counts));
    const bytes = new Uint8Array(buffer);
    if ((await readAt(file, bytes, HEADER_BYTES)) < bytes.length) return null;
    return checksum(head, bytes) === sum ? { rows: rowsIn(buffer, counts), bad } : null;
  } catch {
    return null;
  } finally {
    await file.close().catch(() => {});
  }
}

/** Keeps the table of a segment in this state; false when it could not be written. */
export async function writeIndexFile(
  dir: string,
  id: string,
  state: SegmentState,
  indexed: IndexedRows,
  fs: FileSystem,
): Promise<boolean> {
  const path = pathOf(dir, id);
  const temporary = temporaryName(path);
  try {
    await ensureFolder(join(dir, FOLDER), fs);
    const file = await createPrivate(temporary, fs);
    try {
      const body = new Uint8Array(indexed.rows.buffer);
      await writeAll(file, header(state, indexed, body), 0);
      await writeAll(file, body, HEADER_BYTES);
    } finally {
      await file.close();
    }
    // No sync: what a power cut leaves of it does not fit its checksum.
    await fs.rename(temporary, path);
    return true;
  } catch {
    await fs.unlink(temporary).catch(() => {});
    return false;
  }
}

/** Removes the tables of segments that are gone, and what a killed process left behind. */
export async function removeStrayIndexFiles(
  dir: string,
  known: ReadonlySet<string>,
  fs: FileSystem,
): Promise<void> {
  const folder = join(dir, FOLDER);
  const names = await fs.readdir(folder).catch(() => []);
  for (const name of names) {
    const id = NAME.exec(name)?.[1];
    if (id !== undefined ? !known.has(id) : /^\.\d{15}-[0-9a-f]{8}\.idx\.[0-9a-f]{16}\.tmp$/.test(name)) {
      await fs.unlink(join(folder, name)).catch(() => {});
    }
  }
}

function header(state: SegmentState, { rows, bad }: IndexedRows, body: Uint8Array): Uint8Array {
  const head = new ArrayBuffer(HEADER_BYTES);
  new Uint32Array(head).set([MAGIC, VERSION, rows.rows, rows.learned, rows.foreign, bad]);
  new Float64Array(head, 32).set([state.size, state.changedAt]);
  new Uint32Array(head)[6] = checksum(head, body);
  return new Uint8Array(head);
}

/** Of the header without the checksum itself, and of the columns. */
function checksum(head: ArrayBuffer, body: Uint8Array): number {
  const clean = Buffer.from(head.slice(0));
  clean.fill(0, 24, 28);
  return crc32(body, crc32(clean));
}

function readHeader(head: ArrayBuffer): {
  readonly magic: number;
  readonly version: number;
  readonly counts: RowCounts;
  readonly bad: number;
  readonly sum: number;
  readonly of: SegmentState;
} {
  const [magic = 0, version = 0, rows = 0, learned = 0, foreign = 0, bad = 0, sum = 0] = new Uint32Array(
    head,
  );
  const [size = 0, changedAt = 0] = new Float64Array(head, 32);
  return { magic, version, counts: { rows, learned, foreign }, bad, sum, of: { size, changedAt } };
}
