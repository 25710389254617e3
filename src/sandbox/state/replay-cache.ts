// Replay protection: accepted signatures are remembered for as long as they could be replayed, in buckets by time, on disk.

import { hash } from "node:crypto";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { ensureFolder, readWhole, replaceDurably, syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { openDurableAppender, type DurableAppender } from "./durable-appender.ts";
import { createFingerprintSet, FINGERPRINT_BYTES, type FingerprintSet } from "./fingerprint-set.ts";

const BUCKET_MS: Milliseconds = 60_000;
const BUCKET_FILE = /^(\d{1,12})\.seen$/;
const FLOOR_FILE = "floor";

/**
 * - `new`: remembered now; `durable` resolves once a restart cannot forget it
 * - `seen`: a replay
 * - `forgotten`: signed so long ago that its bucket has been deleted (the real clock went back)
 * - `full`: no room; entries are never evicted, because each could then be replayed
 */
export type Remembered =
  | { readonly state: "new"; readonly durable: Promise<void> }
  | { readonly state: "seen" | "forgotten" | "full" };

export interface ReplayCache {
  /** Signatures that are remembered. */
  readonly size: number;
  /**
   * @param identity what makes the signature unique: key id and nonce, or the signature itself
   * @param signedAt the time that was signed, real
   */
  remember(identity: string, signedAt: Milliseconds, realNow: Milliseconds): Promise<Remembered>;
  close(): Promise<void>;
}

interface Bucket {
  readonly seen: FingerprintSet;
  readonly file: DurableAppender<string>;
}

/**
 * One file of fingerprints per minute; a bucket is deleted when its last signature has left the window.
 * @param windowMs accepted distance between the signed time and the clock, each way
 * @throws Fault("storage") when a file is no regular file
 */
export async function openReplayCache(options: {
  readonly dir: string;
  readonly windowMs: Milliseconds;
  readonly capacity: number;
  readonly sync: boolean;
}): Promise<ReplayCache> {
  const { dir, windowMs, capacity, sync } = options;
  await ensureFolder(dir, nodeFileSystem);
  /** A bucket that is being created is a promise. */
  const buckets = new Map<number, Bucket | Promise<Bucket>>();
  let count = 0;
  /** Buckets below this one have been deleted. */
  let swept = 0;
  /** Times below this bucket are no longer remembered. */
  let floor = await readFloor(dir);

  for (const name of await readdir(dir)) {
    const number = BUCKET_FILE.exec(name)?.[1];
    if (number === undefined) continue;
    const bytes = (await readWhole(join(dir, name), nodeFileSystem)) ?? Buffer.alloc(0);
    const whole = bytes.length - (bytes.length % FINGERPRINT_BYTES);
    const seen = createFingerprintSet();
    for (let at = 0; at < whole; at += FINGERPRINT_BYTES)
      seen.add(bytes.toString("latin1", at, at + FINGERPRINT_BYTES));
    count += seen.size;
    const file = await openDurableAppender(join(dir, name), whole, sync, concatenated);
    buckets.set(Number(number), { seen, file });
  }

  async function createBucket(number: number): Promise<Bucket> {
    const file = await openDurableAppender(join(dir, `${number}.seen`), 0, sync, concatenated);
    if (sync) await syncFolder(dir, nodeFileSystem);
    return { seen: createFingerprintSet(), file };
  }

  function startBucket(number: number): Promise<Bucket> {
    const opening = createBucket(number);
    buckets.set(number, opening);
    // The bucket may have been deleted while it was being created.
    const isWanted = (): boolean => buckets.get(number) === opening;
    opening.then(
      (bucket) => isWanted() && buckets.set(number, bucket),
      () => isWanted() && buckets.delete(number),
    );
    return opening;
  }

  /**
   * Deletes the buckets that no acceptable signature can fall into. If the real clock goes back, their times
   * are refused; times of buckets that were always empty are not.
   */
  async function forgetBefore(lowest: number): Promise<void> {
    swept = lowest;
    const gone = [...buckets].filter(([number]) => number < lowest);
    if (gone.length === 0) return;
    floor = Math.max(floor, ...gone.map(([number]) => number + 1));
    for (const [number] of gone) buckets.delete(number);
    await replaceDurably(join(dir, FLOOR_FILE), Buffer.from(String(floor)), nodeFileSystem, null);
    for (const [number, opening] of gone) {
      const bucket = await opening;
      count -= bucket.seen.size;
      await bucket.file.close();
      await unlink(join(dir, `${number}.seen`));
    }
  }

  return {
    get size() {
      return count;
    },
    async remember(identity, signedAt, realNow) {
      const lowest = Math.floor((realNow - windowMs) / BUCKET_MS);
      if (lowest !== swept) await forgetBefore(lowest);
      const number = Math.floor(signedAt / BUCKET_MS);
      if (number < floor) return { state: "forgotten" };
      const known = buckets.get(number) ?? startBucket(number);
      const bucket = known instanceof Promise ? await known : known;
      const fingerprint = hash("sha256", identity, "latin1").slice(0, FINGERPRINT_BYTES);
      if (count >= capacity) return { state: bucket.seen.has(fingerprint) ? "seen" : "full" };
      if (!bucket.seen.add(fingerprint)) return { state: "seen" };
      count += 1;
      return { state: "new", durable: bucket.file.append(fingerprint) };
    },
    async close() {
      for (const opening of buckets.values()) await (await opening).file.close();
      buckets.clear();
    },
  };
}

function concatenated(fingerprints: readonly string[]): Uint8Array {
  return Buffer.from(fingerprints.join(""), "latin1");
}

async function readFloor(dir: string): Promise<number> {
  const bytes = await readWhole(join(dir, FLOOR_FILE), nodeFileSystem);
  const text = bytes?.toString("latin1") ?? "";
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}
