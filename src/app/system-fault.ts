// System errors that no store has put into words: a folder that cannot be made, a log that cannot be opened.

import { storageFault } from "#src/storage/write-fault.ts";

/**
 * Fault("storage") for an error of a system call that names its file; anything else as it is.
 * A last net for the front ends: the stores name the file that the user knows.
 */
export function systemFault(error: unknown): unknown {
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  return typeof path === "string" ? storageFault(error, path) : error;
}
