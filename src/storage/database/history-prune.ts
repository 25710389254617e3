// Removes old entries from the history for good. Segments are written anew beside the old ones and swapped in one step, so
// that a crash at any moment leaves the old history or the new one; what other processes append meanwhile is not touched.

import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { join } from "node:path";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { createPrivate, syncFolder, writeAll } from "#src/storage/documents/durable-file.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import type { FileLock } from "#src/storage/documents/file-lock.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { HistoryRecord } from "./history-record.ts";
import { encodeLine } from "./journal-line.ts";
import type { JournalLine } from "./journal-line.ts";
import { openSegment } from "./journal-reader.ts";
import { listSegments, lockOf } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { readForward } from "./segment-reader.ts";
import { commitSwap, finishSwap, MANIFEST, NEXT } from "./segment-swap.ts";
import { finishAbandonedSwap, swapLockOf } from "./segment-writer.ts";

export interface Pruned {
  /** Entries that were older. */
  readonly removed: number;
  readonly kept: number;
  /** Bytes that the segments have become smaller by. */
  readonly freedBytes: number;
  /** Older entries that stay, because their segment is being written to. */
  readonly inUse: number;
  /** Copies of damaged stretches, which may hold parts of entries; they are left alone. */
  readonly quarantined: number;
}

export interface PruneOptions {
  readonly dir: string;
  /** Entries made before this go, in ms since the epoch. */
  readonly before: Milliseconds;
  /** Only count. */
  readonly dryRun: boolean;
  readonly fs: FileSystem;
  readonly signal?: AbortSignal;
  /** Bytes that were read, of all that will be. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Gets each segment that is going to be replaced, to keep a copy of what is damaged in it. */
  readonly inspect: (segment: Segment) => Promise<void>;
}

/** What is to become of a segment. */
interface Plan {
  readonly segment: Segment;
  readonly size: number;
  /** Lines that stay. */
  readonly kept: number;
  readonly dropped: number;
}

/** Null when another process is pruning. @throws the system's errors, with nothing changed */
export async function pruneHistory(options: PruneOptions): Promise<Pruned | null> {
  const { dir, fs, dryRun } = options;
  if ((await listSegments(dir, fs)).length === 0) {
    return { removed: 0, kept: 0, freedBytes: 0, inUse: 0, quarantined: 0 };
  }
  if (dryRun) return await pruneLocked(options, []);
  if (!(await finishAbandonedSwap(dir, fs))) return null;
  const swapLock = await tryLock(swapLockOf(dir), fs);
  if (swapLock === null) return null;
  const locks: FileLock[] = [swapLock];
  try {
    await removeLeftovers(dir, fs);
    return await pruneLocked(options, locks);
  } finally {
    for (const lock of locks.reverse()) await lock.release();
  }
}

async function pruneLocked(options: PruneOptions, locks: FileLock[]): Promise<Pruned> {
  const { dir, fs, before, dryRun, signal, onProgress } = options;
  const held = new Set<string>();
  for (const segment of await listSegments(dir, fs)) {
    if (segment.lastTime !== null || dryRun) continue;
    const lock = await tryLock(lockOf(dir, segment), fs);
    if (lock === null) continue;
    locks.push(lock);
    held.add(segment.id);
  }
  // Listed again: one may have been sealed, and so renamed, before its lock was free.
  const segments = await listSegments(dir, fs);
  const isFree = ({ id, lastTime }: Segment): boolean => dryRun || lastTime !== null || held.has(id);
  const free = segments.filter(isFree);
  const taken = segments.filter((segment) => !isFree(segment));
  const reader = new SegmentLines(dir, fs, signal);
  const all = 2 * (await reader.bytes([...free, ...taken]));
  const step = (done: number): void => onProgress?.(Math.min(done, all), all);

  let inUse = 0;
  const stays = new Set<string>();
  for (const segment of taken) {
    for await (const { record } of reader.lines(segment, step)) {
      if (!isOldIntent(record, before)) continue;
      inUse += 1;
      stays.add((record as { entry: { id: string } }).entry.id);
    }
  }
  const gone = new Set<string>();
  let kept = 0;
  for (const segment of free) {
    for await (const { record } of reader.lines(segment, step)) {
      if (isOldIntent(record, before)) gone.add((record as { entry: { id: string } }).entry.id);
      else if ((record as HistoryRecord).type === "intent") kept += 1;
    }
  }
  const drops = ({ record, time }: JournalLine): boolean => {
    const { type } = record as HistoryRecord;
    if (type === "intent") return isOldIntent(record, before);
    if (type !== "learned") return false;
    const { id } = record as { id: string };
    // What was told of entries that went at an earlier time goes by its own.
    return gone.has(id) || (time < before && !stays.has(id));
  };
  const quarantined = (await fs.readdir(join(dir, "quarantine")).catch(() => [])).length;
  const plans: Plan[] = [];
  for (const segment of free) {
    const counts = { kept: 0, dropped: 0 };
    const needs = gone.size > 0 || segment.firstTime < before;
    if (!needs) continue;
    for await (const line of reader.lines(segment, step)) counts[drops(line) ? "dropped" : "kept"] += 1;
    if (counts.dropped > 0) plans.push({ segment, size: await reader.bytes([segment]), ...counts });
  }
  const freedBytes = dryRun
    ? plans.reduce((sum, { size, kept: some, dropped }) => sum + (size * dropped) / (some + dropped), 0)
    : await swap(options, plans, drops, reader);
  return { removed: gone.size, kept, freedBytes: Math.round(freedBytes), inUse, quarantined };
}

function isOldIntent(record: unknown, before: Milliseconds): boolean {
  const known = record as HistoryRecord;
  return known.type === "intent" && known.entry.at < before;
}

/** Writes what stays, and swaps. @returns bytes that are free now */
async function swap(
  { dir, fs, inspect }: PruneOptions,
  plans: readonly Plan[],
  drops: (line: JournalLine) => boolean,
  reader: SegmentLines,
): Promise<number> {
  if (plans.length === 0) return 0;
  let freed = 0;
  const written: string[] = [];
  try {
    for (const { segment, size, kept } of plans) {
      freed += size;
      await inspect(segment);
      if (kept === 0) continue;
      const path = join(dir, `${segment.file}${NEXT}`);
      written.push(path);
      freed -= await writeKept(path, reader.lines(segment), drops, fs);
    }
    await syncFolder(dir, fs);
    const files = (wanted: (plan: Plan) => boolean): string[] =>
      plans.filter(wanted).map(({ segment }) => segment.file);
    const change = { replace: files(({ kept }) => kept > 0), remove: files(({ kept }) => kept === 0) };
    await commitSwap(dir, change, fs);
    // From here on the new history counts, whatever happens.
    written.length = 0;
    await finishSwap(dir, change, fs);
  } catch (error) {
    // A manifest that may have become durable rules: what it names must stay.
    const isCommitted = (await fs.readdir(dir).catch(() => [MANIFEST])).includes(MANIFEST);
    if (!isCommitted) for (const path of written) await fs.unlink(path).catch(() => {});
    throw error;
  }
  return freed;
}

async function writeKept(
  path: string,
  lines: AsyncGenerator<JournalLine>,
  drops: (line: JournalLine) => boolean,
  fs: FileSystem,
): Promise<number> {
  const file = await createPrivate(path, fs, constants.O_WRONLY);
  try {
    let sequence = 0;
    let size = 0;
    let batch: Buffer[] = [];
    const flush = async (): Promise<void> => {
      const bytes = Buffer.concat(batch);
      batch = [];
      await writeAll(file, bytes, size);
      size += bytes.length;
    };
    for await (const line of lines) {
      if (drops(line)) continue;
      // The same times; sequence numbers without gaps, so that nothing looks lost.
      batch.push(encodeLine({ ...line, sequence: ++sequence }));
      if (batch.length >= 500) await flush();
    }
    await flush();
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

const LEFTOVER = /^\.(?:[\d-]+[0-9a-f-]*\.jsonl|swap\.json)\.[0-9a-f]{16}\.tmp$/;

/** Replacements that a killed process wrote before its swap counted. Only under the lock of swaps. */
async function removeLeftovers(dir: string, fs: FileSystem): Promise<void> {
  const names = await fs.readdir(dir);
  if (names.includes(MANIFEST)) return;
  for (const name of names) {
    if (name.endsWith(`.jsonl${NEXT}`) || LEFTOVER.test(name)) await fs.unlink(join(dir, name));
  }
}

/** Reads whole segments, line by line. */
class SegmentLines {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #signal: AbortSignal | undefined;
  #done = 0;

  constructor(dir: string, fs: FileSystem, signal: AbortSignal | undefined) {
    this.#dir = dir;
    this.#fs = fs;
    this.#signal = signal;
  }

  async *lines(segment: Segment, step?: (done: number) => void): AsyncGenerator<JournalLine> {
    const file = await openSegment(this.#dir, segment, this.#fs);
    if (file === null) return;
    try {
      const { size } = await file.stat();
      const nothing = (): void => undefined;
      for await (const lines of readForward(file, size, nothing, nothing)) {
        this.#signal?.throwIfAborted();
        yield* lines;
      }
      step?.((this.#done += size));
    } finally {
      await file.close();
    }
  }

  async bytes(segments: readonly Segment[]): Promise<number> {
    let sum = 0;
    for (const segment of segments) {
      const file = await openSegment(this.#dir, segment, this.#fs);
      if (file === null) continue;
      try {
        sum += (await file.stat()).size;
      } finally {
        await file.close();
      }
    }
    return sum;
  }
}
