// A text file of JSON, an object a line, that grows to a limit, then begins anew beside its previous generation. Nobody
// waits for the disk.

import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

export interface LineFile {
  /**
   * Written within a fifth of a second, and at the end of the process. It becomes JSON only then, which is cheaper for many
   * in a row: nobody changes it any more.
   */
  write(entry: object): void;
  flush(): void;
  close(): void;
}

const FLUSH_MS: Milliseconds = 200;

/** Lines that wait in memory at most. */
const MOST_WAITING = 64;

/**
 * Gathers lines and puts many at once: each put is a call of the system, which costs more than making the line.
 * @param put gets whole lines, each with its end; must not throw
 */
export function gatherLines(put: (text: string) => void): LineFile {
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
  process.once("exit", flush);

  return {
    write(entry) {
      waiting.push(entry);
      if (waiting.length >= MOST_WAITING) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close() {
      flush();
      process.off("exit", flush);
    },
  };
}

const PRIVATE = 0o600;

/** To append to a file of ours: no link is followed, and nobody waits for the other end of a FIFO. */
export const APPEND_FLAGS: number =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Codes of links, of FIFOs that nobody reads, and of folders. */
const NO_FILE: readonly unknown[] = ["ELOOP", "ENXIO", "EISDIR"];

/** @throws Fault("storage") for what is no regular file */
function openToAppend(path: string): number {
  const noFile = new Fault("storage", `${escapeText(path)} is no regular file; move it away.`);
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
 * @param limitBytes a file beyond it becomes `<path>.1`, in place of the one before
 * @throws Fault("storage") when something else than a regular file is there
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
      // A full disk must not end the service for the sake of its log; what it has to remember has its own checks.
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
