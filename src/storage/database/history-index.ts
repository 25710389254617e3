// The index of the history: which table belongs to each segment, and the order of all entries. Tables of full segments are
// kept beside them, those of growing ones in memory. Lost or wrong it is built anew, in slices; whatever it names is checked on reading.

import { join } from "node:path";

import type { FileSystem } from "#src/storage/file-system.ts";
import { ForeignRows } from "./history-foreign.ts";
import { readIndexHead, removeStrayIndexFiles, writeIndexFile } from "./history-index-file.ts";
import { StaleRowError } from "./history-index-view.ts";
import type { IndexedSegment, IndexView } from "./history-index-view.ts";
import { RowsBuilder, summaryOf } from "./history-rows.ts";
import type { HistoryRows, RowSummary } from "./history-rows.ts";
import { scanSegment } from "./history-scan.ts";
import { HistoryTables } from "./history-tables.ts";
import { openSegment } from "./journal-reader.ts";
import { orderRows, sharing } from "./row-order.ts";
import { listSegments } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { systemCode } from "#src/storage/write-fault.ts";

/** Names in a folder that changed so recently may change again under the same time. */
const SETTLED_MS = 100;

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
  /** Null when it is in a file. */
  rows: HistoryRows | null;
  summary: RowSummary;
  /** Times of the rows, where others fall between them. */
  times: Float64Array | null;
  bad: number;
}

const EMPTY: IndexView = { segments: [], order: orderRows([]), foreign: new Map(), count: 0 };

export class HistoryIndex {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #onDamage: (segment: Segment) => Promise<void>;
  /** To be used with the views of this index. */
  readonly tables: HistoryTables;
  readonly #foreign: ForeignRows;
  #known = new Map<string, Known>();
  /** Segments whose kept table has turned out to be wrong. */
  #distrusted = new Set<string>();
  #view: IndexView = EMPTY;
  #built = false;
  #folderChangedAt = -1;
  #refreshing: Promise<IndexView> | null = null;
  #stopping = new AbortController();

  /** @param onDamage gets each segment in which damage is met */
  constructor(dir: string, fs: FileSystem, onDamage: (segment: Segment) => Promise<void>) {
    this.#dir = dir;
    this.#fs = fs;
    this.#onDamage = onDamage;
    this.tables = new HistoryTables(dir, fs);
    this.#foreign = new ForeignRows(this.tables);
  }

  /** Looks for what has changed. The same view as before when nothing has; never blocks for more than some milliseconds. */
  refresh(): Promise<IndexView> {
    this.#refreshing ??= this.#settled().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  /** Keeps the table of a segment that has just become full, so that nobody needs to scan it when there are many. Never throws. */
  async keep(id: string): Promise<void> {
    try {
      if (this.#built) {
        await this.refresh();
        return;
      }
      const segment = (await listSegments(this.#dir, this.#fs)).find((each) => each.id === id);
      if (segment !== undefined && segment.lastTime !== null) await this.#look(segment, undefined);
    } catch {
      // Whoever needs the table makes it then, and hears what is wrong.
    }
  }

  /** Ends a look under way, which may take seconds the first time: it rejects. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  /** Takes a table for wrong: the next refresh scans its segment. */
  distrust(id: string): void {
    this.#distrusted.add(id);
    this.#known.delete(id);
    this.#folderChangedAt = -1;
  }

  /** The same for the tables whose files have turned out to be spoiled. */
  distrustSpoiled(): void {
    for (const id of this.tables.spoiled) this.distrust(id);
    this.tables.spoiled.clear();
  }

  /** What the making of a view has found to be wrong is looked at again at once. */
  async #settled(): Promise<IndexView> {
    const view = await this.#refresh();
    this.distrustSpoiled();
    return this.#distrusted.size === 0 ? view : await this.#refresh();
  }

  /** Whether nothing has changed since the view, for the price of a few looks at sizes. */
  async #isCurrent(): Promise<boolean> {
    if (!this.#built || this.#distrusted.size > 0) return false;
    if ((await this.#folderTime()) !== this.#folderChangedAt) return false;
    for (const known of this.#known.values()) {
      if (known.segment.lastTime === null && (await this.#sizeOf(known.segment)) !== known.size) return false;
    }
    return true;
  }

  async #refresh(): Promise<IndexView> {
    const stopping = this.#stopping.signal;
    if (await this.#isCurrent()) return this.#view;
    const before = Date.now();
    const folderChangedAt = await this.#folderTime();
    const listed = await listSegments(this.#dir, this.#fs);
    let changed = !this.#built;
    const known = new Map<string, Known>();
    const grownFrom = new Map<RowSummary, RowSummary>();
    for (const segment of listed) {
      stopping.throwIfAborted();
      const old = this.#distrusted.has(segment.id) ? undefined : this.#known.get(segment.id);
      const fresh = await this.#look(segment, old);
      if (fresh === null) continue;
      changed ||= fresh.summary !== old?.summary;
      known.set(segment.id, fresh);
      if (old !== undefined && fresh.builder !== null && fresh.builder === old.builder) {
        grownFrom.set(fresh.summary, old.summary);
      }
    }
    if (folderChangedAt !== this.#folderChangedAt) {
      await removeStrayIndexFiles(this.#dir, new Set(known.keys()), this.#fs);
    }
    // One may have gone between the listing and the look at it.
    changed ||= known.size !== this.#known.size;
    for (const id of this.#distrusted) if (!known.has(id)) this.#distrusted.delete(id);
    this.#known = known;
    // Two changes within one tick of the clock have the same time: look again.
    this.#folderChangedAt = Math.abs(before - folderChangedAt) < SETTLED_MS ? -1 : folderChangedAt;
    if (changed) {
      // Should it fail, what is known by now still waits for its view.
      this.#built = false;
      this.#view = await this.#viewOf([...known.values()], grownFrom);
      this.#built = true;
    }
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
        if (!isFull || old.rows === null) return { ...old, segment };
        const isKept = await writeIndexFile(
          this.#dir,
          segment.id,
          state,
          { ...old, rows: old.rows },
          this.#fs,
        );
        return { ...old, segment, builder: null, rows: isKept ? null : old.rows };
      }
      if (isFull && !this.#distrusted.has(segment.id)) {
        const kept = await readIndexHead(this.#dir, segment.id, state, this.#fs);
        if (kept !== null) {
          if (kept.bad > 0) await this.#onDamage(segment);
          return { segment, ...state, inode, builder: null, rows: null, times: null, ...kept };
        }
      }
      // What was appended to what is known; everything of a segment that is new or has been changed otherwise.
      const grown = old !== undefined && old.builder !== null && old.inode === inode && old.size <= size;
      const builder = grown ? old.builder! : new RowsBuilder();
      const scanned = await scanSegment(file, grown ? old.size : 0, size, isFull, builder);
      const bad = (grown ? old.bad : 0) + scanned.bad;
      if (scanned.bad > 0) await this.#onDamage(segment);
      const isSame = grown && scanned.end === old.size && scanned.bad === 0;
      const rows = isSame ? old.rows! : builder.pack();
      const summary = isSame ? old.summary : summaryOf(rows);
      const isKept =
        isFull && (await writeIndexFile(this.#dir, segment.id, state, { rows, summary, bad }, this.#fs));
      if (!grown) this.#distrusted.delete(segment.id);
      return {
        segment,
        // A line that is not whole yet is looked at again.
        size: isFull ? size : scanned.end,
        changedAt,
        inode,
        builder: isFull ? null : builder,
        rows: isKept ? null : rows,
        summary,
        // The whole table would stay in memory with them.
        times: isKept ? null : rows.time,
        bad,
      };
    } finally {
      await file.close();
    }
  }

  async #viewOf(known: readonly Known[], grownFrom: ReadonlyMap<RowSummary, RowSummary>): Promise<IndexView> {
    const sorted = known.toSorted(
      (a, b) => firstTime(a) - firstTime(b) || (a.segment.id < b.segment.id ? -1 : 1),
    );
    const segments = sorted.map(indexed);
    const spans = sorted.map(({ summary: { rows, firstTime: first, lastTime: last } }) => ({
      length: rows,
      first,
      last,
    }));
    const shared = sharing(spans);
    for (const [place, each] of sorted.entries()) {
      if (!shared.has(place)) each.times = null;
      else each.times ??= await this.#timesOf(segments[place]!);
    }
    const order = orderRows(spans.map((span, place) => ({ ...span, all: sorted[place]!.times })));
    this.tables.makeRoom(order.width);
    const foreign = await this.#foreign.update(segments, grownFrom);
    return { segments, order, foreign, count: order.before.at(-1) ?? 0 };
  }

  /** Null, and it is looked at again, for a table that does not fit its segment any more. */
  async #timesOf(segment: IndexedSegment): Promise<Float64Array | null> {
    try {
      const { time } = this.tables.at(segment) ?? (await this.tables.load(segment));
      return time.slice();
    } catch (error) {
      if (!(error instanceof StaleRowError)) throw error;
      this.distrust(error.segmentId);
      return null;
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

function indexed({ segment, size, changedAt, inode, summary, rows }: Known): IndexedSegment {
  return { segment, state: { size, changedAt }, inode, summary, rows };
}

function firstTime({ segment, summary }: Known): number {
  return summary.rows > 0 ? summary.firstTime : segment.firstTime;
}
