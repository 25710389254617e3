// Reads all segments of a journal as one stream in time order, and keeps a copy of every damaged stretch it meets.

import { constants } from "node:fs";
import { join } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { createDurably, ensureFolder, openRegular, readAt } from "#src/storage/documents/durable-file.ts";
import { isLocked } from "#src/storage/documents/file-lock.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import type { JournalLine } from "./journal-line.ts";
import { endsEarly, listSegments, lockOf } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { readBackward, readForward } from "./segment-reader.ts";
import type { DamagedStretch } from "./segment-reader.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { systemCode } from "#src/storage/write-fault.ts";

export type Direction = "oldest_first" | "newest_first";

export class JournalReader {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #problems = new Map<string, StoreProblem>();

  constructor(dir: string, fs: FileSystem) {
    this.#dir = dir;
    this.#fs = fs;
  }

  get problems(): readonly StoreProblem[] {
    return [...this.#problems.values()];
  }

  /**
   * Every good line, in runs; within a run and from run to run in the order of time. Opens a segment only when the
   * stream reaches its time, so that memory stays flat and the newest lines need the newest segments only.
   */
  async *lines(direction: Direction): AsyncGenerator<JournalLine[]> {
    const sign = direction === "oldest_first" ? 1 : -1;
    const rank = (time: number): number => time * sign;
    const reach = (segment: Segment): number =>
      rank(direction === "oldest_first" ? segment.firstTime : (segment.lastTime ?? Infinity));
    const waiting = (await listSegments(this.#dir, this.#fs)).sort((a, b) => reach(a) - reach(b));
    const active: Cursor[] = [];
    try {
      for (;;) {
        const nearest = Math.min(...active.map((cursor) => rank(cursor.head.time)));
        const next = waiting[0];
        if (next !== undefined && reach(next) <= nearest) {
          waiting.shift();
          const cursor = await Cursor.start(this.#segmentLines(next, direction));
          if (cursor !== null) active.push(cursor);
          continue;
        }
        const best = active.find((cursor) => rank(cursor.head.time) === nearest);
        if (best === undefined) return;
        const others = active.filter((cursor) => cursor !== best).map((cursor) => rank(cursor.head.time));
        const limit = Math.min(...others, next === undefined ? Infinity : reach(next));
        yield best.takeWhile((line) => rank(line.time) <= limit);
        if (!(await best.refill())) active.splice(active.indexOf(best), 1);
      }
    } finally {
      await Promise.all(active.map((cursor) => cursor.stop()));
    }
  }

  async *#segmentLines(segment: Segment, direction: Direction): AsyncGenerator<JournalLine[]> {
    const file = await openSegment(this.#dir, segment, this.#fs);
    if (file === null) return;
    try {
      const { size } = await file.stat();
      const damaged: DamagedStretch[] = [];
      let isDamaged = false;
      let newest = 0;
      const onDamage = (stretch: DamagedStretch): void => {
        damaged.push(stretch);
        isDamaged = true;
      };
      const chunks =
        direction === "oldest_first"
          ? readForward(file, size, onDamage, (first, last) => this.#reportGap(segment, first, last))
          : readBackward(file, size, onDamage);
      for await (const lines of chunks) {
        for (const stretch of damaged.splice(0)) await this.#keep(file, segment, size, stretch);
        newest = Math.max(newest, lines[0]?.time ?? 0, lines.at(-1)?.time ?? 0);
        if (lines.length > 0) yield lines;
      }
      if (!isDamaged && endsEarly(segment, newest)) await this.#reportEnd(segment);
      for (const stretch of damaged) await this.#keep(file, segment, size, stretch);
    } finally {
      await file.close();
    }
  }

  async #reportEnd(segment: Segment): Promise<void> {
    // A living owner may not have written its first record yet.
    if (segment.lastTime === null && (await isLocked(lockOf(this.#dir, segment), this.#fs))) return;
    const path = join(this.#dir, segment.file);
    const message = `${escapeText(path)} ends before its last record; look for it in a backup of yours.`;
    this.#problems.set(`${segment.id}#end`, { path, message, isNew: true });
  }

  #reportGap(segment: Segment, first: number, last: number): void {
    const path = join(this.#dir, segment.file);
    const message = `${escapeText(path)} lacks the records from ${first} to ${last}; look for them in a backup of yours.`;
    const key = `${segment.id}#${first}`;
    if (!this.#problems.has(key)) this.#problems.set(key, { path, message, isNew: true });
  }

  /** Copies a damaged stretch to quarantine/, once, and reports it. The segment stays as it is. */
  async #keep(file: OpenFile, segment: Segment, size: number, stretch: DamagedStretch): Promise<void> {
    const name = `${segment.id}-${stretch.start}-${stretch.end}`;
    if (this.#problems.has(name)) return;
    if (stretch.open) {
      // A living owner may be in the middle of an append, or may just have finished it.
      if (await isLocked(lockOf(this.#dir, segment), this.#fs)) return;
      if ((await file.stat()).size !== size) return;
    }
    const folder = join(this.#dir, "quarantine");
    const copy = join(folder, name);
    let isNew = true;
    let kept = `a copy is kept as ${escapeText(copy)}`;
    try {
      const bytes = Buffer.alloc(stretch.end - stretch.start);
      await readAt(file, bytes, stretch.start);
      await ensureFolder(folder, this.#fs);
      await createDurably(copy, bytes, this.#fs);
    } catch (error) {
      if (systemCode(error) === "EEXIST") isNew = false;
      else kept = "a copy could not be made";
    }
    const path = join(this.#dir, segment.file);
    const message = `${escapeText(path)} has ${stretch.end - stretch.start} damaged bytes at ${stretch.start}, which are skipped; ${kept}.`;
    this.#problems.set(name, { path, message, isNew });
  }
}

/** Opens a segment, which may be sealed, and so renamed, between the listing and the opening; null when it is gone. */
export async function openSegment(dir: string, segment: Segment, fs: FileSystem): Promise<OpenFile | null> {
  for (let name: string | undefined = segment.file; name !== undefined;) {
    try {
      return await openRegular(join(dir, name), constants.O_RDONLY, fs);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    const renamed = (await listSegments(dir, fs)).find(({ id }) => id === segment.id);
    name = renamed?.file === name ? undefined : renamed?.file;
  }
  return null;
}

/** A stream of lines with its first line in sight. */
class Cursor {
  readonly #source: AsyncGenerator<JournalLine[]>;
  #lines: JournalLine[] = [];
  #index = 0;

  private constructor(source: AsyncGenerator<JournalLine[]>) {
    this.#source = source;
  }

  /** Null when there is no line at all. */
  static async start(source: AsyncGenerator<JournalLine[]>): Promise<Cursor | null> {
    const cursor = new Cursor(source);
    return (await cursor.refill()) ? cursor : null;
  }

  get head(): JournalLine {
    return this.#lines[this.#index]!;
  }

  /** The first line, and those after it in memory while the condition holds. */
  takeWhile(condition: (line: JournalLine) => boolean): JournalLine[] {
    const first = this.#index++;
    while (this.#index < this.#lines.length && condition(this.#lines[this.#index]!)) this.#index++;
    return this.#lines.slice(first, this.#index);
  }

  /** Makes sure that there is a first line; false when all are taken. */
  async refill(): Promise<boolean> {
    while (this.#index >= this.#lines.length) {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#lines = next.value;
      this.#index = 0;
    }
    return true;
  }

  async stop(): Promise<void> {
    await this.#source.return(undefined);
  }
}
