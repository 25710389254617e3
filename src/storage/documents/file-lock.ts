// A lock that every process of every user of a file respects: a file created exclusively that names its owner.
// It is taken from an owner that is gone, and from nobody else, however long it lasts.

import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { createPrivate, ensureFolder, NO_LINKS, readWhole, temporaryName, writeAll } from "./durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { isBeforeBoot, isGone, parseOwner, thisProcess } from "./lock-owner.ts";
import type { LockOwner } from "./lock-owner.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

/** How long to wait for a living owner: longer than a suspended editor or a slow disk, shorter than patience. */
const LOCK_WAIT_MS = 30_000;

export interface FileLock {
  /** Gives the lock back. Never throws: what was done under the lock stays done. */
  release(): Promise<void>;
}

/** Tokens of the locks that this process holds now. */
const heldTokens = new Set<string>();

interface Holder {
  readonly bytes: Buffer;
  readonly owner: LockOwner | null;
  readonly changedAtMs: number;
}

/**
 * Takes the lock at `path`, waiting for a living owner at most `waitMs`. The folder must exist.
 * @throws Fault("storage") naming the owner when the wait is over, or when the lock file cannot be written
 */
export async function acquireLock(
  path: string,
  { waitMs = LOCK_WAIT_MS, fs = nodeFileSystem }: { waitMs?: number; fs?: FileSystem } = {},
): Promise<FileLock> {
  const deadline = performance.now() + waitMs;
  return await withStorageFaults(path, async () => {
    for (;;) {
      const holder = await readHolder(path, fs);
      if (holder === null) {
        const token = await create(path, fs);
        if (token !== null) return { release: () => release(path, token, fs) };
      } else if (isStale(path, holder)) {
        await removeStale(path, holder, deadline - performance.now(), fs);
      } else if (performance.now() >= deadline) {
        throw heldFault(path, holder.owner);
      } else {
        // Jitter, so that two waiters do not meet at every attempt.
        await sleep(2 + Math.random() * 10);
      }
    }
  });
}

/** Takes the lock if nobody alive holds it; null otherwise. */
export async function tryLock(path: string, fs: FileSystem = nodeFileSystem): Promise<FileLock | null> {
  const holder = await withStorageFaults(path, () => readHolder(path, fs));
  if (holder !== null && !isStale(path, holder)) return null;
  try {
    return await acquireLock(path, { waitMs: 0, fs });
  } catch (error) {
    if (error instanceof LockHeldFault) return null;
    throw error;
  }
}

/** Whether a living process holds the lock now. */
export async function isLocked(path: string, fs: FileSystem = nodeFileSystem): Promise<boolean> {
  const holder = await withStorageFaults(path, () => readHolder(path, fs));
  return holder !== null && !isStale(path, holder);
}

/** Runs an action under the lock at `path`; creates the folder when it is missing. */
export async function withLock<R>(path: string, fs: FileSystem, action: () => Promise<R>): Promise<R> {
  await withStorageFaults(dirname(path), () => ensureFolder(dirname(path), fs));
  const lock = await acquireLock(path, { fs });
  try {
    return await action();
  } finally {
    await lock.release();
  }
}

/** A living process holds the lock. */
class LockHeldFault extends Fault {}

function heldFault(path: string, owner: LockOwner | null): Fault {
  const who =
    owner === null
      ? "an unknown process"
      : `process ${owner.pid} (${escapeText(owner.command, 40)}) on ${escapeText(owner.host, 60)}`;
  return new LockHeldFault(
    "storage",
    `${escapeText(path)} is held by ${who}; wait for it to end, or remove the file if no such process is running.`,
  );
}

function isStale(path: string, holder: Holder): boolean {
  return holder.owner === null
    ? isBeforeBoot(holder.changedAtMs)
    : isGone(holder.owner, folderOf(path), heldTokens);
}

/** Empty for a folder that only the given file system knows, or nobody: what locks there then is told by the process alone. */
function folderOf(path: string): string {
  try {
    return folderId(dirname(path));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** Tries to create the lock file once, whole from its first moment on: its token, or null when another was quicker. */
async function create(path: string, fs: FileSystem): Promise<string | null> {
  const token = randomUUID();
  const content = Buffer.from(`${JSON.stringify(thisProcess(token, folderOf(path)))}\n`);
  heldTokens.add(token);
  try {
    const temporary = temporaryName(path);
    await write(temporary, content, fs);
    try {
      await fs.link(temporary, path);
      return token;
    } catch (error) {
      if (!NO_LINKS.has(systemCode(error))) throw error;
    } finally {
      await fs.unlink(temporary).catch(() => {});
    }
    await write(path, content, fs);
    return token;
  } catch (error) {
    heldTokens.delete(token);
    const code = systemCode(error);
    // EEXIST: another process was quicker. ENOENT of link: a sweep of orphans took the temporary file.
    if (code === "EEXIST" || (code === "ENOENT" && isLinkError(error))) return null;
    throw error;
  }
}

function isLinkError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "link";
}

async function write(path: string, content: Uint8Array, fs: FileSystem): Promise<void> {
  const file = await createPrivate(path, fs);
  try {
    await writeAll(file, content, 0);
  } catch (error) {
    await fs.unlink(path).catch(() => {});
    throw error;
  } finally {
    await file.close().catch(() => {});
  }
}

async function readHolder(path: string, fs: FileSystem): Promise<Holder | null> {
  const bytes = await readWhole(path, fs);
  if (bytes === null) return null;
  const owner = parseOwner(bytes);
  if (owner !== null) return { bytes, owner, changedAtMs: 0 };
  try {
    return { bytes, owner, changedAtMs: (await fs.lstat(path)).ctimeMs };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/**
 * Removes the lock of an owner that is gone. Two waiters could each remove "the stale lock", and the second one would
 * hit the lock that the first one has just taken: so removing needs a lock of its own, and a second look under it.
 */
async function removeStale(path: string, stale: Holder, waitMs: number, fs: FileSystem): Promise<void> {
  const breaker = await acquireLock(`${path}.break`, { waitMs, fs });
  try {
    const now = await readHolder(path, fs);
    if (now !== null && now.bytes.equals(stale.bytes) && isStale(path, now)) await fs.unlink(path);
  } finally {
    await breaker.release();
  }
}

async function release(path: string, token: string, fs: FileSystem): Promise<void> {
  try {
    const holder = await readHolder(path, fs);
    if (holder?.owner?.token === token) await fs.unlink(path);
  } catch {
    // The file stays; its token is no longer held, so that the next taker sees a stale lock.
  } finally {
    heldTokens.delete(token);
  }
}
