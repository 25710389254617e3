// Whole files that are either there as written or not there: private modes, no links followed, synced before they count.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { storageFault, systemCode } from "#src/storage/write-fault.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** The group and all others may write. */
const OTHERS_WRITE = 0o022;
/** Set on a folder, it lets an entry be replaced by the entry's owner alone. */
const STICKY = 0o1000;

/** Largest file that is read as a whole, in bytes. */
const WHOLE_FILE_LIMIT = 256 * 1024 * 1024;

/** Not defined on Windows, where neither links nor FIFOs can be planted this way. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = constants.O_NONBLOCK ?? 0;

/** What follows the name of a file in the name of one of its temporary files. */
const ORPHAN = /^(?:(?:bak|lock(?:\.break)*|corrupt-[\dTZ]+|schema-\d+)\.)?[0-9a-f]{16}\.tmp$/;

/** Codes of file systems that know no hard links. */
export const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);

/**
 * Makes sure that a folder of ours exists: created ones get 0700 whatever the umask, existing ones must be ours.
 * @throws Fault("storage") when it belongs to another account, when every account may write to it, or when it is no folder
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
    throw new Fault("storage", `${escapeText(path)} is not a folder; move it away or choose another --home.`);
  }
  const self = process.geteuid?.();
  if (self !== undefined && found.uid !== self && found.uid !== 0) {
    throw new Fault("storage", `${escapeText(path)} belongs to another account; choose another --home.`);
  }
  if (process.platform !== "win32" && (found.mode & 0o002) !== 0 && (found.mode & STICKY) === 0) {
    throw new Fault(
      "storage",
      `${escapeText(path)} may be written by every account; make it private with chmod 700.`,
    );
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
    // Another process was quicker.
    if (systemCode(error) === "EEXIST") return;
    throw error;
  }
  await fs.chmod(path, PRIVATE_FOLDER);
  await syncFolder(parent, fs);
}

/**
 * Names in a folder that end so, sorted; no folder means none. Hidden ones are temporary files and version control.
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
 * Opens a regular file of ours without following a link and without waiting for the other end of a FIFO.
 * @throws Fault("storage") for anything else than a regular file, and for a file of another account
 */
export async function openRegular(path: string, flags: number, fs: FileSystem): Promise<OpenFile> {
  const file = await fs.open(path, flags | NO_FOLLOW | NO_BLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Fault("storage", `${escapeText(path)} is no regular file; move it away.`);
    const self = process.geteuid?.();
    if (self !== undefined && found.uid !== self) {
      throw new Fault("storage", `${escapeText(path)} belongs to another account; choose another --home.`);
    }
    return file;
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}

/** The content of a regular file of ours, or null when there is none. */
export async function readWhole(path: string, fs: FileSystem): Promise<Buffer | null> {
  return await readChecked(path, fs, () => undefined);
}

/**
 * The same for what names commands, addresses or authorities: nobody else may have written it.
 * @throws Fault("storage") when another account may write to it or to its folder
 */
export async function readTrusted(path: string, fs: FileSystem): Promise<Buffer | null> {
  return await readChecked(path, fs, async ({ mode }) => {
    if (process.platform === "win32") return;
    if ((mode & OTHERS_WRITE) !== 0) throw untrusted(path, "chmod 600");
    const folder = dirname(path);
    const above = await fs.stat(folder);
    if ((above.mode & OTHERS_WRITE) !== 0 && (above.mode & STICKY) === 0)
      throw untrusted(folder, "chmod 700");
  });
}

function untrusted(path: string, chmod: string): Fault {
  return new Fault(
    "storage",
    `${escapeText(path)} may be written by other accounts, so it is not read; look at what it says, then make it private with ${chmod}.`,
  );
}

async function readChecked(
  path: string,
  fs: FileSystem,
  check: (stats: Stats) => void | Promise<void>,
): Promise<Buffer | null> {
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
      throw new Fault("storage", `${escapeText(path)} is larger than 256 MiB and is not read; move it away.`);
    }
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, await readAt(file, bytes, 0));
  } finally {
    await file.close();
  }
}

/** Fills the buffer from a position on; returns the number of bytes that were there. */
export async function readAt(file: OpenFile, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Writes all bytes from a position on, or at the end of a file opened for appending when it is null. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number | null): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const at = position === null ? null : position + written;
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at);
    written += bytesWritten;
  }
}

/** Creates a file that must not exist yet (EEXIST), 0600 whatever the umask, and opens it for writing. */
export async function createPrivate(
  path: string,
  fs: FileSystem,
  flags = constants.O_WRONLY,
): Promise<OpenFile> {
  const file = await fs.open(path, flags | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, PRIVATE_FILE);
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

/** Name of a temporary file beside `path`: random, so that nobody can plant a link there. */
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

/** Creates a file with this content, durably. EEXIST when there is one already. */
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
 * Replaces a file in one step: whoever reads sees the old content or the new, also after a crash.
 * @param keep where the old content stays reachable
 */
export async function replaceDurably(
  path: string,
  bytes: Uint8Array,
  fs: FileSystem,
  keep: { readonly as: string; readonly bytes: Uint8Array } | null,
): Promise<void> {
  const temporary = temporaryName(path);
  /** What was kept before: it comes back when the old content stays. */
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

/** A second name for the old file, so that `path` never goes missing in between. */
async function keepOld(path: string, as: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  const temporary = temporaryName(as);
  try {
    await linkOrCopy(path, temporary, bytes, fs);
    await fs.rename(temporary, as);
  } finally {
    // A rename of one name of a file to another name of it succeeds and does nothing.
    await fs.unlink(temporary).catch(() => {});
  }
}

/** A second name for a file, where there is one and the file system knows links. */
async function linkIfThere(path: string, to: string, fs: FileSystem): Promise<void> {
  try {
    await fs.link(path, to);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" && !NO_LINKS.has(systemCode(error))) throw error;
  }
}

/** A hard link, or a synced copy where the file system knows no links. EEXIST when the new name is taken. */
async function linkOrCopy(from: string, to: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await writeSynced(to, bytes, fs);
  }
}

/** Whether a name is that of a temporary file of ours, whatever it belongs to. */
export function isOrphanName(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name);
}

/** A temporary file this old, in ms, belongs to no write that is still under way. */
export const LEFT_MS = 10 * 60_000;

/** Removes temporary files of a folder without a lock that killed processes left behind, whatever they belong to. */
export async function removeOldOrphans(dir: string, fs: FileSystem): Promise<void> {
  for (const name of (await fs.readdir(dir)).filter(isOrphanName)) {
    const path = join(dir, name);
    // Another process may be at the same.
    const found = await fs.lstat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFT_MS) await fs.unlink(path).catch(() => {});
  }
}

/** Removes temporary files of `path` that a killed process left behind. Only whoever holds the lock on `path` may call this. */
export async function removeOrphans(path: string, fs: FileSystem): Promise<void> {
  const prefix = `.${basename(path)}.`;
  for (const name of await fs.readdir(dirname(path))) {
    if (name.startsWith(prefix) && ORPHAN.test(name.slice(prefix.length))) {
      await fs.unlink(join(dirname(path), name)).catch(() => {});
    }
  }
}
