// Reads entries at places that the index names: their lines through a small cache of blocks, each checked before it counts.

import { Buffer } from "node:buffer";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { readAt } from "#src/storage/documents/durable-file.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { refKey, StaleRowError } from "./history-index-view.ts";
import type { IndexedSegment, IndexView, LearnedRef, RowRef } from "./history-index-view.ts";
import type { HistoryRecord } from "./history-record.ts";
import type { HistoryRows } from "./history-rows.ts";
import type { HistoryTables } from "./history-tables.ts";
import { decodeLine } from "./journal-line.ts";
import type { JournalLine } from "./journal-line.ts";
import { openSegment } from "./journal-reader.ts";

const BLOCK = 128 * 1024;
/** Blocks in memory at once, and more of them for segments that are read in turns. */
const BLOCKS = 8;
/** Segments open at once. */
const FILES = 8;

export class HistoryLines {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #view: IndexView;
  readonly #tables: HistoryTables;
  readonly #files = new Map<number, OpenFile>();
  readonly #blocks = new Map<string, Buffer>();

  /** To be closed. */
  constructor(dir: string, view: IndexView, tables: HistoryTables, fs: FileSystem) {
    this.#dir = dir;
    this.#view = view;
    this.#tables = tables;
    tables.makeRoom(view.order.width);
    this.#fs = fs;
  }

  /** @throws StaleRowError when the lines are not those of the index */
  async entry(ref: RowRef): Promise<HistoryEntry> {
    return (await this.entryIf(ref, () => true))!;
  }

  /**
   * Null, without what was learned later having been read, where the intent alone is not accepted.
   * @throws StaleRowError
   */
  async entryIf(ref: RowRef, accepts: (intent: HistoryEntry) => boolean): Promise<HistoryEntry | null> {
    const rows = await this.#rows(ref.segment);
    const intent = await this.#intent(ref, rows);
    if (!accepts(intent)) return null;
    const learned: { line: JournalLine; ref: LearnedRef }[] = [];
    for (const each of this.#learnedOf(ref, rows)) {
      const found = await this.#learnedLine(each);
      if (found !== null) learned.push({ line: found, ref: each });
    }
    // The last word of each field counts, as in a reading of the whole journal.
    learned.sort((a, b) => a.line.time - b.line.time || a.ref.segment - b.ref.segment);
    const entry = { ...intent };
    for (const { line: each } of learned) {
      const later = each.record as HistoryRecord;
      // Of two ids with one hash, each keeps its own.
      if (later.type === "learned" && later.id === entry.id) Object.assign(entry, later.learned);
    }
    return entry;
  }

  /** The entry as it was before anything was learned. @throws StaleRowError */
  async intent(ref: RowRef): Promise<HistoryEntry> {
    return await this.#intent(ref, await this.#rows(ref.segment));
  }

  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    this.#blocks.clear();
    await Promise.all(files.map((file) => file.close().catch(() => {})));
  }

  async #rows(segment: number): Promise<HistoryRows> {
    const of = this.#view.segments[segment]!;
    return this.#tables.at(of) ?? (await this.#tables.load(of));
  }

  async #intent({ segment, row }: RowRef, rows: HistoryRows): Promise<HistoryEntry> {
    const offset = rows.offset[row]!;
    const length = rows.length[row]!;
    // Awaiting what is there already would take longer than reading it.
    const line = this.#lineAtHand(segment, offset, length) ?? (await this.#line(segment, offset, length));
    const record = line?.record as HistoryRecord | undefined;
    if (record?.type !== "intent") throw new StaleRowError(this.#view.segments[segment]!.segment.id);
    return record.entry;
  }

  /** Oldest first within a segment. */
  #learnedOf(ref: RowRef, rows: HistoryRows): LearnedRef[] {
    const own: LearnedRef[] = [];
    for (let learned = rows.head[ref.row]!; learned >= 0; learned = rows.learnedNext[learned]!) {
      own.push({ segment: ref.segment, learned });
    }
    return [...own.reverse(), ...(this.#view.foreign.get(refKey(ref)) ?? [])];
  }

  async #learnedLine({ segment, learned }: LearnedRef): Promise<JournalLine | null> {
    const rows = await this.#rows(segment);
    const offset = rows.learnedOffset[learned]!;
    const length = rows.learnedLength[learned]!;
    const line = this.#lineAtHand(segment, offset, length) ?? (await this.#line(segment, offset, length));
    if (line === null) throw new StaleRowError(this.#view.segments[segment]!.segment.id);
    return line;
  }

  /** A line that lies within a block in memory; null otherwise. */
  #lineAtHand(segment: number, offset: number, length: number): JournalLine | null {
    const block = Math.floor(offset / BLOCK);
    const bytes = this.#cached(segment, block);
    const start = offset - block * BLOCK;
    if (bytes === undefined || start + length > bytes.length) return null;
    return decodeLine(bytes.subarray(start, start + length));
  }

  async #line(segment: number, offset: number, length: number): Promise<JournalLine | null> {
    const block = Math.floor(offset / BLOCK);
    const start = offset - block * BLOCK;
    const first = this.#cached(segment, block) ?? (await this.#load(segment, block));
    if (first === null) return null;
    if (start + length <= first.length) return decodeLine(first.subarray(start, start + length));
    // Copies: the memory of a block is used again once others were read.
    const parts = [Buffer.from(first.subarray(start))];
    for (let next = block + 1, missing = length - parts[0]!.length; missing > 0; next += 1) {
      const bytes = this.#cached(segment, next) ?? (await this.#load(segment, next));
      if (bytes === null || bytes.length === 0) return null;
      parts.push(Buffer.from(bytes.subarray(0, missing)));
      missing -= Math.min(missing, bytes.length);
      if (bytes.length < BLOCK && missing > 0) return null;
    }
    return decodeLine(Buffer.concat(parts));
  }

  #cached(segment: number, block: number): Buffer | undefined {
    return this.#blocks.get(`${segment}:${block}`);
  }

  async #load(segment: number, block: number): Promise<Buffer | null> {
    const file = await this.#file(segment);
    if (file === null) return null;
    let bytes: Buffer = Buffer.alloc(0);
    if (this.#blocks.size >= BLOCKS + 2 * this.#view.order.width) {
      const [oldest, of] = this.#blocks.entries().next().value!;
      this.#blocks.delete(oldest);
      bytes = Buffer.from(of.buffer);
    }
    if (bytes.length !== BLOCK) bytes = Buffer.allocUnsafeSlow(BLOCK);
    const found = bytes.subarray(0, await readAt(file, bytes, block * BLOCK));
    this.#blocks.set(`${segment}:${block}`, found);
    return found;
  }

  async #file(segment: number): Promise<OpenFile | null> {
    const open = this.#files.get(segment);
    if (open !== undefined) return open;
    const file = await this.#open(this.#view.segments[segment]!);
    if (file === null) return null;
    if (this.#files.size >= FILES) {
      const [oldest, of] = this.#files.entries().next().value!;
      this.#files.delete(oldest);
      await of.close().catch(() => {});
    }
    this.#files.set(segment, file);
    return file;
  }

  /** Null when there is another file in its place by now: where lines are equally long, one of them would pass for another. */
  async #open({ segment, state }: IndexedSegment): Promise<OpenFile | null> {
    const file = await openSegment(this.#dir, segment, this.#fs);
    if (file === null) return null;
    let fits = false;
    try {
      const { size, mtimeMs } = await file.stat();
      fits =
        segment.lastTime === null ? size >= state.size : size === state.size && mtimeMs === state.changedAt;
    } finally {
      if (!fits) await file.close().catch(() => {});
    }
    return fits ? file : null;
  }
}
