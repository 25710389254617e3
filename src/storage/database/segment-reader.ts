// Reads the lines of one journal segment in chunks, from the front or from the end, and notes what is no line.

import { Buffer } from "node:buffer";

import { readAt } from "#src/storage/documents/durable-file.ts";
import type { OpenFile } from "#src/storage/file-system.ts";
import { decodeLine, LINE_FEED } from "./journal-line.ts";
import type { JournalLine } from "./journal-line.ts";

const FORWARD_CHUNK = 256 * 1024;
const BACKWARD_CHUNK = 64 * 1024;

/** Bytes of a segment that are no whole lines, without the line feed that ends them. */
export interface DamagedStretch {
  readonly start: number;
  readonly end: number;
  /** It reaches the end of the file and no line feed ends it: an append under way looks the same. */
  readonly open: boolean;
}

/** Receives each damaged stretch once it is known where it ends. */
export type OnDamage = (stretch: DamagedStretch) => void;

/** Receives the sequence numbers of lines that are missing although nothing is damaged there: they were cut out. */
export type OnGap = (first: number, last: number) => void;

/** Collects neighbouring bad lines into stretches, in either direction. */
class StretchCollector {
  #start = -1;
  #end = -1;
  readonly #size: number;
  readonly #onDamage: OnDamage;

  constructor(size: number, onDamage: OnDamage) {
    this.#size = size;
    this.#onDamage = onDamage;
  }

  bad(start: number, end: number): void {
    this.#start = this.#start < 0 ? start : Math.min(this.#start, start);
    this.#end = Math.max(this.#end, end);
  }

  /** Hands out the stretch that has just ended; false when there was none. */
  flush(): boolean {
    if (this.#start < 0) return false;
    this.#onDamage({ start: this.#start, end: this.#end, open: this.#end === this.#size });
    this.#start = this.#end = -1;
    return true;
  }
}

/** The good lines among the first `size` bytes, oldest first, an array for each chunk. */
export async function* readForward(
  file: OpenFile,
  size: number,
  onDamage: OnDamage,
  onGap: OnGap,
): AsyncGenerator<JournalLine[]> {
  const stretches = new StretchCollector(size, onDamage);
  let expected = 1;
  const take = (bytes: Buffer, offset: number, lines: JournalLine[]): void => {
    const line = decodeLine(bytes);
    if (line === null) {
      stretches.bad(offset, offset + bytes.length);
      return;
    }
    const explained = stretches.flush();
    if (!explained && line.sequence !== expected) onGap(expected, line.sequence - 1);
    expected = line.sequence + 1;
    lines.push(line);
  };
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for (let position = 0; position < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(FORWARD_CHUNK, size - position));
    const filled = await readAt(file, chunk, position);
    if (filled === 0) break;
    position += filled;
    const fresh = chunk.subarray(0, filled);
    const bytes = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
    const lines: JournalLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      take(bytes.subarray(start, end), offset + start, lines);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    offset += start;
    if (position >= size && rest.length > 0) take(rest, offset, lines);
    yield lines;
  }
  stretches.flush();
}

/** The good lines among the first `size` bytes, newest first, an array for each chunk. */
export async function* readBackward(
  file: OpenFile,
  size: number,
  onDamage: OnDamage,
): AsyncGenerator<JournalLine[]> {
  const stretches = new StretchCollector(size, onDamage);
  const take = (bytes: Buffer, offset: number, lines: JournalLine[]): void => {
    const end = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length;
    const line = decodeLine(bytes.subarray(0, end));
    if (line === null) {
      stretches.bad(offset, offset + end);
    } else {
      stretches.flush();
      lines.push(line);
    }
  };
  // Bytes from `position` to the end of a line whose start lies in a chunk before.
  let rest: Buffer = Buffer.alloc(0);
  for (let position = size; position > 0;) {
    const chunk = Buffer.alloc(Math.min(BACKWARD_CHUNK, position));
    position -= chunk.length;
    await readAt(file, chunk, position);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([chunk, rest]);
    const lines: JournalLine[] = [];
    let end = bytes.length;
    // From the byte before the line's own line feed; a negative offset would mean the end of the buffer.
    while (end >= 2) {
      const start = bytes.lastIndexOf(LINE_FEED, end - 2) + 1;
      if (start === 0) break;
      take(bytes.subarray(start, end), position + start, lines);
      end = start;
    }
    rest = bytes.subarray(0, end);
    if (position === 0 && rest.length > 0) take(rest, 0, lines);
    yield lines;
  }
  stretches.flush();
}
