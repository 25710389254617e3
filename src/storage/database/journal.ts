// A journal: an endless list of records that several processes append to and read, held by lowdb's `Low`.

import { Low } from "lowdb";
import type { Adapter } from "lowdb";

import type { Fault } from "#src/contract/fault.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { JournalReader } from "./journal-reader.ts";
import type { Direction } from "./journal-reader.ts";
import { SegmentWriter } from "./segment-writer.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { isSyncFailure, readOnlyFault, storageFault, withStorageFaults } from "#src/storage/write-fault.ts";

/** Most records that one write makes durable together. */
const BATCH_LIMIT = 1_000;

export interface JournalOptions {
  /** Folder of the segments; created at the first append. */
  readonly dir: string;
  /** Wall time in ms since the epoch. */
  readonly now?: () => number;
  readonly fs?: FileSystem;
}

export interface Journal<T> {
  /**
   * Resolves when the record is on disk. Records that are appended while others are being written share one write and
   * one sync.
   * @throws Fault("storage") when it could not be saved
   */
  append(record: T): Promise<void>;
  /** The newest `n` records, oldest of them first; reads from the end. */
  tail(n: number): Promise<T[]>;
  /**
   * Every record in the order of time; flat memory. Read it to its end or leave it by `break` or `return()`, which
   * closes the files. The type is a promise of whoever appended.
   */
  records(): AsyncGenerator<T>;
  /** Every record, newest first; flat memory. */
  newestFirst(): AsyncGenerator<T>;
  /** Waits for appends under way and gives the segment back. An append after it starts anew. */
  close(): Promise<void>;
  /** Damage that reading has met since this journal was opened. */
  readonly problems: readonly StoreProblem[];
}

/** Opens a journal; touches no file before the first call. */
export function openJournal<T>({ dir, now = Date.now, fs = nodeFileSystem }: JournalOptions): Journal<T> {
  const adapter = new JournalAdapter<T>(dir, now, fs);
  const low = new Low<readonly T[]>(adapter, []);
  const reader = new JournalReader(dir, fs);
  let waiting: { record: T; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;
  let readOnly: Fault | null = null;

  const writeWaiting = async (): Promise<void> => {
    // Whatever is appended in the same turn of the event loop goes into the same write.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_LIMIT);
      waiting = waiting.slice(BATCH_LIMIT);
      low.data = batch.map(({ record }) => record);
      try {
        if (readOnly !== null) throw readOnly;
        await withStorageFaults(dir, () => low.write());
        for (const { resolve } of batch) resolve();
      } catch (error) {
        if (isSyncFailure(error)) readOnly ??= readOnlyFault(dir, error);
        for (const { reject } of batch) reject(error);
      }
    }
    low.data = [];
    writing = null;
  };

  async function* read(direction: Direction): AsyncGenerator<T> {
    try {
      for await (const run of reader.lines(direction)) {
        for (const { record } of run) yield record as T;
      }
    } catch (error) {
      throw storageFault(error, dir);
    }
  }

  const tail = async (n: number): Promise<T[]> => {
    const found: T[] = [];
    if (n > 0) {
      for await (const record of read("newest_first")) {
        if (found.push(record) >= n) break;
      }
    }
    return found.reverse();
  };

  return {
    get problems() {
      return reader.problems;
    },
    append: (record) =>
      new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject });
        writing ??= writeWaiting();
      }),
    tail,
    records: () => read("oldest_first"),
    newestFirst: () => read("newest_first"),
    close: async () => {
      await writing;
      await adapter.close();
    },
  };
}

/** lowdb adapter: `Low` holds the records that are not on disk yet, and `write` appends them. The past is streamed, never loaded. */
class JournalAdapter<T> implements Adapter<readonly T[]> {
  readonly #dir: string;
  readonly #now: () => number;
  readonly #fs: FileSystem;
  #writer: SegmentWriter | null = null;

  constructor(dir: string, now: () => number, fs: FileSystem) {
    this.#dir = dir;
    this.#now = now;
    this.#fs = fs;
  }

  read(): Promise<null> {
    return Promise.resolve(null);
  }

  async write(records: readonly T[]): Promise<void> {
    const now = Math.trunc(this.#now());
    if (this.#writer?.isFull === true) {
      const full = this.#writer;
      this.#writer = null;
      await full.seal();
    }
    this.#writer ??= await SegmentWriter.claim(this.#dir, now, this.#fs);
    await this.#writer.append(records, now);
  }

  async close(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close();
  }
}
