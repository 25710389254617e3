// The table of a full segment beside it, in index/<segment>.idx, so that it is not scanned again. A file that does not fit its
// segment, or is not whole, is passed over and made anew; one that cannot be written is done without.

import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import {
  createPrivate,
  ensureFolder,
  openRegular,
  readAt,
  temporaryName,
  writeAll,
} from "#src/storage/documents/durable-file.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { bytesOf, rowsIn } from "./history-rows.ts";
import type { HistoryRows, RowSummary } from "./history-rows.ts";

/** A segment as the index knows it: another size or time of change makes it another one. */
export interface SegmentState {
  readonly size: number;
  /** Last change in ms since the epoch, with its fraction. */
  readonly changedAt: number;
}

export interface IndexHead {
  readonly summary: RowSummary;
  /** Lines that are torn or damaged. */
  readonly bad: number;
}

export interface IndexedRows extends IndexHead {
  readonly rows: HistoryRows;
}

/** "VIDX" and the version of the columns; read in the byte order of this machine, so that another order does not fit. */
const MAGIC = 0x58444956;
const VERSION = 2;
const HEADER_BYTES = 96;
/** Places of the numbers of four bytes, of which two are checksums: of the head itself, and of the columns. */
const HEAD_SUM = 6;
const BODY_SUM = 7;
/** Byte at which the wide numbers start. */
const WIDE_AT = 32;
const WIDE_COUNT = 6;
const NARROW_AT = (WIDE_AT + 8 * WIDE_COUNT) / 4;
const FOLDER = "index";
const NAME = /^(\d{15}-[0-9a-f]{8})\.idx$/;

function pathOf(dir: string, id: string): string {
  return join(dir, FOLDER, `${id}.idx`);
}

/** What the table of a segment in this state says of itself; null when there is none that fits. The columns may be spoiled. */
export async function readIndexHead(
  dir: string,
  id: string,
  state: SegmentState,
  fs: FileSystem,
): Promise<IndexHead | null> {
  return await withHead(dir, id, state, fs, (_, head) => Promise.resolve(head));
}

/** The table of a segment in this state; null when there is none that fits, whole. */
export async function readIndexFile(
  dir: string,
  id: string,
  state: SegmentState,
  fs: FileSystem,
): Promise<IndexedRows | null> {
  return await withHead(dir, id, state, fs, async (file, { summary, bad, bodySum }) => {
    const buffer = new ArrayBuffer(bytesOf(summary));
    const bytes = new Uint8Array(buffer);
    if ((await readAt(file, bytes, HEADER_BYTES)) < bytes.length) return null;
    return crc32(bytes) === bodySum ? { rows: rowsIn(buffer, summary), summary, bad } : null;
  });
}

async function withHead<R>(
  dir: string,
  id: string,
  state: SegmentState,
  fs: FileSystem,
  use: (file: OpenFile, head: Head) => Promise<R | null>,
): Promise<R | null> {
  let file;
  try {
    file = await openRegular(pathOf(dir, id), constants.O_RDONLY, fs);
  } catch {
    return null;
  }
  try {
    const { size } = await file.stat();
    const bytes = new ArrayBuffer(HEADER_BYTES);
    if ((await readAt(file, new Uint8Array(bytes), 0)) < HEADER_BYTES) return null;
    const head = readHead(bytes);
    if (head === null) return null;
    if (head.of.size !== state.size || head.of.changedAt !== state.changedAt) return null;
    if (size !== HEADER_BYTES + bytesOf(head.summary)) return null;
    return await use(file, head);
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
      await writeAll(file, headOf(state, indexed, body), 0);
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

interface Head extends IndexHead {
  readonly bodySum: number;
  readonly of: SegmentState;
}

function headOf(state: SegmentState, { summary, bad }: IndexHead, body: Uint8Array): Uint8Array {
  const { rows, learned, foreign, firstTime, lastTime, leastKey, mostKey, firstOffset, isRegular } = summary;
  const head = new ArrayBuffer(HEADER_BYTES);
  const narrow = new Uint32Array(head);
  narrow.set([MAGIC, VERSION, rows, learned, foreign, bad]);
  narrow.set([firstOffset, isRegular ? 1 : 0], NARROW_AT);
  new Float64Array(head, WIDE_AT, WIDE_COUNT).set([
    state.size,
    state.changedAt,
    firstTime,
    lastTime,
    leastKey,
    mostKey,
  ]);
  narrow[BODY_SUM] = crc32(body);
  narrow[HEAD_SUM] = headSum(head);
  return new Uint8Array(head);
}

/** Of the head without the checksum itself. */
function headSum(head: ArrayBuffer): number {
  const clean = new Uint32Array(head.slice(0));
  clean[HEAD_SUM] = 0;
  return crc32(Buffer.from(clean.buffer));
}

/** Null for anything but a whole head of this version. */
function readHead(head: ArrayBuffer): Head | null {
  const narrow = new Uint32Array(head);
  const [magic, version, rows = 0, learned = 0, foreign = 0, bad = 0, sum, bodySum = 0] = narrow;
  if (magic !== MAGIC || version !== VERSION || sum !== headSum(head)) return null;
  const [size = 0, changedAt = 0, firstTime = 0, lastTime = 0, leastKey = 0, mostKey = 0] = new Float64Array(
    head,
    WIDE_AT,
    WIDE_COUNT,
  );
  const firstOffset = narrow[NARROW_AT] ?? 0;
  const isRegular = narrow[NARROW_AT + 1] === 1;
  const summary = { rows, learned, foreign, firstTime, lastTime, firstOffset, leastKey, mostKey, isRegular };
  return { summary, bad, bodySum, of: { size, changedAt } };
}
