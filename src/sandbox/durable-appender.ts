// Appends to a file so that what was acknowledged survives the end of the process, however it ends: one write for all that
// arrived meanwhile. The disk is asked to keep it soon after, and nobody waits for that: a check would take as long as a
// busy disk needs, and all that a power cut can take with it is the last moment of a sandbox.

import { writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate as afterEvents } from "node:timers/promises";
import type { Milliseconds } from "#src/contract/clock.ts";
import { APPEND_FLAGS } from "./line-file.ts";

/** A flush to the disk follows a write after so long. */
const SYNC_MS: Milliseconds = 200;

export interface DurableAppender {
  /** Bytes in the file, those still on their way included. */
  readonly size: number;
  /**
   * Resolves once the system has the bytes, in the order of the calls; they are on the disk within a second.
   * Rejects with the file system's error; after one error every later call is refused, because a failed flush may
   * have dropped pages that look written.
   */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param length cut the file to this many bytes first: what follows is a torn record
 * @param sync false for state that nobody needs after a crash
 */
export async function openDurableAppender(
  path: string,
  length: number,
  sync: boolean,
): Promise<DurableAppender> {
  const file = await open(path, APPEND_FLAGS, 0o600);
  await file.truncate(length);
  let size = length;
  let waiting: { bytes: Uint8Array; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let running: Promise<void> | null = null;
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

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      // Requests that arrived together come here one after another: they share the write.
      await afterEvents();
      const batch = waiting;
      waiting = [];
      try {
        if (failure !== null) throw failure;
        writeAll(Buffer.concat(batch.map((entry) => entry.bytes)));
        syncSoon();
        for (const entry of batch) entry.resolve();
      } catch (error) {
        failure = error;
        for (const entry of batch) entry.reject(error);
      }
    }
    running = null;
  }

  /** At once: handing a few kilobytes to another thread and back takes longer than the system takes to keep them. */
  function writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(file.fd, bytes, done);
  }

  return {
    get size() {
      return size;
    },
    append(bytes) {
      size += bytes.length;
      return new Promise((resolve, reject) => {
        waiting.push({ bytes, resolve, reject });
        running ??= flush();
      });
    },
    async close() {
      await running;
      if (pending !== null) {
        clearTimeout(pending);
        syncing = syncing.then(syncNow);
      }
      await syncing;
      await file.close();
    },
  };
}
