// Reads a hand-written file of the configuration folder.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { badInput } from "#src/contract/fault.ts";
import type { Home } from "./home.ts";

/** Largest file, in bytes. */
const LARGEST = 256 * 1024;

export type ConfigFolder = Pick<Home, "config" | "isNowhere">;

/**
 * The text of a file; null when there is none.
 * @throws Fault("bad_input") for a too large file, Fault("storage") for an unreadable one, one that is no regular file, and one
 *   that other accounts may write
 */
export async function readConfigText(home: ConfigFolder, name: string): Promise<string | null> {
  if (home.isNowhere === true) return null;
  const path = join(home.config, name);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.size > LARGEST) {
      throw badInput`${path} has more than ${LARGEST} bytes; make it shorter.`;
    }
    // Loaded on use, because every command reads its settings and most homes have none.
    const [{ readHandWritten }, { nodeFileSystem }] = await Promise.all([
      import("#src/storage/documents/durable-file.ts"),
      import("#src/storage/file-system.ts"),
    ]);
    return (await readHandWritten(path, nodeFileSystem))?.toString("utf8") ?? null;
  } catch (error) {
    const { storageFault, systemCode } = await import("#src/storage/write-fault.ts");
    // The home is below a file, which is reported where the home is needed.
    if (systemCode(error) === "ENOTDIR") return null;
    throw storageFault(error, path);
  }
}
