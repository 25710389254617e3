// Finds and reads the files that a source names. A named path may be a link or a pipe; in a folder only regular files count.

import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { lstat, open, readdir, stat, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";

import { DISK_FAILURES } from "#src/contract/disk-failures.ts";
import { badInput, Fault, storage, usage, whole } from "#src/contract/fault.ts";
import { pipeChunks } from "./pipe.ts";
import { hasKnownEnding, KNOWN_ENDINGS } from "./source-kind.ts";
import { shownName } from "./source-items.ts";

/** Not defined on Windows. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = constants.O_NONBLOCK ?? 0;

/** Small, so that its objects stay in the young generation of the garbage collector. */
const CHUNK_BYTES = 64 * 1024;

export interface SourceFile {
  readonly path: string;
  /** Name in messages: its base name, or its path where two sources share the base name; escaped. */
  readonly label: string;
  /** Null for a pipe. */
  readonly bytes: number | null;
  /** True when the user named it, so that links are followed. */
  readonly named: boolean;
}

/** An entry of a folder that is not read; `message` is one sentence. */
export interface SkippedFile {
  readonly path: string;
  readonly message: string;
}

export type Found = SourceFile | SkippedFile;

/**
 * The files of a source: itself, or those of a folder in the order of their names, without hidden files and documentation that are no payloads by their endings.
 * @param payloadPath path of a saved payload by name, for a word that is no file
 * @throws Fault("usage") when there is no such file; Fault("bad_input") for a device
 */
export async function findFiles(
  word: string,
  payloadPath: (name: string) => string | Promise<string>,
): Promise<Found[]> {
  const found = (await entry(word, true)) ?? (await savedPayload(word, payloadPath));
  if (found.folder) return await filesOf(word);
  if (found.problem !== null) throw badInput`${shownName(word)} ${whole(found.problem)}.`;
  const { path, bytes, named } = found;
  return [{ path, label: shownName(basename(path)), bytes, named }];
}

/** The file or pipe at a path. @throws Fault("usage") when there is none; Fault("bad_input") for a folder or a device */
export async function namedFile(path: string): Promise<SourceFile> {
  const found = await entry(path, true);
  if (found === null) throw usage`There is no file ${shownName(path)}; check the name.`;
  const problem = found.folder ? "is a folder; name a file" : found.problem;
  if (problem !== null) throw badInput`${shownName(path)} ${whole(problem)}.`;
  return { path, label: shownName(basename(path)), bytes: found.bytes, named: true };
}

/**
 * Reads a file in chunks; each chunk is valid until the next one is asked for.
 * @param signal ends the wait for more of a pipe without an error
 * @throws Fault("bad_input") when it cannot be opened or is no regular file any more; Fault("storage") when the disk fails
 */
export async function* fileChunks(
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (file.bytes === null) return yield* pipeChunks(openPipe(file), signal);
  const handle = await openFile(file);
  try {
    if (!(await handle.stat()).isFile()) {
      throw badInput`${file.label} is not a regular file any more, so verdict did not read it.`;
    }
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadable(file.label, error);
  } finally {
    await handle.close();
  }
}

/** @throws Fault("bad_input") when it cannot be opened. A pipe is not tried, because its writer would end. */
export async function requireReadable(file: SourceFile): Promise<void> {
  if (file.bytes === null) return;
  await (await openFile(file)).close();
}

/** Replaces labels that occur twice by paths. */
export function withDistinctLabels(files: readonly Found[]): Found[] {
  const count = new Map<string, number>();
  for (const file of files) if ("label" in file) count.set(file.label, (count.get(file.label) ?? 0) + 1);
  return files.map((file) =>
    "label" in file && count.get(file.label)! > 1 ? { ...file, label: shownName(file.path) } : file,
  );
}

interface Entry {
  readonly path: string;
  readonly bytes: number | null;
  readonly named: boolean;
  readonly folder: boolean;
  /** Why it cannot be read, worded to follow its name; null for a regular file or folder. */
  readonly problem: string | null;
}

/**
 * The file at a path; null when there is none.
 * @param named by the user, who may name links and pipes
 */
async function entry(path: string, named: boolean = false): Promise<Entry | null> {
  let found;
  try {
    found = await (named ? stat(path) : lstat(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    // Also for a path with a NUL character.
    throw unreadable(shownName(path), error);
  }
  const isPipe = named && found.isFIFO();
  const problem = found.isFile() || found.isDirectory() || isPipe ? null : fileTypeProblem(found);
  return { path, named, bytes: isPipe ? null : found.size, folder: found.isDirectory(), problem };
}

function fileTypeProblem(stat: { isSymbolicLink(): boolean; isFIFO(): boolean }): string {
  if (stat.isSymbolicLink()) return "is a symbolic link, which is not followed; name the file itself";
  if (stat.isFIFO()) return "is a named pipe, not a regular file; send it to standard input and name -";
  return "is not a regular file; give a file or a folder";
}

/** @throws Fault("usage") when there is none */
async function savedPayload(
  word: string,
  payloadPath: (name: string) => string | Promise<string>,
): Promise<Entry> {
  const missing = (what: string): Fault =>
    usage`${shownName(word)} is not there: ${whole(what)}; check the name.`;
  if (word === "" || basename(word) !== word) throw missing("there is no such file or folder");
  let path: string;
  try {
    path = await payloadPath(word);
  } catch (error) {
    if (error instanceof Fault) throw missing("there is no such file or folder");
    throw error;
  }
  const saved = await entry(path);
  if (saved === null) throw missing("there is no file, folder or saved payload of that name");
  if (saved.folder) throw missing("its saved payload is a folder");
  return saved;
}

async function filesOf(folder: string): Promise<Found[]> {
  let names: Buffer[];
  try {
    names = await readdir(folder, { encoding: "buffer" });
  } catch (error) {
    throw unreadable(shownName(folder), error);
  }
  const found: Found[] = [];
  // Names as texts would look for the file under another name, and not find it.
  for (const bytes of names.filter((each) => !isUtf8(each)))
    found.push({
      path: join(folder, bytes.toString()),
      message: "Its name is not valid UTF-8 and it was not read; rename it.",
    });
  const readable = names.filter((each) => isUtf8(each)).map(String);
  for (const name of readable.filter((each) => !isIgnored(each)).sort()) {
    const path = join(folder, name);
    if (name.startsWith(".")) {
      found.push({ path, message: "It is a hidden file and was not read; name it as a separate source." });
      continue;
    }
    const inside = await entry(path);
    if (inside !== null) found.push(readableOrSkipped(inside, name));
  }
  if (found.length === 0) {
    throw usage`${shownName(folder)} holds no payloads; they end in ${KNOWN_ENDINGS}.`;
  }
  return found;
}

function readableOrSkipped(inside: Entry, name: string): Found {
  const { path } = inside;
  if (inside.folder) {
    return {
      path,
      message: "It is a folder inside a folder and was not read; name it as a separate source.",
    };
  }
  if (inside.problem !== null) return { path, message: `It ${inside.problem}.` };
  if (!hasKnownEnding(name)) {
    return {
      path,
      message: `Its name does not say what it holds and it was not read; payloads end in ${KNOWN_ENDINGS}.`,
    };
  }
  return { path, label: shownName(name), bytes: inside.bytes, named: false };
}

/** Hidden files and documentation, unless their endings are those of payloads. */
function isIgnored(name: string): boolean {
  return (
    !hasKnownEnding(name) && (name.startsWith(".") || /^readme(?:\.|$)/i.test(name) || /\.md$/i.test(name))
  );
}

async function openFile({ path, label, named }: SourceFile): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | NO_BLOCK | (named ? 0 : NO_FOLLOW));
  } catch (error) {
    throw unreadable(label, error);
  }
}

function openPipe({ path, label }: SourceFile): number {
  try {
    const fd = openSync(path, constants.O_RDONLY | NO_BLOCK);
    if (fstatSync(fd).isFIFO()) return fd;
    closeSync(fd);
  } catch (error) {
    throw unreadable(label, error);
  }
  throw badInput`${label} is no pipe any more; nothing of it was read.`;
}

/** A wrong file is bad input; a failing disk is not. */
function unreadable(name: string, error: unknown): Fault {
  const { code = "" } = error as NodeJS.ErrnoException;
  const failure = DISK_FAILURES[code];
  return failure === undefined
    ? badInput`${name} cannot be read: ${whole(reason(code))}.`.causedBy(error)
    : storage`${name} ${whole(failure)}.`.causedBy(error);
}

function reason(code: string): string {
  switch (code) {
    case "ENOENT":
      return "it is not there any more";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ELOOP":
      return "it has become a symbolic link";
    default:
      return code || "unknown reason";
  }
}
