// A lock file between processes, created exclusively, that names its owner. It is broken only when its owner is gone, never
// because of its age.

import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { Fault, sentence } from "#src/contract/fault.ts";
import { createPrivate, ensureFolder, NO_LINKS, readWhole, temporaryName, writeAll } from "./durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { isBeforeBoot, isGone, parseOwner, thisProcess } from "./lock-owner.ts";
import type { LockOwner } from "./lock-owner.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

/** How long to wait for a living owner. */
const LOCK_WAIT_MS = 30_000;

export interface FileLock {
  /** Releases the lock. Never throws. */
  release(): Promise<void>;
}

/** Tokens of the locks that this process holds. */
const heldTokens = new Set<string>();

interface Holder {
  readonly bytes: Buffer;
  readonly owner: LockOwner | null;
  readonly changedAtMs: number;
}

/**
 * Acquires the lock at `path`, waiting for a living owner at most `waitMs`. The folder must exist.
 * @throws Fault("storage") with the owner's name after the wait, or when the lock file cannot be written
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
        // Jitter, so that two waiters do not collide at every attempt.
        await sleep(2 + Math.random() * 10);
      }
    }
  });
}

/** Acquires the lock if no living process holds it; null otherwise. */
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

/** Whether a living process holds the lock. */
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
      : sentence`process ${owner.pid} (${owner.command}) on ${owner.host}`;
  return new LockHeldFault(
    "storage",
    sentence`${path} is held by ${who}; wait for it to end, or remove the file if no such process is running.`,
  );
}

function isStale(path: string, holder: Holder): boolean {
  return holder.owner === null
    ? isBeforeBoot(holder.changedAtMs)
    : isGone(holder.owner, folderOf(path), heldTokens);
}

/** Empty for a missing folder, or one that exists in a test's file system only. */
function folderOf(path: string): string {
  try {
    return folderId(dirname(path));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** Tries once to create the lock file with its content in one step. @returns its token; null when another process was faster */
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
    // EEXIST: another process was faster. ENOENT of link: another process removed the temporary file as an orphan.
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
 * Removes the lock of an owner that is gone. Of two waiters, the second could remove the lock that the first has just
 * acquired, so removal needs its own lock and a second check under it.
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
    // The file remains; its token is no longer held, so the next process sees a stale lock.
  } finally {
    heldTokens.delete(token);
  }
}
