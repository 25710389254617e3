// Where every entry of the history stands, in memory: built from the segments in slices, kept beside the full ones, and
// brought up to date by what was appended. Lost or wrong it is built anew; it answers nothing that is not checked on reading.

import { Buffer } from "node:buffer";
import { join } from "node:path";

import { readAt } from "./durable-file.ts";
import type { FileSystem } from "./file-system.ts";
import { readIndexFile, removeStrayIndexFiles, writeIndexFile } from "./history-index-file.ts";
import { IRREGULAR_KEY, RowsBuilder } from "./history-rows.ts";
import type { HistoryRows } from "./history-rows.ts";
import { scanLines } from "./history-scan.ts";
import { openSegment } from "./journal-reader.ts";
import { orderRows, placeOf, rowAt } from "./row-order.ts";
import type { Stretches } from "./row-order.ts";
import { listSegments } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { systemCode } from "./write-fault.ts";

/** Bytes that are scanned without a pause: some milliseconds. */
const SLICE = 1024 * 1024;
/** Names in a folder that changed so recently may change again under the same time. */
const SETTLED_MS = 100;

/** Which entry: a row of a segment, by the segment's place in the list of the index. */
export interface RowRef {
  readonly segment: number;
  readonly row: number;
}

/** A learned record in another segment than its intent. */
export interface LearnedRef {
  readonly segment: number;
  readonly learned: number;
}

export interface IndexedSegment {
  readonly segment: Segment;
  readonly rows: HistoryRows;
}

/** The index at one moment; nothing of it changes afterwards. */
export interface IndexView {
  readonly segments: readonly IndexedSegment[];
  readonly order: Stretches;
  /** Records of an entry that lie in other segments, by `refKey` of the entry. */
  readonly foreign: ReadonlyMap<number, readonly LearnedRef[]>;
  /** Number of entries. */
  readonly count: number;
}

/** Rows of a segment are fewer than 2^26. */
const ROWS = 2 ** 26;

export function refKey({ segment, row }: RowRef): number {
  return segment * ROWS + row;
}

/** The entry at a position, 0 for the newest. */
export function refAt(view: IndexView, position: number): RowRef {
  return rowAt(view.order, view.count - 1 - position);
}

/** The position of an entry, 0 for the newest. */
export function positionOf(view: IndexView, { segment, row }: RowRef): number {
  return view.count - 1 - placeOf(view.order, segment, row);
}

/** What is kept of a segment between two looks at it. */
interface Known {
  segment: Segment;
  /** Bytes that were scanned. */
  size: number;
  changedAt: number;
  /** Tells a segment from another one that was put in its place. */
  inode: number;
  /** Only of a segment that may grow. */
  builder: RowsBuilder | null;
  rows: HistoryRows;
  bad: number;
}

const EMPTY: IndexView = { segments: [], order: orderRows([]), foreign: new Map(), count: 0 };

export class HistoryIndex {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #onDamage: (segment: Segment) => Promise<void>;
  #known = new Map<string, Known>();
  /** Segments whose kept table has turned out to be wrong. */
  #distrusted = new Set<string>();
  #view: IndexView = EMPTY;
  #built = false;
  #folderChangedAt = -1;
  #refreshing: Promise<IndexView> | null = null;

  /** @param onDamage gets each segment in which damage is met */
  constructor(dir: string, fs: FileSystem, onDamage: (segment: Segment) => Promise<void>) {
    this.#dir = dir;
    this.#fs = fs;
    this.#onDamage = onDamage;
  }

  /** Looks for what has changed. The same view as before when nothing has; never blocks for more than some milliseconds. */
  refresh(): Promise<IndexView> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  /** Takes a table for wrong: the next refresh scans its segment. */
  distrust(id: string): void {
    this.#distrusted.add(id);
    this.#known.delete(id);
    this.#folderChangedAt = -1;
  }

  /** Whether nothing has changed since the view, for the price of a few looks at sizes. */
  async #isCurrent(): Promise<boolean> {
    if (!this.#built || (await this.#folderTime()) !== this.#folderChangedAt) return false;
    for (const known of this.#known.values()) {
      if (known.segment.lastTime === null && (await this.#sizeOf(known.segment)) !== known.size) return false;
    }
    return true;
  }

  async #refresh(): Promise<IndexView> {
    if (await this.#isCurrent()) return this.#view;
    const before = Date.now();
    const folderChangedAt = await this.#folderTime();
    const listed = await listSegments(this.#dir, this.#fs);
    let changed = listed.length !== this.#known.size;
    const known = new Map<string, Known>();
    for (const segment of listed) {
      const old = this.#known.get(segment.id);
      const fresh = await this.#look(segment, old);
      if (fresh === null) continue;
      changed ||= fresh.rows !== old?.rows;
      known.set(segment.id, fresh);
    }
    if (folderChangedAt !== this.#folderChangedAt) {
      await removeStrayIndexFiles(this.#dir, new Set(known.keys()), this.#fs);
    }
    this.#known = known;
    // Two changes within one tick of the clock have the same time: look again.
    this.#folderChangedAt = Math.abs(before - folderChangedAt) < SETTLED_MS ? -1 : folderChangedAt;
    if (changed || !this.#built) this.#view = await viewOf([...known.values()]);
    this.#built = true;
    return this.#view;
  }

  /** Null for a segment that is gone. */
  async #look(segment: Segment, old: Known | undefined): Promise<Known | null> {
    const file = await openSegment(this.#dir, segment, this.#fs);
    if (file === null) return null;
    try {
      const { size, mtimeMs: changedAt, ino: inode } = await file.stat();
      const state = { size, changedAt };
      const isFull = segment.lastTime !== null;
      if (old !== undefined && old.size === size && old.changedAt === changedAt && old.inode === inode) {
        if (old.segment.file === segment.file) return old;
        if (isFull) await writeIndexFile(this.#dir, segment.id, state, old, this.#fs);
        return { ...old, segment, builder: isFull ? null : old.builder };
      }
      if (isFull && !this.#distrusted.has(segment.id)) {
        const kept = await readIndexFile(this.#dir, segment.id, state, this.#fs);
        if (kept !== null) {
          if (kept.bad > 0) await this.#onDamage(segment);
          return { segment, ...state, inode, builder: null, ...kept };
        }
      }
      // What was appended to what is known; everything of a segment that is new or has been changed otherwise.
      const grown = old !== undefined && old.builder !== null && old.inode === inode && old.size <= size;
      const builder = grown ? old.builder! : new RowsBuilder();
      const scanned = await scanFile(file, grown ? old.size : 0, size, isFull, builder);
      const bad = (grown ? old.bad : 0) + scanned.bad;
      if (scanned.bad > 0) await this.#onDamage(segment);
      const rows = grown && scanned.end === old.size && scanned.bad === 0 ? old.rows : builder.pack();
      if (isFull && (await writeIndexFile(this.#dir, segment.id, state, { rows, bad }, this.#fs))) {
        this.#distrusted.delete(segment.id);
      }
      return {
        segment,
        // A line that is not whole yet is looked at again.
        size: isFull ? size : scanned.end,
        changedAt,
        inode,
        builder: isFull ? null : builder,
        rows,
        bad,
      };
    } finally {
      await file.close();
    }
  }

  async #folderTime(): Promise<number> {
    try {
      return (await this.#fs.stat(this.#dir)).mtimeMs;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return 0;
      throw error;
    }
  }

  async #sizeOf(segment: Segment): Promise<number> {
    try {
      return (await this.#fs.stat(join(this.#dir, segment.file))).size;
    } catch {
      return -1;
    }
  }
}

interface ScannedFile {
  /** Up to where whole lines were found. */
  readonly end: number;
  readonly bad: number;
}

/** @param isFull nobody appends any more, so that an unfinished line at the end is one as well */
async function scanFile(
  file: Parameters<typeof readAt>[0],
  from: number,
  size: number,
  isFull: boolean,
  rows: RowsBuilder,
): Promise<ScannedFile> {
  let bad = 0;
  let end = from;
  // One buffer for all slices: a new one for each would keep the garbage collector busy.
  let bytes = Buffer.allocUnsafeSlow(Math.min(2 * SLICE, size - from + 1));
  let rest = 0;
  for (let position = from; position < size;) {
    if (rest === bytes.length) bytes = Buffer.concat([bytes], 2 * rest);
    const filled = await readAt(file, bytes.subarray(rest, Math.min(bytes.length, rest + SLICE)), position);
    if (filled === 0) break;
    position += filled;
    const scanned = scanLines(bytes.subarray(0, rest + filled), end, rows);
    bad += scanned.bad;
    end += scanned.bytes;
    bytes.copyWithin(0, scanned.bytes, rest + filled);
    rest += filled - scanned.bytes;
    await new Promise(setImmediate);
  }
  if (isFull && rest > 0) {
    bad += scanLines(Buffer.concat([bytes.subarray(0, rest), Buffer.from("\n")]), end, rows).bad;
    end += rest;
  }
  return { end, bad };
}

async function viewOf(known: readonly Known[]): Promise<IndexView> {
  const segments = known
    .map(({ segment, rows }) => ({ segment, rows }))
    .sort((a, b) => firstTime(a) - firstTime(b) || (a.segment.id < b.segment.id ? -1 : 1));
  const order = orderRows(segments.map(({ rows }) => rows.time));
  return { segments, order, foreign: await joinForeign(segments), count: order.before.at(-1) ?? 0 };
}

function firstTime({ segment, rows }: IndexedSegment): number {
  return rows.time[0] ?? segment.firstTime;
}

/** Finds the intents of records that lie in other segments, newest segment first: that is where they are looked for in vain least. */
async function joinForeign(segments: readonly IndexedSegment[]): Promise<Map<number, LearnedRef[]>> {
  const found = new Map<number, LearnedRef[]>();
  if (segments.every(({ rows }) => rows.foreign === 0)) return found;
  const ranges: KeyRange[] = [];
  for (const { rows } of segments) {
    ranges.push(rangeOf(rows.key));
    if (ranges.length % 32 === 0) await new Promise(setImmediate);
  }
  let looked = 0;
  for (const [segment, { rows }] of segments.entries()) {
    for (let index = 0; index < rows.foreign; index += 1) {
      const key = rows.foreignKey[index]!;
      const target = findRow(segments, ranges, key, rows.foreignHash[index]!);
      if (target !== null) {
        const at = refKey(target);
        const list = found.get(at) ?? [];
        list.push({ segment, learned: rows.foreignLearned[index]! });
        found.set(at, list);
      }
      if ((looked += 1) % 2_000 === 0) await new Promise(setImmediate);
    }
  }
  return found;
}

interface KeyRange {
  readonly least: number;
  readonly most: number;
  readonly isSorted: boolean;
}

function rangeOf(keys: Float64Array): KeyRange {
  let least = Infinity;
  let most = -Infinity;
  let isSorted = true;
  let before = -Infinity;
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
    if (key < before) isSorted = false;
    before = key;
  }
  return { least, most, isSorted };
}

function findRow(
  segments: readonly IndexedSegment[],
  ranges: readonly KeyRange[],
  key: number,
  hash: number,
): RowRef | null {
  for (let segment = segments.length - 1; segment >= 0; segment -= 1) {
    const range = ranges[segment]!;
    if (key < range.least || key > range.most) continue;
    const { rows } = segments[segment]!;
    for (let row = firstRow(rows.key, key, range.isSorted); row >= 0; row = rows.key.indexOf(key, row + 1)) {
      if (rows.hash[row] === hash) return { segment, row };
      if (range.isSorted && rows.key[row + 1] !== key) break;
    }
  }
  return null;
}

/** The first row with this key, or -1. */
function firstRow(keys: Float64Array, key: number, isSorted: boolean): number {
  if (!isSorted) return keys.indexOf(key);
  let from = 0;
  let to = keys.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keys[middle]! < key) from = middle + 1;
    else to = middle;
  }
  return keys[from] === key ? from : -1;
}

export interface KeyedRow extends RowRef {
  readonly key: number;
}

/** Entries whose keys lie in a range, and those whose keys say nothing; newest first. */
export function* rowsInRange(view: IndexView, range: readonly [number, number] | null): Generator<KeyedRow> {
  for (let segment = view.segments.length - 1; segment >= 0; segment -= 1) {
    const { key } = view.segments[segment]!.rows;
    for (let row = key.length - 1; row >= 0; row -= 1) {
      const value = key[row]!;
      if (range === null || value === IRREGULAR_KEY || (value >= range[0] && value <= range[1])) {
        yield { segment, row, key: value };
      }
    }
  }
}
