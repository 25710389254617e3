// Appends to a file with group commit: acknowledged entries survive a killed process, and entries that arrive together share
// one write. fdatasync follows within a second and is not awaited: a power cut may lose the last second of a sandbox.

import { writeSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { APPEND_FLAGS } from "./line-file.ts";

/** Delay from a write to its fdatasync. */
const SYNC_MS: Milliseconds = 200;

export interface DurableAppender<E> {
  /** Bytes in the file. */
  readonly size: number;
  /**
   * Resolves once the system has the entry, in the order of the calls; it is on the disk within a second.
   * Rejects with the file system's error; after one error every later call is refused, because a failed flush may
   * have dropped pages that look written. Entries of one turn of the event loop share one write and this promise.
   */
  append(entry: E): Promise<void>;
  close(): Promise<void>;
}

/**
 * Derives a promise once for consecutive calls with the same promise, which then share the result.
 * @param derive its rejection is left to the callers
 */
export function sharing(derive: (written: Promise<void>) => Promise<void>): typeof derive {
  let last: Promise<void> | null = null;
  let derived: Promise<void>;
  return (written) => {
    if (written !== last) {
      last = written;
      derived = derive(written);
    }
    return derived;
  };
}

interface Batch<E> extends PromiseWithResolvers<void> {
  readonly entries: E[];
}

/**
 * @param length cut the file to this many bytes first: what follows is a torn record
 * @param sync false for state that is not needed after a crash
 * @param encode bytes of the entries of one write
 */
export async function openDurableAppender<E>(
  path: string,
  length: number,
  sync: boolean,
  encode: (entries: readonly E[]) => Uint8Array,
): Promise<DurableAppender<E>> {
  const file = await open(path, APPEND_FLAGS, 0o600);
  await file.truncate(length);
  let size = length;
  let batch: Batch<E> | null = null;
  let failure: unknown = null;
  let pending: NodeJS.Timeout | null = null;
  let syncing: Promise<void> = Promise.resolve();

  function syncSoon(): void {
    if (!sync || pending !== null) return;
    pending = setTimeout(() => {
      pending = null;
      syncing = syncing.then(syncNow);
    }, SYNC_MS).unref();
  }

  async function syncNow(): Promise<void> {
    await file.datasync().catch((error: unknown) => {
      failure ??= error;
    });
  }

  function flush({ entries, resolve, reject }: Batch<E>): void {
    batch = null;
    try {
      if (failure !== null) throw failure;
      writeAll(encode(entries));
      syncSoon();
      resolve();
    } catch (error) {
      failure = error;
      reject(error);
    }
  }

  /** Synchronous: for a few kilobytes the round trip to the thread pool takes longer than write(2). */
  function writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(file.fd, bytes, done);
    size += bytes.length;
  }

  return {
    get size() {
      return size;
    },
    append(entry) {
      if (batch === null) {
        batch = { entries: [], ...Promise.withResolvers<void>() };
        // Not awaited: the next call reports the error.
        batch.promise.catch(() => undefined);
        // Requests of one batch call this one after another.
        setImmediate(flush, batch);
      }
      batch.entries.push(entry);
      return batch.promise;
    },
    async close() {
      await batch?.promise.catch(() => undefined);
      if (pending !== null) {
        clearTimeout(pending);
        syncing = syncing.then(syncNow);
      }
      await syncing;
      await file.close();
    },
  };
}
