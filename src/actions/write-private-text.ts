// Writes a text to a private file, replacing an existing one.

import { dirname } from "node:path";
import { ensureFolder, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault } from "#src/storage/write-fault.ts";

/** @throws Fault("storage") when it cannot be written */
export async function writePrivateText(path: string, text: string): Promise<void> {
  try {
    await ensureFolder(dirname(path), nodeFileSystem);
    await replaceDurably(path, Buffer.from(text, "utf8"), nodeFileSystem, null);
  } catch (error) {
    throw storageFault(error, path);
  }
}
