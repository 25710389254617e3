// A text file of lines that grows to a limit, then begins anew beside its previous generation. Nobody waits for the disk.

import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import type { Milliseconds } from "#src/contract/clock.ts";

export interface LineFile {
  /** Written within a quarter of a second, and at the end of the process. */
  write(line: string): void;
  flush(): void;
  close(): void;
}

const FLUSH_MS: Milliseconds = 250;

/** Lines that wait in memory at most. */
const MOST_WAITING = 512;

/** @param limitBytes a file beyond it becomes `<path>.1`, in place of the one before */
export function openLineFile(path: string, limitBytes: number): LineFile {
  let file: number | null = openSync(path, "a", 0o600);
  let size = fstatSync(file).size;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    if (file !== null) closeSync(file);
    file = null;
    renameSync(path, `${path}.1`);
    file = openSync(path, "a", 0o600);
    size = 0;
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const text = waiting.join("");
    waiting = [];
    try {
      if (size >= limitBytes) begin();
      if (file === null) return;
      size += writeSync(file, text);
    } catch {
      // A full disk must not end the service for the sake of its log; what it has to remember has its own checks.
    }
  }
  process.once("exit", flush);

  return {
    write(line) {
      waiting.push(`${line}\n`);
      if (waiting.length >= MOST_WAITING) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close() {
      flush();
      process.off("exit", flush);
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
