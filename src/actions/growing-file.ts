// An output file of the user that grows while something goes on, private and always whole up to its last line.

import { appendFileSync, closeSync, ftruncateSync, lstatSync, openSync, rmSync } from "node:fs";
import { Fault, usage } from "#src/contract/fault.ts";
import { expectNewFile, PRIVATE, writeFault } from "./whole-file.ts";

export interface GrowingFile {
  readonly path: string;
  /** Why nothing is written any more; null while it grows. */
  problem(): Fault | null;
  /** Appends whole lines at once. After a failure it does nothing, and the lines before are there. @throws what is no fault of the disk */
  append(lines: string): void;
  /** Nothing is left of one to which nothing was appended. May be called twice. */
  close(): void;
}

/**
 * Opens one with mode 0600.
 * @param overwrites removes a regular file of that name first
 * @param remedy as of `expectNewFile`
 * @throws Fault("usage") for a file that is there, or a missing folder; Fault("storage") when it cannot be created
 */
export function openGrowing(path: string, overwrites: boolean, remedy?: string): GrowingFile {
  const found = overwrites ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (found?.isFile() === false) {
    throw usage`${path} is not a regular file, so verdict does not overwrite it; use another file.`;
  }
  if (found === undefined) expectNewFile(path, remedy);
  let file: number;
  try {
    if (found !== undefined) rmSync(path);
    file = openSync(path, "wx", PRIVATE);
  } catch (error) {
    throw writeFault(error, path);
  }
  let size = 0;
  let problem: Fault | null = null;
  let isClosed = false;
  return {
    path,
    problem: () => problem,
    append(lines) {
      if (problem !== null) return;
      try {
        appendFileSync(file, lines);
        size += Buffer.byteLength(lines);
      } catch (error) {
        const fault = writeFault(error, path, "ends early");
        if (!(fault instanceof Fault)) throw fault;
        problem = fault;
        ftruncateSync(file, size);
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(file);
      if (size === 0) rmSync(path, { force: true });
    },
  };
}
