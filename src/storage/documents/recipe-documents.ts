// The user's recipe documents, read separately so that an unreadable one does not affect the others.

import { join } from "node:path";
import { badInput, Fault, usage } from "#src/contract/fault.ts";
import { othersMayWrite } from "#src/contract/others-may-write.ts";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import {
  createDurably,
  ensureFolder,
  namesIn,
  readChecked,
  removeOldOrphans,
  replaceDurably,
  requireTrusted,
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
      documents.push({ name, text: await readRecipeDocument(join(dir, name), fs, true) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unreadable.push({ file: name, fault: error });
    }
  }
  return { documents, unreadable };
}

/**
 * Reads one recipe document: a regular file of up to 64 KiB in UTF-8.
 * @param ofHome one that is used without being named, which no other account may write
 * @throws Fault("bad_input") for its size or encoding, or when there is none; Fault("storage") for anything but a regular file
 */
export async function readRecipeDocument(
  path: string,
  fs: FileSystem = nodeFileSystem,
  ofHome: boolean = false,
): Promise<string> {
  const read = await withStorageFaults(path, () =>
    readChecked(path, fs, async (stats) => {
      if (ofHome) await requireTrusted(path, stats, fs, othersMayWrite);
      if (stats.size <= LIMIT_BYTES) return;
      throw badInput`${path} is larger than 64 KiB; a recipe is shorter.`;
    }),
  );
  if (read === null) {
    throw badInput`There is no recipe document ${path}; check its name.`;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
  } catch {
    throw badInput`${path} is not UTF-8; save it as UTF-8.`;
  }
}

/** Removes a recipe document. @throws Fault("storage") */
export async function removeRecipeDocument(path: string, fs: FileSystem = nodeFileSystem): Promise<void> {
  await withStorageFaults(path, () => fs.unlink(path));
}

/** Writes a recipe document in place of an old one. @throws Fault("storage") */
export async function replaceRecipeDocument(
  path: string,
  text: string,
  fs: FileSystem = nodeFileSystem,
): Promise<void> {
  await withStorageFaults(path, () => replaceDurably(path, Buffer.from(text, "utf8"), fs, null));
}

/**
 * Writes a new recipe document.
 * @param id of the recipe, which names its file
 * @returns its path
 * @throws Fault("usage") when the file exists, Fault("storage")
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
      throw usage`There is a recipe document ${path} already; choose another name or remove it first.`;
    }
    throw storageFault(error, path);
  }
  return path;
}
