// A JSON Lines file that is rotated at a size limit with one previous generation; writes are buffered and not awaited.

import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { storage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { NO_BLOCK, NO_FOLLOW } from "#src/storage/documents/durable-file.ts";

export type LineFile = ReturnType<typeof gatherLines>;

const FLUSH_MS: Milliseconds = 200;

const MOST_WAITING = 64;

/**
 * Buffers lines, because a system call for each costs more than serialising it.
 * @param put gets complete lines with their line ends; must not throw
 */
export function gatherLines(put: (text: string) => void) {
  let waiting: object[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    let text = "";
    for (const entry of waiting) text += `${JSON.stringify(entry)}\n`;
    waiting = [];
    put(text);
  }
  if (open.size === 0) process.once("exit", flushAll);
  open.add(flush);

  return {
    /** Writes the entry within 0.2 s, or at the end of the process. It is serialised only then, so it must not be changed. */
    write(entry: object): void {
      waiting.push(entry);
      if (waiting.length >= MOST_WAITING) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close(): void {
      flush();
      open.delete(flush);
      if (open.size === 0) process.off("exit", flushAll);
    },
  };
}

/** What the end of the process still has to write. One listener for all: Node warns of more than ten. */
const open = new Set<() => void>();

function flushAll(): void {
  for (const flush of open) flush();
}

const PRIVATE = 0o600;

/** Flags to append to a file: symbolic links are not followed, and a FIFO does not block. */
export const APPEND_FLAGS: number =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW | NO_BLOCK;

/** Error codes of symbolic links, FIFOs without a reader, and folders. */
const NO_FILE: readonly unknown[] = ["ELOOP", "ENXIO", "EISDIR"];

/** @throws Fault("storage") for what is no regular file */
function openToAppend(path: string): number {
  const noFile = storage`${path} is not a regular file; move it.`;
  let file: number;
  try {
    file = openSync(path, APPEND_FLAGS, PRIVATE);
  } catch (error) {
    throw NO_FILE.includes((error as NodeJS.ErrnoException).code) ? noFile : error;
  }
  if (fstatSync(file).isFile()) {
    fchmodSync(file, PRIVATE);
    return file;
  }
  closeSync(file);
  throw noFile;
}

/**
 * @param limitBytes a larger file is renamed to `<path>.1`, which replaces the previous one
 * @throws Fault("storage") when the path is no regular file
 */
export function openLineFile(path: string, limitBytes: number): LineFile {
  let file: number | null = openToAppend(path);
  let size = fstatSync(file).size;

  function begin(): void {
    if (file !== null) closeSync(file);
    file = null;
    renameSync(path, `${path}.1`);
    file = openToAppend(path);
    size = 0;
  }

  const lines = gatherLines((text) => {
    try {
      if (size >= limitBytes) begin();
      if (file === null) return;
      size += writeSync(file, text);
    } catch {
      // A full disk must not stop the service because of its log; the state has its own checks.
    }
  });

  return {
    ...lines,
    close() {
      lines.close();
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
