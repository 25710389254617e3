// Small files that a user writes by hand in the configuration folder.

import { readFile, stat } from "node:fs/promises";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/escape-text.ts";

/** More than this nobody writes by hand, in bytes. */
const LARGEST = 256 * 1024;

/**
 * The text of a file; null where there is none.
 * @throws Fault("bad_input") for a file that is too large or cannot be read
 */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST) {
      throw new Fault(
        "bad_input",
        `${escapeText(path, 400)} has more than ${LARGEST} bytes; make it shorter.`,
      );
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new Fault(
      "bad_input",
      `${escapeText(path, 400)} cannot be read (${code ?? "unknown cause"}); check who may read it.`,
    );
  }
}
