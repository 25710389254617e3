// Appends to one journal segment that this process has locked: each call is one write and one fdatasync.

import { constants } from "node:fs";
import { dirname, join } from "node:path";

import {
  createPrivate,
  ensureFolder,
  openRegular,
  readAt,
  syncFolder,
  writeAll,
} from "#src/storage/documents/durable-file.ts";
import { acquireLock, tryLock } from "#src/storage/documents/file-lock.ts";
import type { FileLock } from "#src/storage/documents/file-lock.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { encodeLine, LINE_FEED } from "./journal-line.ts";
import { isOrphan, listSegments, lockOf, newSegment, sealedName } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { readBackward } from "./segment-reader.ts";

/** A segment of this size gets no further lines, in bytes. */
export const SEGMENT_LIMIT = 8 * 1024 * 1024;

/** So many segments of processes that have ended are looked at before a new one is made. */
const REUSE_ATTEMPTS = 16;

/**
 * Writers that nobody has closed yet. Without a reference from here, a forgotten one would end the process: Node throws
 * when it collects an open file.
 */
const unclosed = new Set<SegmentWriter>();

/** Where the next line of a segment continues. */
interface Position {
  readonly size: number;
  readonly sequence: number;
  readonly time: number;
}

export class SegmentWriter {
  readonly #dir: string;
  readonly #segment: Segment;
  readonly #file: OpenFile;
  readonly #lock: FileLock;
  readonly #fs: FileSystem;
  #at: Position;

  private constructor(
    dir: string,
    segment: Segment,
    file: OpenFile,
    lock: FileLock,
    at: Position,
    fs: FileSystem,
  ) {
    this.#dir = dir;
    this.#segment = segment;
    this.#file = file;
    this.#lock = lock;
    this.#at = at;
    this.#fs = fs;
    unclosed.add(this);
  }

  /**
   * Takes over a segment with room whose process has ended, or makes a new one: so that a thousand short commands
   * share a few segments, and no two processes ever write to the same one.
   * @param now ms since the epoch
   */
  static async claim(dir: string, now: number, fs: FileSystem): Promise<SegmentWriter> {
    await ensureFolder(dir, fs);
    for (const name of await fs.readdir(dir)) {
      if (isOrphan(name)) await fs.unlink(join(dir, name)).catch(() => {});
    }
    const growing = (await listSegments(dir, fs)).filter(({ lastTime }) => lastTime === null);
    for (const segment of growing.reverse().slice(0, REUSE_ATTEMPTS)) {
      const lock = await tryLock(lockOf(dir, segment), fs);
      if (lock === null) continue;
      const writer = await SegmentWriter.#reopen(dir, segment, lock, now, fs);
      if (writer !== null) return writer;
    }
    return await SegmentWriter.#create(dir, now, fs);
  }

  /** Null, with the lock given back, unless the segment is whole at its end, has room, and is not ahead of the clock. */
  static async #reopen(
    dir: string,
    segment: Segment,
    lock: FileLock,
    now: number,
    fs: FileSystem,
  ): Promise<SegmentWriter | null> {
    let file: OpenFile | null = null;
    try {
      file = await openRegular(join(dir, segment.file), constants.O_RDWR | constants.O_APPEND, fs);
      const at = await endOf(file, segment);
      if (at !== null && at.time <= now) {
        const writer = new SegmentWriter(dir, segment, file, lock, at, fs);
        if (!writer.isFull) return writer;
        // Its last line may be from a process that was killed before its sync, and a full segment counts as whole.
        const isDurable = await file.datasync().then(
          () => true,
          () => false,
        );
        await (isDurable ? writer.seal() : writer.close());
        return null;
      }
    } catch {
      // Whatever is wrong with it, readers will report; this process writes to one of its own.
    }
    await file?.close().catch(() => {});
    await lock.release();
    return null;
  }

  static async #create(dir: string, now: number, fs: FileSystem): Promise<SegmentWriter> {
    const segment = newSegment(now);
    const path = join(dir, segment.file);
    const lock = await acquireLock(lockOf(dir, segment), { fs });
    try {
      const file = await createPrivate(path, fs, constants.O_RDWR | constants.O_APPEND);
      try {
        await syncFolder(dirname(path), fs);
      } catch (error) {
        await file.close().catch(() => {});
        await fs.unlink(path).catch(() => {});
        throw error;
      }
      return new SegmentWriter(dir, segment, file, lock, { size: 0, sequence: 0, time: now }, fs);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get isFull(): boolean {
    return this.#at.size >= SEGMENT_LIMIT;
  }

  /**
   * Appends records durably, in one piece. When it throws, none of them is acknowledged; what was written of them is
   * taken back, unless the sync itself failed.
   * @param now ms since the epoch; an earlier time than that of the last line counts as that one
   */
  async append(records: readonly unknown[], now: number): Promise<void> {
    const before = await this.#lineStart();
    const time = Math.max(now, this.#at.time);
    let { sequence } = this.#at;
    const lines = records.map((record) => encodeLine({ sequence: ++sequence, time, record }));
    const bytes = Buffer.concat([before.glue, ...lines]);
    try {
      await writeAll(this.#file, bytes, null);
    } catch (error) {
      // The lock makes these bytes ours alone. Should this fail too, the next append starts a line of its own.
      await this.#file.truncate(before.size).catch(() => {});
      throw error;
    }
    await this.#file.datasync();
    this.#at = { size: before.size + bytes.length, sequence, time };
  }

  /** Renames a full segment to the name that tells its last time. Readers find it under either name. */
  async seal(): Promise<void> {
    const { file } = this.#segment;
    // A full segment that keeps its old name is only slower to read.
    await this.#fs
      .rename(join(this.#dir, file), join(this.#dir, sealedName(this.#segment, this.#at.time)))
      .catch(() => {});
    await this.close();
  }

  async close(): Promise<void> {
    unclosed.delete(this);
    await this.#file.close().catch(() => {});
    await this.#lock.release();
  }

  /**
   * Where the next line starts: nothing may be glued to a line that a failed write or a crash has left torn. One read
   * of two bytes tells that the file ends where the last append left it, in a line feed.
   */
  async #lineStart(): Promise<{ size: number; glue: Buffer }> {
    const none = Buffer.alloc(0);
    const { size } = this.#at;
    const end = Buffer.alloc(2);
    const found = await readAt(this.#file, end, Math.max(0, size - 1));
    if (size === 0 ? found === 0 : found === 1 && end[0] === LINE_FEED) return { size, glue: none };
    const actual = (await this.#file.stat()).size;
    await readAt(this.#file, end.subarray(0, 1), Math.max(0, actual - 1));
    const whole = actual === 0 || end[0] === LINE_FEED;
    return { size: actual, glue: whole ? none : Buffer.from([LINE_FEED]) };
  }
}

/** Reads the last line; null when the segment does not end in a good one. */
async function endOf(file: OpenFile, segment: Segment): Promise<Position | null> {
  const { size } = await file.stat();
  if (size === 0) return { size, sequence: 0, time: segment.firstTime };
  let damaged = false;
  for await (const [last] of readBackward(file, size, () => (damaged = true))) {
    if (damaged) return null;
    if (last !== undefined) return { size, sequence: last.sequence, time: last.time };
  }
  return null;
}
