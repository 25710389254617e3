// Makes and removes folders in the system's temporary folder.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storage, whole } from "#src/contract/fault.ts";

/**
 * A private folder of a new name.
 * @param what it is for, as the beginning of its name
 * @throws Fault("storage") where it cannot be made
 */
export function makeTemporaryFolder(what: string): string {
  const above = tmpdir();
  try {
    return mkdtempSync(join(above, `verdict-${what}-`));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "is not there" : `cannot be used (${code})`;
    throw storage`The temporary folder ${above} ${whole(why)}; set TMPDIR to a folder that you may write to.`.causedBy(
      error,
    );
  }
}

/** Where it cannot be removed now, as for a lack of open files, that is tried again when the process exits. */
export function removeTemporaryFolder(folder: string): void {
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    remove();
  } catch {
    process.once("exit", () => {
      try {
        remove();
      } catch {
        // The error that came first is reported.
      }
    });
  }
}
