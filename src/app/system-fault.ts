// Turns system errors that no store has handled into faults.

import { storageFault } from "#src/storage/write-fault.ts";

/**
 * Fault("storage") for a system error with a file name; other errors unchanged. The last resort of the front ends: stores
 * name the file that the user knows.
 */
export function systemFault(error: unknown): unknown {
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  return typeof path === "string" ? storageFault(error, path) : error;
}
