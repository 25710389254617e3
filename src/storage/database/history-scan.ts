// Finds the entries in the bytes of a history segment without parsing them: the lines are of our own making, so that their
// ids, times and verdicts stand at known places. A line of any other form is parsed as a whole.

import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

import { readAt } from "#src/storage/documents/durable-file.ts";
import type { OpenFile } from "#src/storage/file-system.ts";
import { decodeLine, LINE_FEED } from "./journal-line.ts";
import { idHash, idKey, INDEXED_VERDICTS, VERDICT_UNSURE } from "./history-rows.ts";
import type { RowsBuilder } from "./history-rows.ts";

export interface Scanned {
  /** Bytes up to and including the last line feed. */
  readonly bytes: number;
  /** Lines that are torn or damaged. */
  readonly bad: number;
}

export interface ScannedSegment {
  /** Up to where whole lines were found. */
  readonly end: number;
  readonly bad: number;
}

/** Bytes that are scanned without a pause: some milliseconds. */
const SLICE = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const HEAD = ascii('{"c":"');
const SUM_END = HEAD.length + 8;
const BEFORE_NUMBER = ascii('","n":');
const BEFORE_TIME = ascii(',"t":');
const BEFORE_INTENT = ascii(',"r":{"type":"intent","entry":{"id":"');
const BEFORE_LEARNED = ascii(',"r":{"type":"learned","id":"');
const BEFORE_AT = ascii('","at":');
const AFTER_ID = ascii('","learned":{');
const RESULT = ascii('"result":{');
const OTHERS = ['"finalAction":', '"explanation":', '"note":', '"warnings":'].map(ascii);
const OUTCOME = ascii('"outcome":"');
const RECOMMENDATION = ascii('"recommendation":');
const NULL = ascii("null");

/** Hexadecimal digits as numbers. */
const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) HEX[digit.toString(16).charCodeAt(0)] = digit;

/** One buffer for all slices of all segments: new ones pile up, tens of megabytes of them, before they are collected. */
let spare: Buffer | null = null;

/** Nobody else gets it meanwhile. */
function takeSpare(length: number): Buffer {
  const bytes = length === 2 * SLICE && spare !== null ? spare : Buffer.allocUnsafeSlow(length);
  if (bytes === spare) spare = null;
  return bytes;
}

/**
 * Adds the lines of a segment to the table, with pauses.
 * @param isFull nobody appends any more, so that an unfinished line at the end is one as well
 */
export async function scanSegment(
  file: OpenFile,
  from: number,
  size: number,
  isFull: boolean,
  rows: RowsBuilder,
): Promise<ScannedSegment> {
  let bad = 0;
  let end = from;
  let bytes = takeSpare(Math.min(2 * SLICE, size - from + 1));
  let rest = 0;
  for (let position = from; position < size;) {
    if (rest === bytes.length) bytes = Buffer.concat([bytes], 2 * rest);
    const filled = await readAt(file, bytes.subarray(rest, Math.min(bytes.length, rest + SLICE)), position);
    if (filled === 0) break;
    position += filled;
    const scanned = scanLines(bytes.subarray(0, rest + filled), end, rows);
    bad += scanned.bad;
    end += scanned.bytes;
    bytes.copyWithin(0, scanned.bytes, rest + filled);
    rest += filled - scanned.bytes;
    await new Promise(setImmediate);
  }
  if (isFull && rest > 0) {
    bad += scanLines(Buffer.concat([bytes.subarray(0, rest), Buffer.from("\n")]), end, rows).bad;
    end += rest;
  }
  if (bytes.length === 2 * SLICE) spare = bytes;
  return { end, bad };
}

/**
 * Adds the whole lines of `bytes` to the table.
 * @param base offset of the bytes in their segment
 */
export function scanLines(bytes: Buffer, base: number, rows: RowsBuilder): Scanned {
  let start = 0;
  let bad = 0;
  // Never a view of a pool: crc32 and the views below count from the start of the buffer.
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    if (
      !takeKnown(bytes, start, end, base, rows) &&
      !takeAny(bytes.subarray(start, end), base + start, rows)
    ) {
      bad += 1;
    }
    start = end + 1;
  }
  return { bytes: start, bad };
}

/** False for a line that is damaged or not of the form that this version writes. */
function takeKnown(bytes: Buffer, start: number, end: number, base: number, rows: RowsBuilder): boolean {
  if (!hasAt(bytes, start, HEAD) || !hasAt(bytes, start + SUM_END, BEFORE_NUMBER)) return false;
  let at = digitsEnd(bytes, start + SUM_END + BEFORE_NUMBER.length);
  if (!hasAt(bytes, at, BEFORE_TIME)) return false;
  at += BEFORE_TIME.length;
  const timeEnd = digitsEnd(bytes, at);
  const isIntent = hasAt(bytes, timeEnd, BEFORE_INTENT);
  if (!isIntent && !hasAt(bytes, timeEnd, BEFORE_LEARNED)) return false;
  if (!isWhole(bytes, start, end)) return false;
  const id = timeEnd + (isIntent ? BEFORE_INTENT : BEFORE_LEARNED).length;
  const idEnd = plainTextEnd(bytes, id, end);
  if (idEnd < 0) return false;
  const key = idKey(bytes, id, idEnd);
  const hash = idHash(bytes, id, idEnd);
  if (isIntent) {
    if (!hasAt(bytes, idEnd, BEFORE_AT)) return false;
    const made = idEnd + BEFORE_AT.length;
    const madeEnd = digitsEnd(bytes, made);
    // A time with a sign or a fraction is not for this reader.
    if (madeEnd === made || bytes[madeEnd] !== 0x2c) return false;
    rows.intent(
      base + start,
      end - start,
      digits(bytes, at, timeEnd),
      digits(bytes, made, madeEnd),
      key,
      hash,
    );
    return true;
  }
  if (!hasAt(bytes, idEnd, AFTER_ID)) return false;
  const fields = idEnd + AFTER_ID.length;
  const verdict = hasAt(bytes, fields, RESULT) ? verdictAt(bytes, fields + RESULT.length, end) : null;
  if (verdict === null && !OTHERS.some((name) => hasAt(bytes, fields, name))) return false;
  rows.learned(base + start, end - start, key, hash, verdict);
  return true;
}

/** The same from a parsed line; false for a damaged one. */
function takeAny(line: Buffer, offset: number, rows: RowsBuilder): boolean {
  const decoded = decodeLine(line);
  if (decoded === null) return false;
  const { record, time } = decoded;
  const { type, entry, id, learned } = record as {
    type?: unknown;
    entry?: { id?: unknown; at?: unknown };
    id?: unknown;
    learned?: { result?: unknown };
  };
  if (type === "intent" && typeof entry?.id === "string") {
    const bytes = ascii(entry.id);
    const at = typeof entry.at === "number" ? entry.at : NaN;
    rows.intent(offset, line.length, time, at, idKey(bytes), idHash(bytes));
  } else if (type === "learned" && typeof id === "string") {
    const bytes = ascii(id);
    const verdict = learned !== undefined && "result" in learned ? VERDICT_UNSURE : null;
    rows.learned(offset, line.length, idKey(bytes), idHash(bytes), verdict);
  }
  // What newer versions of the program may add is no entry, and no damage.
  return true;
}

/**
 * Number of the verdict in the bytes of a result. A quote inside of a text is escaped there, so that the names of fields
 * with their quotes are fields; and a result holds no other objects.
 */
function verdictAt(bytes: Buffer, start: number, end: number): number {
  const recommendation = bytes.indexOf(RECOMMENDATION, start);
  if (recommendation < 0 || recommendation >= end) return VERDICT_UNSURE;
  const value = recommendation + RECOMMENDATION.length;
  if (bytes[value] === QUOTE) return verdictNumber(bytes, value + 1, end);
  if (!hasAt(bytes, value, NULL)) return VERDICT_UNSURE;
  const outcome = bytes.indexOf(OUTCOME, start);
  if (outcome < 0 || outcome >= end) return VERDICT_UNSURE;
  return verdictNumber(bytes, outcome + OUTCOME.length, end);
}

const VERDICT_BYTES = INDEXED_VERDICTS.map((word) => ascii(`${word}"`));

function verdictNumber(bytes: Buffer, at: number, end: number): number {
  for (let number = 1; number < VERDICT_BYTES.length; number += 1) {
    const word = VERDICT_BYTES[number]!;
    if (at + word.length <= end && hasAt(bytes, at, word)) return number;
  }
  return VERDICT_UNSURE;
}

function isWhole(bytes: Buffer, start: number, end: number): boolean {
  let sum = 0;
  for (let index = start + HEAD.length; index < start + SUM_END; index += 1) {
    const digit = HEX[bytes[index]!]!;
    if (digit < 0) return false;
    sum = sum * 16 + digit;
  }
  const from = start + SUM_END + 2;
  return crc32(new Uint8Array(bytes.buffer, bytes.byteOffset + from, end - from)) === sum;
}

function hasAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    if (bytes[at + index] !== wanted[index]) return false;
  }
  return true;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= ZERO + 9) at += 1;
  return at;
}

function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + bytes[at]! - ZERO;
  return value;
}

/** Where a text ends that holds no escapes; -1 otherwise. */
function plainTextEnd(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = from; at < limit; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}
