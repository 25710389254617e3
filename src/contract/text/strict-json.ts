// Strict JSON parser (RFC 8259 with the rules of I-JSON, RFC 7493): valid UTF-8, no duplicate keys, no lone surrogates.
// Numbers that a double cannot represent exactly are reported with their raw token.

import { BODY_LIMIT_BYTES, JSON_DEPTH_LIMIT } from "#src/contract/wire/wire.ts";
import { escapeText } from "./escape-text.ts";
import { FORBIDDEN_KEYS, isIrregularNumber, readPlainJson } from "./plain-json.ts";

export type StrictJsonCode =
  | "too_large"
  | "invalid_utf8"
  | "bom"
  | "syntax"
  /** the text ends inside the value; also an empty text */
  | "truncated"
  | "too_deep"
  | "duplicate_key"
  /** `__proto__`, `constructor` or `prototype` */
  | "forbidden_key"
  | "lone_surrogate"
  /** a number beyond what a double can hold, such as 1e400 */
  | "number_range";

/** `message` is one sentence with line and column; both count from 1, the column in characters. */
export class StrictJsonError extends Error {
  readonly code: StrictJsonCode;
  readonly line: number;
  readonly column: number;

  constructor(code: StrictJsonCode, problem: string, line: number, column: number) {
    super(`Line ${line}, column ${column}: ${problem}.`);
    this.name = "StrictJsonError";
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

export interface StrictJsonLimits {
  /** Largest input in bytes; 64 KiB by default. */
  readonly maxBytes?: number;
  /** Deepest nesting of lists and objects; 16 by default. */
  readonly maxDepth?: number;
  /** Whether the text may start with a byte order mark; `allow` by default. */
  readonly bom?: "allow" | "refuse";
}

export interface StrictJson {
  readonly value: unknown;
  /**
   * Raw tokens, by dotted path (`card.bin_card`, `list.0`), of numbers that are not in canonical form or are beyond 2^53-1:
   * `1e3`, `12.0`, `-0`, `9007199254740993`. They are refused where an integer is required.
   */
  readonly irregularNumbers: ReadonlyMap<string, string>;
}

/**
 * Reads one JSON text.
 * @param input bytes in UTF-8, or text that was decoded strictly before
 * @throws StrictJsonError for anything that is not exactly one JSON value within the limits
 */
export function parseStrictJson(input: Uint8Array | string, limits: StrictJsonLimits = {}): StrictJson {
  const { maxBytes = BODY_LIMIT_BYTES, maxDepth = JSON_DEPTH_LIMIT, bom = "allow" } = limits;
  const size = typeof input === "string" ? Buffer.byteLength(input, "utf8") : input.byteLength;
  if (size > maxBytes) {
    throw new StrictJsonError("too_large", `the text has ${size} bytes and ${maxBytes} are allowed`, 1, 1);
  }
  const text = typeof input === "string" ? input : decode(input);
  const marked = text.startsWith("\ufeff");
  if (marked && bom === "refuse") {
    throw new StrictJsonError("bom", "a byte order mark is not allowed here", 1, 1);
  }
  const unmarked = marked ? text.slice(1) : text;
  const plain = readPlainJson(unmarked, maxDepth);
  return plain === undefined
    ? parseWithPositions(unmarked, maxDepth)
    : { value: plain, irregularNumbers: NO_IRREGULAR_NUMBERS };
}

/**
 * The strict parser without the fast path; its errors have line and column.
 * @throws StrictJsonError
 */
export function parseWithPositions(text: string, maxDepth: number): StrictJson {
  const reader = new Reader(text, maxDepth);
  return { value: reader.document(), irregularNumbers: reader.irregularNumbers };
}

const NO_IRREGULAR_NUMBERS: ReadonlyMap<string, string> = new Map();

/** Shared: it keeps no state between whole texts, and creating one costs more than decoding. */
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    const valid = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, validLength(bytes)));
    const { line, column } = position(valid.replace(/^\ufeff/, ""), Infinity);
    throw new StrictJsonError("invalid_utf8", "the bytes are not valid UTF-8", line, column);
  }
}

/** Length of the longest prefix of whole, valid characters, by bisection. */
function validLength(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  // The streaming decoder accepts an incomplete last character: step back to its first byte.
  let start = good;
  while (start > 0 && good - start < 4 && (bytes[start - 1]! & 0xc0) === 0x80) start -= 1;
  const lead = start > 0 ? bytes[start - 1]! : 0;
  const wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return good - start + 1 < wanted ? start - 1 : good;
}

function position(text: string, end: number): { line: number; column: number } {
  const before = text.slice(0, end);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return { line, column: Array.from(before.slice(lineStart)).length + 1 };
}

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** `unescaped` of RFC 8259, section 7. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;
const UNICODE_ESCAPE = /[0-9a-fA-F]{4}/y;
const LONE_SURROGATE = /\p{Cs}/u;
const LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

class Reader {
  readonly irregularNumbers = new Map<string, string>();
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): unknown {
    this.#blanks();
    const value = this.#value();
    this.#blanks();
    if (this.#at < this.#text.length) this.#unexpected("the end of the text");
    return value;
  }

  #value(): unknown {
    const first = this.#text[this.#at];
    if (first === "{") return this.#object();
    if (first === "[") return this.#list();
    if (first === '"') return this.#string();
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #object(): Record<string, unknown> {
    this.#enter();
    const object: Record<string, unknown> = {};
    if (this.#accept("}")) return object;
    do {
      this.#blanks();
      const start = this.#at;
      if (this.#text[start] !== '"') this.#unexpected('a key in double quotes or "}"');
      const key = this.#string();
      if (FORBIDDEN_KEYS.has(key)) this.#fail("forbidden_key", `the key "${key}" is not allowed`, start);
      if (Object.hasOwn(object, key)) {
        this.#fail("duplicate_key", `the key "${escapeText(key, 40)}" occurs twice`, start);
      }
      if (!this.#accept(":")) this.#unexpected('":"');
      this.#blanks();
      this.#path.push(key);
      object[key] = this.#value();
      this.#path.pop();
    } while (this.#accept(","));
    if (!this.#accept("}")) this.#unexpected('"," or "}"');
    return object;
  }

  #list(): unknown[] {
    this.#enter();
    const list: unknown[] = [];
    if (this.#accept("]")) return list;
    do {
      this.#blanks();
      this.#path.push(list.length);
      list.push(this.#value());
      this.#path.pop();
    } while (this.#accept(","));
    if (!this.#accept("]")) this.#unexpected('"," or "]"');
    return list;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    let result = "";
    for (;;) {
      result += this.#match(PLAIN_TEXT);
      const stop = this.#text[this.#at];
      if (stop === '"') break;
      if (stop === "\\") result += this.#escape();
      else if (stop === undefined) this.#fail("truncated", "the text ends inside a string", this.#at);
      else this.#fail("syntax", "a control character in a string must be written as an escape", this.#at);
    }
    this.#at += 1;
    if (LONE_SURROGATE.test(result)) {
      this.#fail("lone_surrogate", "half of a surrogate pair stands alone in a string", start);
    }
    return result;
  }

  #escape(): string {
    const start = this.#at;
    const letter = this.#text[start + 1];
    if (letter === undefined) this.#fail("truncated", "the text ends inside a string", this.#text.length);
    this.#at += 2;
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) return plain;
    const hex = letter === "u" ? this.#match(UNICODE_ESCAPE) : "";
    if (hex === "") this.#fail("syntax", "a backslash in a string starts no known escape", start);
    return String.fromCharCode(parseInt(hex, 16));
  }

  #number(): number {
    const start = this.#at;
    const token = this.#match(NUMBER);
    if (token === "") this.#unexpected("a value");
    const value = Number(token);
    if (!Number.isFinite(value))
      this.#fail("number_range", "a number is too large; write a smaller one", start);
    if (isIrregularNumber(token)) this.irregularNumbers.set(this.#path.join("."), token);
    return value;
  }

  /** Consumes an opening bracket; the length of the path is the depth. */
  #enter(): void {
    if (this.#path.length >= this.#maxDepth) {
      this.#fail("too_deep", `lists and objects are nested deeper than ${this.#maxDepth} levels`, this.#at);
    }
    this.#at += 1;
  }

  #blanks(): void {
    this.#match(BLANKS);
  }

  #accept(character: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #unexpected(wanted: string): never {
    const found = this.#text.codePointAt(this.#at);
    if (found === undefined) this.#fail("truncated", `the text ends where ${wanted} is expected`, this.#at);
    this.#fail("syntax", `${wanted} is expected, not "${escapeText(String.fromCodePoint(found))}"`, this.#at);
  }

  #fail(code: StrictJsonCode, problem: string, at: number): never {
    const { line, column } = position(this.#text, at);
    throw new StrictJsonError(code, problem, line, column);
  }
}
