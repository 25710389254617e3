// Splits chunks of bytes into lines: strict UTF-8, bounded memory, numbers from 1.

import { isAscii, isUtf8 } from "node:buffer";
import { badInput, whole } from "#src/contract/fault.ts";

/** Longest line that is kept, in bytes. */
export const LINE_LIMIT_BYTES = 1024 * 1024;

const LINE_FEED = 10;

/** `text` is without line feed but with a carriage return; null for an unusable line, with the problem as one sentence. */
export type OnLine = (number: number, text: string | null, problem: string) => void;

/**
 * Line by line, in bounded memory.
 * @param label name of the text in messages, escaped
 * @throws Fault("bad_input") for a line that is not text, or longer than 1 MiB
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  label: string,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let lines: { number: number; text: string }[] = [];
  const splitter = new LineSplitter((number, text, problem) => {
    if (text === null) throw badInput`${label}:${number}: ${whole(problem)}`;
    lines.push({ number, text });
  });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    yield* lines;
    lines = [];
  }
  splitter.end();
  yield* lines;
}

/** Feed it chunks with `push`, then call `end`. No empty line follows a final line feed. */
export class LineSplitter {
  readonly #onLine: OnLine;
  /** Beginning of an incomplete line. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #number = 0;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const last = bytes.lastIndexOf(LINE_FEED);
    if (last < 0) return this.#keep(bytes);

    let start = 0;
    if (this.#keptBytes > 0) {
      start = bytes.indexOf(LINE_FEED) + 1;
      this.#keep(bytes.subarray(0, start - 1));
      this.#emitKept();
    }
    this.#emitWhole(bytes.subarray(start, last + 1));
    this.#keep(bytes.subarray(last + 1));
  }

  end(): void {
    if (this.#keptBytes > 0) this.#emitKept();
  }

  /** Copies, because the caller may reuse the chunk's memory. Beyond the limit only the length is counted. */
  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#keptBytes += bytes.length;
    if (this.#keptBytes <= LINE_LIMIT_BYTES) this.#kept.push(Uint8Array.prototype.slice.call(bytes));
    else this.#kept = [];
  }

  #emitKept(): void {
    const tooLong = this.#keptBytes > LINE_LIMIT_BYTES;
    const line = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    this.#emit(line, 0, line.length, tooLong, false, false);
  }

  /** @param bytes whole lines, each with its line feed; their encoding is checked at once, which is faster */
  #emitWhole(bytes: Buffer): void {
    const ascii = isAscii(bytes);
    const valid = ascii || isUtf8(bytes);
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(LINE_FEED, start);
      this.#emit(bytes, start, end, end - start > LINE_LIMIT_BYTES, ascii, valid);
      start = end + 1;
    }
  }

  #emit(bytes: Buffer, start: number, end: number, tooLong: boolean, ascii: boolean, valid: boolean): void {
    this.#number += 1;
    if (tooLong) {
      this.#onLine(this.#number, null, "The line is longer than 1 MiB.");
    } else if (!valid && !isUtf8(bytes.subarray(start, end))) {
      this.#onLine(this.#number, null, "The line is not valid UTF-8 text; save the file as UTF-8.");
    } else {
      // A copy for each line: a slice of one big string would keep all of it in memory.
      this.#onLine(this.#number, bytes.toString(ascii ? "latin1" : "utf8", start, end), "");
    }
  }
}
