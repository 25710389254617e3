// Appends to a file so that what was acknowledged is on disk, with one flush for all that arrived meanwhile (group commit).

import { open } from "node:fs/promises";

export interface DurableAppender {
  /** Bytes in the file, those still on their way included. */
  readonly size: number;
  /**
   * Resolves once the bytes are on disk, in the order of the calls.
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
  const file = await open(path, "a", 0o600);
  await file.truncate(length);
  let size = length;
  let waiting: { bytes: Uint8Array; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let running: Promise<void> | null = null;
  let failure: unknown = null;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (failure !== null) throw failure;
        await writeAll(Buffer.concat(batch.map((entry) => entry.bytes)));
        if (sync) await file.datasync();
        for (const entry of batch) entry.resolve();
      } catch (error) {
        failure = error;
        for (const entry of batch) entry.reject(error);
      }
    }
    running = null;
  }

  async function writeAll(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done);
      done += bytesWritten;
    }
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
      await file.close();
    },
  };
}
