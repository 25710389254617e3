// Creates an output file of the user atomically, with private mode, and overwrites one only where the user says so.

import { randomBytes } from "node:crypto";
import { constants, lstatSync, statSync, type Stats } from "node:fs";
import { copyFile, link, open, rename, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault, storage, usage, whole } from "#src/contract/fault.ts";
import { systemCode } from "#src/storage/write-fault.ts";

export const PRIVATE = 0o600;
/** For what is meant for others, such as a file under version control: as far as the umask allows. */
export const SHARED = 0o666;

/** Characters that are buffered before a write. */
const CHUNK = 256 * 1024;

/**
 * Writes a text in pieces and constant memory. The file gets its name when it is complete and synced.
 * @param overwrites takes the place of a file of that name
 * @throws Fault("usage") when the file exists; Fault("storage") when it could not be written, and nothing of it is left
 */
export async function createWhole(
  path: string,
  text: AsyncIterable<string> | Iterable<string>,
  overwrites: boolean = false,
  mode: typeof PRIVATE | typeof SHARED = PRIVATE,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx", mode);
    try {
      if (mode === PRIVATE) await file.chmod(mode);
      await writeAll(file, text);
      await file.sync();
    } finally {
      await file.close();
    }
    await (overwrites ? rename(temporary, path) : appear(temporary, path));
  } catch (error) {
    throw writeFault(error, path);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

const REMEDY = "use another file name, or move the existing file";

/** The fault of a file that would have to be overwritten. */
export function fileIsThere(path: string, remedy: string = REMEDY): Fault {
  return usage`${path} exists already and is not overwritten; ${whole(remedy)}.`;
}

/**
 * Checks early whether a file can be created.
 * @param remedy what to do about one that is there, as the end of a sentence
 * @param overwrites a regular file that exists is fine
 * @throws Fault("usage") for an existing file or a missing folder
 */
export function expectNewFile(path: string, remedy?: string, overwrites: boolean = false): void {
  expectFolder(path);
  // A dangling link exists as well.
  const found = look(path, lstatSync);
  if (found !== undefined && !(overwrites && found.isFile())) throw fileIsThere(path, remedy);
}

/** @throws Fault("usage") where the folder of a file is missing */
export function expectFolder(path: string): void {
  // Not normalized, because the system does not resolve "missing/..".
  const folder = dirname(path);
  if (look(folder, statSync)?.isDirectory() !== true) {
    throw usage`${path} cannot be created because there is no folder ${folder}; make it first.`;
  }
}

/** Undefined for an inaccessible path; creating the file will report the reason. */
function look(path: string, stat: typeof lstatSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Gives the finished file its name, unless the name is taken. */
async function appear(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw fileIsThere(path);
    // For file systems without hard links. A failed copy removes itself.
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

async function writeAll(file: FileHandle, text: AsyncIterable<string> | Iterable<string>): Promise<void> {
  let waiting = "";
  for await (const piece of text) {
    waiting += piece;
    if (waiting.length < CHUNK) continue;
    await file.appendFile(waiting);
    waiting = "";
  }
  await file.appendFile(waiting);
}

/** Cause and next step by system error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "your disk quota is used up; free some space and try again",
  EROFS: "its file system is read-only; name a file elsewhere",
  EACCES: "you may not write to its folder; name a file elsewhere",
  EPERM: "you may not write to its folder; name a file elsewhere",
  ENOTDIR: "a folder in its path is a file; name a file elsewhere",
  ENAMETOOLONG: "its name is too long; name another file",
};

/** A system error as Fault("storage"); others unchanged. @param what became of the file, as the middle of a sentence */
export function writeFault(error: unknown, path: string, what: string = "was not written"): unknown {
  const code = systemCode(error);
  if (error instanceof Fault || code === undefined) return error;
  const reason = REASONS[code] ?? `of a system error (${code}); try again`;
  return storage`${path} ${whole(what)} because ${whole(reason)}.`.causedBy(error);
}
