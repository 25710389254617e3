// Small files that a user writes by hand in the configuration folder.

import { lstatSync } from "node:fs";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";

/** More than this nobody writes by hand, in bytes. */
const LARGEST = 256 * 1024;

/**
 * The text of a file; null where there is none.
 * @throws Fault("bad_input") for a file that is too large, Fault("storage") for one that cannot be read or is no regular file
 */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.size > LARGEST) {
      throw new Fault(
        "bad_input",
        `${escapeText(path, 400)} has more than ${LARGEST} bytes; make it shorter.`,
      );
    }
    // Loaded only where there is something to read: every command asks for its settings.
    const [{ readWhole }, { nodeFileSystem }] = await Promise.all([
      import("#src/storage/documents/durable-file.ts"),
      import("#src/storage/file-system.ts"),
    ]);
    return (await readWhole(path, nodeFileSystem))?.toString("utf8") ?? null;
  } catch (error) {
    const { storageFault, systemCode } = await import("#src/storage/write-fault.ts");
    // A home below a file: whoever needs it says so.
    if (systemCode(error) === "ENOTDIR") return null;
    throw storageFault(error, path);
  }
}
