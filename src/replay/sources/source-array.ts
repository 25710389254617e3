// Splits a JSON list into the texts of its elements, chunk by chunk: constant memory for a list of any length, and each
// element goes through the strict parser.

/** Longest element that is kept, in bytes; the parser has the limit of a payload. */
const ELEMENT_LIMIT_BYTES = 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST_OPEN, LIST_CLOSE, OBJECT_OPEN, OBJECT_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * @param index position in the list, from 0
 * @param line line of its beginning, from 1
 * @param bytes its exact text; null for one that is too long
 */
export type OnElement = (index: number, line: number, bytes: Uint8Array | null) => void;

/**
 * Feed it chunks with `push`, then call `end`. Brackets are counted, not matched, so that one malformed element does not
 * affect the others.
 */
export class ArraySplitter {
  readonly #onElement: OnElement;
  #place: "before" | "first" | "element" | "next" | "after" = "before";
  #depth = 0;
  #inText = false;
  #escaped = false;
  #index = 0;
  #line = 1;
  #startLine = 1;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;

  constructor(onElement: OnElement) {
    this.#onElement = onElement;
  }

  /** @returns one sentence when the list itself is malformed and the rest cannot be read; null otherwise */
  push(chunk: Uint8Array): string | null {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === LINE_FEED) this.#line += 1;
      if (this.#place !== "element") {
        if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) continue;
        if (this.#place === "before" && byte !== LIST_OPEN) return "The list must start with [.";
        if (this.#place === "after")
          return `Nothing may follow the end of the list, and line ${this.#line} does.`;
        if (this.#place === "before" || (this.#place === "first" && byte === LIST_CLOSE)) {
          this.#place = this.#place === "before" ? "first" : "after";
          continue;
        }
        this.#place = "element";
        this.#startLine = this.#line;
        start = at;
      }
      if (!this.#endsElement(byte)) continue;
      this.#finish(chunk.subarray(start, at));
      this.#place = byte === COMMA ? "next" : "after";
    }
    if (this.#place === "element") this.#keep(chunk.subarray(start));
    return null;
  }

  /** @returns one sentence when the text ended inside the list; null otherwise */
  end(): string | null {
    if (this.#place === "after") return null;
    return `The text ends inside the list, in line ${this.#line}; it may be cut off.`;
  }

  /** True for the comma or bracket behind an element; both belong to the list. */
  #endsElement(byte: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return false;
    }
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OBJECT_OPEN || byte === LIST_OPEN) this.#depth += 1;
    else if (this.#depth === 0) return byte === COMMA || byte === LIST_CLOSE;
    else if (byte === OBJECT_CLOSE || byte === LIST_CLOSE) this.#depth -= 1;
    return false;
  }

  #finish(last: Uint8Array): void {
    this.#keep(last);
    const whole = this.#keptBytes <= ELEMENT_LIMIT_BYTES ? Buffer.concat(this.#kept) : null;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#onElement(this.#index++, this.#startLine, whole);
  }

  /** Copies, because the caller may reuse the chunk's memory. Beyond the limit only the length is counted. */
  #keep(bytes: Uint8Array): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes <= ELEMENT_LIMIT_BYTES) this.#kept.push(Uint8Array.prototype.slice.call(bytes));
    else this.#kept = [];
  }
}
