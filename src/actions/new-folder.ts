// Writes files into a new folder of the user.

import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "#src/storage/write-fault.ts";
import { createWhole, fileIsThere, SHARED, writeFault } from "./whole-file.ts";

const REMEDY = "name a new folder";

/**
 * @param folder a path that is free, or an empty folder; folders above it are made
 * @param files texts by path in the folder
 * @throws Fault("usage") for a file, and for a folder with anything in it; Fault("storage") when one could not be written
 */
export async function writeNewFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  makeFolder(folder);
  if (readdirSync(folder).length > 0) throw fileIsThere(folder, REMEDY);
  for (const [path, text] of files) {
    makeFolder(dirname(join(folder, path)));
    await createWhole(join(folder, path), [text], false, SHARED);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw fileIsThere(path, REMEDY);
    throw writeFault(error, path);
  }
}
