// Reads entries at places that the index names: their lines through a small cache of blocks, each checked before it counts.

import { Buffer } from "node:buffer";

import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { readAt } from "./durable-file.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import type { IndexView, LearnedRef, RowRef } from "./history-index.ts";
import { refKey } from "./history-index.ts";
import type { HistoryRecord } from "./history-record.ts";
import { decodeLine } from "./journal-line.ts";
import type { JournalLine } from "./journal-line.ts";
import { openSegment } from "./journal-reader.ts";

const BLOCK = 128 * 1024;
/** Blocks in memory at once. */
const BLOCKS = 24;
/** Segments open at once. */
const FILES = 8;

/** Names an entry that is not where the index says: its segment is to be scanned anew. */
export class StaleRowError extends Error {
  /** Id of the segment. */
  readonly segmentId: string;

  constructor(segmentId: string) {
    super("a row of the index does not fit its segment");
    this.segmentId = segmentId;
  }
}

export class HistoryLines {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #view: IndexView;
  readonly #files = new Map<number, OpenFile>();
  readonly #blocks = new Map<string, Buffer>();

  /** To be closed. */
  constructor(dir: string, view: IndexView, fs: FileSystem) {
    this.#dir = dir;
    this.#view = view;
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
    const { rows, segment } = this.#view.segments[ref.segment]!;
    const offset = rows.offset[ref.row]!;
    const length = rows.length[ref.row]!;
    // Awaiting what is there already would take longer than reading it.
    const line =
      this.#lineAtHand(ref.segment, offset, length) ?? (await this.#line(ref.segment, offset, length));
    const record = line?.record as HistoryRecord | undefined;
    if (record?.type !== "intent") throw new StaleRowError(segment.id);
    if (!accepts(record.entry)) return null;
    const learned: { line: JournalLine; ref: LearnedRef }[] = [];
    for (const each of this.#learnedOf(ref)) {
      const found = await this.#learnedLine(each);
      if (found !== null) learned.push({ line: found, ref: each });
    }
    // The last word of each field counts, as in a reading of the whole journal.
    learned.sort((a, b) => a.line.time - b.line.time || a.ref.segment - b.ref.segment);
    const entry = { ...record.entry };
    for (const { line: each } of learned) {
      const later = each.record as HistoryRecord;
      // Of two ids with one hash, each keeps its own.
      if (later.type === "learned" && later.id === entry.id) Object.assign(entry, later.learned);
    }
    return entry;
  }

  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    this.#blocks.clear();
    await Promise.all(files.map((file) => file.close().catch(() => {})));
  }

  /** Oldest first within a segment. */
  #learnedOf(ref: RowRef): LearnedRef[] {
    const { rows } = this.#view.segments[ref.segment]!;
    const own: LearnedRef[] = [];
    for (let learned = rows.head[ref.row]!; learned >= 0; learned = rows.learnedNext[learned]!) {
      own.push({ segment: ref.segment, learned });
    }
    return [...own.reverse(), ...(this.#view.foreign.get(refKey(ref)) ?? [])];
  }

  async #learnedLine({ segment, learned }: LearnedRef): Promise<JournalLine | null> {
    const { rows, segment: of } = this.#view.segments[segment]!;
    const offset = rows.learnedOffset[learned]!;
    const length = rows.learnedLength[learned]!;
    const line = this.#lineAtHand(segment, offset, length) ?? (await this.#line(segment, offset, length));
    if (line === null) throw new StaleRowError(of.id);
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
    if (this.#blocks.size >= BLOCKS) {
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
    const file = await openSegment(this.#dir, this.#view.segments[segment]!.segment, this.#fs);
    if (file === null) return null;
    if (this.#files.size >= FILES) {
      const [oldest, of] = this.#files.entries().next().value!;
      this.#files.delete(oldest);
      await of.close().catch(() => {});
    }
    this.#files.set(segment, file);
    return file;
  }
}
