// --events FILE|fd:N: what happens during a capture as NDJSON, for another program, which may be slow or go away.

import { once } from "node:events";
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { expectNewFile } from "#src/actions/whole-file.ts";
import { usage } from "#src/contract/fault.ts";
import { safeJson } from "#src/display/safe.ts";

const PRIVATE = 0o600;
/** Bytes that wait for a slow reader; further events are left out and counted. */
const MOST_WAITING = 1024 * 1024;
/** How long the end waits for a slow reader. */
const LAST_MS = 1_000;

export class Events {
  readonly #complain: (text: string) => void;
  readonly #path: string | null;
  /** Of a file, once it has its first event, or as it was given. */
  #file: number | null = null;
  /** A pipe or socket, which is never waited for. */
  readonly #pipe: Socket | null = null;
  #leftOut = 0;
  #isGone = false;

  /**
   * @param word `FILE`, which is created with the first event, mode 0600, or `fd:N`; undefined for none
   * @throws Fault("usage") for a file that exists, and a descriptor that is not open
   */
  constructor(word: string | undefined, complain: (text: string) => void) {
    this.#complain = complain;
    const isNumber = word?.startsWith("fd:") === true;
    this.#path = word === undefined || isNumber ? null : word;
    if (this.#path !== null) expectNewFile(this.#path);
    if (word === undefined || !isNumber) {
      this.#isGone = word === undefined;
      return;
    }
    const descriptor = openDescriptor(word);
    const stat = fstatSync(descriptor);
    if (!stat.isFIFO() && !stat.isSocket()) {
      this.#file = descriptor;
      return;
    }
    this.#pipe = new Socket({ fd: descriptor, readable: false, writable: true });
    this.#pipe.on("error", () =>
      this.#lose("The reader of the events has closed; verdict continues without events."),
    );
    this.#pipe.unref();
  }

  /** True where nobody wants an event. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** @param isLast waits for room where others are left out */
  emit(event: object, isLast: boolean = false): void {
    if (this.#isGone) return;
    const line = `${safeJson(event)}\n`;
    if (this.#pipe === null) return this.#append(line);
    if (this.#pipe.writableLength > MOST_WAITING && !isLast) {
      this.#leftOut += 1;
      return;
    }
    if (this.#leftOut > 0)
      this.#pipe.write(`${safeJson({ schema: 1, type: "left_out", events: this.#leftOut })}\n`);
    this.#leftOut = 0;
    this.#pipe.write(line);
  }

  /** Gives a slow reader a last moment. */
  async close(): Promise<void> {
    if (this.#path !== null && this.#file !== null) closeSync(this.#file);
    if (this.#pipe === null || this.#isGone) return;
    this.#pipe.ref();
    const late = setTimeout(() => this.#pipe!.destroy(), LAST_MS);
    const closed = once(this.#pipe, "close").catch(() => undefined);
    this.#pipe.end(() => this.#pipe!.destroy());
    await closed;
    clearTimeout(late);
  }

  #append(line: string): void {
    try {
      this.#file ??= openSync(this.#path!, "wx", PRIVATE);
      writeSync(this.#file, line);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
      this.#lose(`The events could not be written (${code}); verdict continues without events.`);
    }
  }

  #lose(sentence: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#complain(sentence);
  }
}

/** Standard streams belong to the results and messages. */
function openDescriptor(word: string): number {
  const descriptor = /^fd:([3-9]|[1-9]\d{1,3})$/.exec(word)?.[1];
  try {
    if (descriptor !== undefined) {
      fstatSync(Number(descriptor));
      return Number(descriptor);
    }
  } catch {
    // Not open.
  }
  throw usage`${word} of --events is not an open file descriptor (fd:3 or higher); open one, for example with 3>events.ndjson.`;
}
