// Atomic, durable whole-file writes and checked reads: private modes, no symbolic links, fsync before rename.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

import { Fault, storage } from "#src/contract/fault.ts";
import { othersMayWrite } from "#src/contract/others-may-write.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { storageFault, systemCode } from "#src/storage/write-fault.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** The group and all others may write. */
const OTHERS_WRITE = 0o022;
/** On a folder: only the owner of an entry may replace it. */
const STICKY = 0o1000;

/** Largest file that is read as a whole, in bytes. */
const WHOLE_FILE_LIMIT = 256 * 1024 * 1024;

/** Not defined on Windows. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** A FIFO without another end would block for ever. */
export const NO_BLOCK = constants.O_NONBLOCK ?? 0;

/** The part of a temporary file's name behind the name of its file. */
const ORPHAN = /^(?:(?:bak|lock(?:\.break)*|corrupt-[\dTZ]+)\.)?[0-9a-f]{16}\.tmp$/;

/** Error codes of file systems without hard links. */
export const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);

/**
 * Ensures that a private folder exists: a new one gets mode 0700 regardless of the umask.
 * @throws Fault("storage") when it belongs to another account, every account may write to it, or it is no folder
 */
export async function ensureFolder(path: string, fs: FileSystem): Promise<void> {
  let found;
  try {
    found = await fs.stat(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await createFolder(path, fs);
    return;
  }
  if (!found.isDirectory()) {
    throw storage`${path} is not a folder; move it away or name another folder with --home or VERDICT_HOME.`;
  }
  if (found.uid !== 0) requireOwn(path, found);
  if (process.platform !== "win32" && (found.mode & 0o002) !== 0 && (found.mode & STICKY) === 0) {
    throw storage`Every account can write to ${path}; make it private with chmod 700.`;
  }
}

async function createFolder(path: string, fs: FileSystem): Promise<void> {
  const parent = dirname(path);
  if (parent !== path) {
    try {
      await fs.stat(parent);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
      await createFolder(parent, fs);
    }
  }
  try {
    await fs.mkdir(path, PRIVATE_FOLDER);
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) === "EEXIST") return;
    throw error;
  }
  await fs.chmod(path, PRIVATE_FOLDER);
  await syncFolder(parent, fs);
}

/**
 * Names in a folder with a suffix, sorted, without hidden ones (temporary files, version control); empty without a folder.
 * @throws Fault("storage") when the folder cannot be read
 */
export async function namesIn(dir: string, suffix: string, fs: FileSystem): Promise<string[]> {
  try {
    const names = await fs.readdir(dir);
    return names.filter((name) => name.endsWith(suffix) && !name.startsWith(".")).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw storageFault(error, dir);
  }
}

/**
 * Opens a regular file of this account without following links or blocking on a FIFO.
 * @throws Fault("storage") for other types of files, and for a file of another account
 */
export async function openRegular(path: string, flags: number, fs: FileSystem): Promise<OpenFile> {
  const file = await fs.open(path, flags | NO_FOLLOW | NO_BLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw storage`${path} is not a regular file; move it.`;
    requireOwn(path, found);
    return file;
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}

/** The content of a regular file of this account; null when there is none. */
export async function readWhole(path: string, fs: FileSystem): Promise<Buffer | null> {
  return (await readChecked(path, fs, () => undefined))?.bytes ?? null;
}

/**
 * The same for a file that names commands, addresses or authorities, which no other account may write.
 * @param mayWrite whether other accounts may, by the permissions of a file or folder
 * @throws Fault("storage") when another account may write to it or to its folder
 */
export async function readTrusted(
  path: string,
  fs: FileSystem,
  mayWrite: MayWrite = groupOrOthersMayWrite,
): Promise<Buffer | null> {
  const read = await readChecked(path, fs, (stats) => requireTrusted(path, stats, fs, mayWrite));
  return read?.bytes ?? null;
}

type MayWrite = (stats: Stats) => boolean;

const groupOrOthersMayWrite: MayWrite = ({ mode }) => (mode & OTHERS_WRITE) !== 0;

/** The same for a file that the user writes by hand, whose editor may give it to the private group of the account. */
export async function readHandWritten(path: string, fs: FileSystem): Promise<Buffer | null> {
  return await readTrusted(path, fs, othersMayWrite);
}

/** @throws Fault("storage") for a file that another account may write, or whose folder it may */
export async function requireTrusted(
  path: string,
  stats: Stats,
  fs: FileSystem,
  mayWrite: MayWrite,
): Promise<void> {
  requireOwnWriter(path, stats, mayWrite);
  if (process.platform === "win32") return;
  const folder = dirname(path);
  const above = await fs.stat(folder);
  if (mayWrite(above) && (above.mode & STICKY) === 0) throw untrusted(folder, "chmod 700");
}

/** @throws Fault("storage") for what belongs to another account */
export function requireOwn(path: string, { uid }: Stats): void {
  const self = process.geteuid?.();
  if (self === undefined || uid === self) return;
  throw storage`${path} belongs to another account; name another folder with --home or VERDICT_HOME.`;
}

/** @throws Fault("storage") for a file that another account may write */
export function requireOwnWriter(
  path: string,
  stats: Stats,
  mayWrite: MayWrite = groupOrOthersMayWrite,
): void {
  if (process.platform !== "win32" && mayWrite(stats)) throw untrusted(path, "chmod 600");
}

/** The fault of what another account may write. */
export function untrusted(path: string, chmod: string): Fault {
  return storage`${path} can be written by other accounts, so it is not read; check its content, then make it private with ${chmod}.`;
}

/**
 * Reads a regular file of this account of at most 256 MiB; null when there is none.
 * @param check called before reading; throws to refuse the file
 */
export async function readChecked(
  path: string,
  fs: FileSystem,
  check: (stats: Stats) => void | Promise<void>,
): Promise<{ readonly bytes: Buffer; readonly stats: Stats } | null> {
  let file;
  try {
    file = await openRegular(path, constants.O_RDONLY, fs);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const stats = await file.stat();
    await check(stats);
    const { size } = stats;
    if (size > WHOLE_FILE_LIMIT) {
      throw storage`${path} is larger than 256 MiB and is not read; move it away.`;
    }
    const bytes = Buffer.alloc(size);
    return { bytes: bytes.subarray(0, await readAt(file, bytes, 0)), stats };
  } finally {
    await file.close();
  }
}

/** Fills the buffer from a position on; returns the number of bytes read. */
export async function readAt(file: OpenFile, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Writes all bytes from a position on, or appends when it is null. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number | null): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const at = position === null ? null : position + written;
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at);
    written += bytesWritten;
  }
}

/** Creates a new file (EEXIST) with mode 0600 regardless of the umask, and opens it for writing. */
export async function createPrivate(path: string, fs: FileSystem): Promise<OpenFile> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
  const file = await fs.open(path, flags, PRIVATE_FILE);
  try {
    await file.chmod(PRIVATE_FILE);
    return file;
  } catch (error) {
    await file.close().catch(() => {});
    await fs.unlink(path).catch(() => {});
    throw error;
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string, fs: FileSystem): Promise<void> {
  // Windows cannot open a folder; its file systems journal names.
  if (process.platform === "win32") return;
  const folder = await fs.open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Name of a temporary file next to `path`: random, so that no link can be planted there. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}.tmp`);
}

async function writeSynced(path: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  const file = await createPrivate(path, fs);
  try {
    try {
      await writeAll(file, bytes, 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await fs.unlink(path).catch(() => {});
    throw error;
  }
}

/** Creates a file durably. EEXIST when it exists. */
export async function createDurably(path: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  const temporary = temporaryName(path);
  await writeSynced(temporary, bytes, fs);
  try {
    await linkOrCopy(temporary, path, bytes, fs);
  } finally {
    await fs.unlink(temporary).catch(() => {});
  }
  await syncFolder(dirname(path), fs);
}

/**
 * Replaces a file atomically: readers see the old or the new content, also after a crash.
 * @param keep path that keeps the old content
 */
export async function replaceDurably(
  path: string,
  bytes: Uint8Array,
  fs: FileSystem,
  keep: { readonly as: string; readonly bytes: Uint8Array } | null,
): Promise<void> {
  const temporary = temporaryName(path);
  /** The file kept before, which is restored on failure. */
  const before = keep === null ? null : { as: keep.as, held: temporaryName(keep.as) };
  await writeSynced(temporary, bytes, fs);
  try {
    if (before !== null) await linkIfThere(before.as, before.held, fs);
    if (keep !== null) await keepOld(path, keep.as, keep.bytes, fs);
    await fs.rename(temporary, path);
  } catch (error) {
    if (before !== null) await fs.rename(before.held, before.as).catch(() => {});
    await fs.unlink(temporary).catch(() => {});
    throw error;
  } finally {
    if (before !== null) await fs.unlink(before.held).catch(() => {});
  }
  await syncFolder(dirname(path), fs);
}

/** Gives the old file a second name, so that `path` exists at any time. */
async function keepOld(path: string, as: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  const temporary = temporaryName(as);
  try {
    await linkOrCopy(path, temporary, bytes, fs);
    await fs.rename(temporary, as);
  } finally {
    // A rename between two names of the same file does nothing, so the temporary name remains.
    await fs.unlink(temporary).catch(() => {});
  }
}

/** A hard link to a file, if it exists and the file system supports links. */
async function linkIfThere(path: string, to: string, fs: FileSystem): Promise<void> {
  try {
    await fs.link(path, to);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" && !NO_LINKS.has(systemCode(error))) throw error;
  }
}

/** A hard link, or a synced copy where links are not supported. EEXIST when the new name is taken. */
async function linkOrCopy(from: string, to: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await writeSynced(to, bytes, fs);
  }
}

/** True for the name of a temporary file of this program. */
export function isOrphanName(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name);
}

/** An older temporary file, in ms, belongs to no running write. */
export const LEFT_MS = 10 * 60_000;

/** Removes old temporary files of killed processes from a folder without a lock. */
export async function removeOldOrphans(dir: string, fs: FileSystem): Promise<void> {
  for (const name of (await fs.readdir(dir)).filter(isOrphanName)) {
    const path = join(dir, name);
    // Another process may remove it first.
    const found = await fs.lstat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFT_MS) await fs.unlink(path).catch(() => {});
  }
}

/** Removes temporary files of `path` left by killed processes. The caller must hold the lock on `path`. */
export async function removeOrphans(path: string, fs: FileSystem): Promise<void> {
  const prefix = `.${basename(path)}.`;
  for (const name of await fs.readdir(dirname(path))) {
    if (name.startsWith(prefix) && ORPHAN.test(name.slice(prefix.length))) {
      await fs.unlink(join(dirname(path), name)).catch(() => {});
    }
  }
}
