// Writes the changed text of a rule file of the user.

import { chmod, readFile, realpath, stat } from "node:fs/promises";
import { usage } from "#src/contract/fault.ts";
import { replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault } from "#src/storage/write-fault.ts";

/**
 * Replaces the file as a whole, behind a link the file that it leads to; its mode and a byte order mark stay.
 * @param before the text as it was read, without a byte order mark
 * @throws Fault("usage") for a file that holds another text by now, Fault("storage") when it cannot be written: the old one stays
 */
export async function replaceRules(path: string, before: string, after: string): Promise<void> {
  try {
    const file = await realpath(path);
    const [text, { mode }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    if (text.replace("\uFEFF", "") !== before) {
      throw usage`${path} was changed since it was read, and nothing was written; tune it again.`;
    }
    const bytes = Buffer.from(
      text.replace(before, () => after),
      "utf8",
    );
    await replaceDurably(file, bytes, nodeFileSystem, null);
    await chmod(file, mode);
  } catch (error) {
    throw storageFault(error, path);
  }
}
