// Recipe documents of the user: read as they are, each for itself, so that a bad one stops no other.

import { constants } from "node:fs";
import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode } from "#src/storage/write-fault.ts";
import {
  createDurably,
  ensureFolder,
  namesIn,
  openRegular,
  readAt,
  removeOldOrphans,
} from "./durable-file.ts";

const SUFFIX = ".yaml";
const LIMIT_BYTES = 64 * 1024;

export interface RecipeDocuments {
  readonly documents: readonly { readonly name: string; readonly text: string }[];
  readonly unreadable: readonly { readonly file: string; readonly fault: Fault }[];
}

/**
 * Reads every recipe document of a folder, sorted by name; no folder means none.
 * @throws Fault("storage") when the folder itself cannot be read
 */
export async function readRecipeDocuments(
  dir: string,
  fs: FileSystem = nodeFileSystem,
): Promise<RecipeDocuments> {
  const documents: { name: string; text: string }[] = [];
  const unreadable: { file: string; fault: Fault }[] = [];
  for (const name of await namesIn(dir, SUFFIX, fs)) {
    try {
      documents.push({ name, text: await readRecipeDocument(join(dir, name), fs) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unreadable.push({ file: name, fault: error });
    }
  }
  return { documents, unreadable };
}

/**
 * Reads one recipe document: a regular file of up to 64 KiB in UTF-8.
 * @throws Fault("bad_input") for its size or encoding, or when there is none; Fault("storage") for anything but a regular file
 */
export async function readRecipeDocument(path: string, fs: FileSystem = nodeFileSystem): Promise<string> {
  let bytes: Buffer;
  try {
    const file = await openRegular(path, constants.O_RDONLY, fs);
    try {
      bytes = Buffer.alloc(LIMIT_BYTES + 1);
      bytes = bytes.subarray(0, await readAt(file, bytes, 0));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      throw new Fault("bad_input", `There is no recipe document ${escapeText(path)}; check its name.`);
    }
    throw storageFault(error, path);
  }
  if (bytes.length > LIMIT_BYTES) {
    throw new Fault("bad_input", `${escapeText(path)} is larger than 64 KiB; a recipe is shorter.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Fault("bad_input", `${escapeText(path)} is not UTF-8; save it as such.`);
  }
}

/**
 * Writes a new recipe document; none is overwritten.
 * @param id of the recipe, which names its file
 * @returns where it lies
 * @throws Fault("usage") when there is a file of that name, Fault("storage")
 */
export async function saveRecipeDocument(
  dir: string,
  id: string,
  text: string,
  fs: FileSystem = nodeFileSystem,
): Promise<string> {
  const path = join(dir, `${id}${SUFFIX}`);
  try {
    await ensureFolder(dir, fs);
    await removeOldOrphans(dir, fs);
    await createDurably(path, Buffer.from(text, "utf8"), fs);
  } catch (error) {
    if (systemCode(error) === "EEXIST") {
      throw new Fault(
        "usage",
        `There is a recipe document ${escapeText(path)} already; choose another name or remove it first.`,
      );
    }
    throw storageFault(error, path);
  }
  return path;
}
