// What is known of the entries of one segment without reading them: a table of numbers, packed into one buffer that a file
// and a worker can take as it is. Never needed for correctness: every line it points at is checked again when it is read.

/** Stands for a time of an entry that does not fit beside the time of its line. */
export const NO_DELTA = -0x80000000;
/** The verdict must be read from the entry itself. */
export const VERDICT_UNSURE = 255;

/** Verdicts by their number in the table; 0 is an intent without an outcome, which counts as unknown, too. */
export const INDEXED_VERDICTS = [
  "unknown",
  "pass",
  "block",
  "3ds_or_block",
  "indeterminate",
  "refused",
  "unknown",
  "not_sent",
  "answered",
] as const;

/** Sizes of the columns: rows, learned records, and those whose intent is in another segment. */
export interface RowCounts {
  readonly rows: number;
  readonly learned: number;
  readonly foreign: number;
}

/** Columns of a segment: one row an intent, in the order of the file. All views share one buffer. */
export interface HistoryRows extends RowCounts {
  readonly buffer: ArrayBufferLike;
  /** Time of the line in ms since the epoch. */
  readonly time: Float64Array;
  /** `idKey` of the entry. */
  readonly key: Float64Array;
  readonly foreignKey: Float64Array;
  readonly offset: Uint32Array;
  readonly length: Uint32Array;
  /** `at` of the entry minus the time of its line, or NO_DELTA. */
  readonly atDelta: Int32Array;
  readonly hash: Uint32Array;
  /** Newest learned record of the row in this segment, or -1. */
  readonly head: Int32Array;
  readonly learnedOffset: Uint32Array;
  readonly learnedLength: Uint32Array;
  /** The next older learned record of the same row, or -1. */
  readonly learnedNext: Int32Array;
  readonly foreignHash: Uint32Array;
  /** Which learned record it is. */
  readonly foreignLearned: Uint32Array;
  readonly verdict: Uint8Array;
}

const WIDE = 8;
const NARROW = 4;

/** Bytes of the columns. */
export function bytesOf({ rows, learned, foreign }: RowCounts): number {
  return WIDE * (2 * rows + foreign) + NARROW * (5 * rows + 3 * learned + 2 * foreign) + rows;
}

/** The columns as they lie in a buffer of `bytesOf` bytes, the widest first so that each is aligned. */
export function rowsIn(buffer: ArrayBufferLike, counts: RowCounts): HistoryRows {
  const { rows, learned, foreign } = counts;
  let at = 0;
  const wide = (count: number): Float64Array => {
    const column = new Float64Array(buffer, at, count);
    at += count * WIDE;
    return column;
  };
  const narrow = (count: number): Uint32Array => {
    const column = new Uint32Array(buffer, at, count);
    at += count * NARROW;
    return column;
  };
  const signed = (count: number): Int32Array => {
    const column = new Int32Array(buffer, at, count);
    at += count * NARROW;
    return column;
  };
  return {
    rows,
    learned,
    foreign,
    buffer,
    time: wide(rows),
    key: wide(rows),
    foreignKey: wide(foreign),
    offset: narrow(rows),
    length: narrow(rows),
    atDelta: signed(rows),
    hash: narrow(rows),
    head: signed(rows),
    learnedOffset: narrow(learned),
    learnedLength: narrow(learned),
    learnedNext: signed(learned),
    foreignHash: narrow(foreign),
    foreignLearned: narrow(foreign),
    verdict: new Uint8Array(buffer, at, rows),
  };
}

/** Collects rows in the order of the file. */
export class RowsBuilder {
  #time: number[] = [];
  #key: number[] = [];
  #offset: number[] = [];
  #length: number[] = [];
  #atDelta: number[] = [];
  #hash: number[] = [];
  #head: number[] = [];
  #verdict: number[] = [];
  #learnedOffset: number[] = [];
  #learnedLength: number[] = [];
  #learnedNext: number[] = [];
  #foreignKey: number[] = [];
  #foreignHash: number[] = [];
  #foreignLearned: number[] = [];
  /** Rows by the hash of their ids. */
  #rowByHash = new Map<number, number>();

  /** @param at when the entry says that it was made, in ms since the epoch */
  intent(offset: number, length: number, time: number, at: number, key: number, hash: number): void {
    const row = this.#time.push(time) - 1;
    const delta = at - time;
    this.#key.push(key);
    this.#offset.push(offset);
    this.#length.push(length);
    this.#atDelta.push(Number.isInteger(delta) && Math.abs(delta) < 0x7fffffff ? delta : NO_DELTA);
    this.#hash.push(hash);
    this.#head.push(-1);
    this.#verdict.push(0);
    this.#rowByHash.set(hash, row);
  }

  /** @param verdict number of the verdict that it brings; null when it says nothing about that */
  learned(offset: number, length: number, key: number, hash: number, verdict: number | null): void {
    const row = this.#rowByHash.get(hash);
    const learned = this.#learnedOffset.push(offset) - 1;
    this.#learnedLength.push(length);
    if (row === undefined || this.#key[row] !== key) {
      this.#learnedNext.push(-1);
      this.#foreignKey.push(key);
      this.#foreignHash.push(hash);
      this.#foreignLearned.push(learned);
      return;
    }
    this.#learnedNext.push(this.#head[row]!);
    this.#head[row] = learned;
    if (verdict !== null) this.#verdict[row] = verdict;
  }

  /** The columns so far, in a buffer of their own that threads can share. */
  pack(): HistoryRows {
    const counts = {
      rows: this.#time.length,
      learned: this.#learnedOffset.length,
      foreign: this.#foreignKey.length,
    };
    const packed = rowsIn(new SharedArrayBuffer(bytesOf(counts)), counts);
    packed.time.set(this.#time);
    packed.key.set(this.#key);
    packed.foreignKey.set(this.#foreignKey);
    packed.offset.set(this.#offset);
    packed.length.set(this.#length);
    packed.atDelta.set(this.#atDelta);
    packed.hash.set(this.#hash);
    packed.head.set(this.#head);
    packed.learnedOffset.set(this.#learnedOffset);
    packed.learnedLength.set(this.#learnedLength);
    packed.learnedNext.set(this.#learnedNext);
    packed.foreignHash.set(this.#foreignHash);
    packed.foreignLearned.set(this.#foreignLearned);
    packed.verdict.set(this.#verdict);
    return packed;
  }
}

/** Characters of an id that its key holds: 37^10 is the largest power of 37 below 2^53. */
export const KEY_LENGTH = 10;
const KEY_BASE = 37;
/** The key of an id with other characters than digits and small letters. */
export const IRREGULAR_KEY = -1;

/** The place of a character in a key, from 1; 0 for any other byte. */
const DIGIT = new Uint8Array(256);
for (let digit = 0; digit < 10; digit += 1) DIGIT[0x30 + digit] = digit + 1;
for (let letter = 0; letter < 26; letter += 1) DIGIT[0x61 + letter] = letter + 11;

/** The beginning of an id as a number that sorts as the ids do. */
export function idKey(id: Uint8Array, start = 0, end = id.length): number {
  let key = 0;
  for (let index = 0; index < KEY_LENGTH; index += 1) {
    const digit = start + index < end ? DIGIT[id[start + index]!]! : -1;
    if (digit === 0) return IRREGULAR_KEY;
    key = key * KEY_BASE + (digit < 0 ? 0 : digit);
  }
  return key;
}

/** The least and the greatest key of an id that starts with this; null where a key cannot tell. */
export function keyRange(prefix: Uint8Array): readonly [number, number] | null {
  const least = idKey(prefix);
  if (least === IRREGULAR_KEY) return null;
  const open = Math.max(0, KEY_LENGTH - prefix.length);
  return [least, least + KEY_BASE ** open - 1];
}

/** FNV-1a over all bytes of an id, 32 bits. */
export function idHash(id: Uint8Array, start = 0, end = id.length): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ id[index]!, 0x01000193);
  return hash >>> 0;
}
