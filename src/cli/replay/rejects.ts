// Collects the rejected lines of sources: the first ones for display, all of them as NDJSON with --rejects.

import { closeSync, fchmodSync, fsyncSync, lstatSync, openSync, writeSync } from "node:fs";
import { fileIsThere } from "#src/actions/whole-file.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { Fault, storage } from "#src/contract/fault.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { counted, rejectedNoun } from "#src/display/count.ts";
import { safeJson } from "#src/display/safe.ts";

/** Rejected lines that are kept for display. */
const KEPT = 10;
const PRIVATE = 0o600;

export class Rejects {
  readonly kept: RejectedLine[] = [];
  readonly #path: string | undefined;
  readonly #notDone: string;
  #file: number | null = null;
  #count = 0;
  #failure: Fault | null = null;

  /**
   * @param path of the file, which is created with the first line, mode 0600; undefined for none
   * @param notDone what did not happen to a rejected line
   * @throws Fault("usage") when it exists
   */
  constructor(path: string | undefined, notDone: string = "checked") {
    if (path !== undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      throw fileIsThere(path);
    this.#path = path;
    this.#notDone = notDone;
  }

  get count(): number {
    return this.#count;
  }

  /** A sentence about rejected lines that no file has; null for none. */
  get untaken(): string | null {
    if (this.#count === 0 || this.#path !== undefined) return null;
    const noun = rejectedNoun(this.kept);
    const rejected = counted(this.#count, `${noun} was`, `${noun}s were`);
    return `${rejected} rejected and not ${this.#notDone}; correct what is wrong, or set such ${noun}s aside with --rejects FILE.`;
  }

  /** Why the file could not be written; the run continued without it. */
  get failure(): Fault | null {
    return this.#failure;
  }

  /** Says what rejected lines ask for. @returns the exit code that follows from them */
  judge(complain: (text: string) => void): number {
    const sentence = this.#failure?.message ?? this.untaken;
    if (sentence !== null) complain(sentence);
    return this.#failure !== null ? EXIT.notWritten : sentence === null ? EXIT.done : EXIT.usage;
  }

  take({ origin, message }: RejectedLine): void {
    this.#count += 1;
    if (this.kept.length < KEPT) this.kept.push({ origin, message });
    this.#attempt((path) => {
      this.#file ??= create(path);
      writeSync(this.#file, `${safeJson({ origin, message })}\n`);
    });
  }

  close(): void {
    this.#attempt(() => {
      if (this.#file !== null) fsyncSync(this.#file);
    });
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #attempt(write: (path: string) => void): void {
    if (this.#path === undefined || this.#failure !== null) return;
    try {
      write(this.#path);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
      this.#failure =
        error instanceof Fault
          ? error
          : storage`${this.#path} was not written (${code}); name a file elsewhere.`;
    }
  }
}

function create(path: string): number {
  const file = openSync(path, "wx", PRIVATE);
  fchmodSync(file, PRIVATE);
  return file;
}
