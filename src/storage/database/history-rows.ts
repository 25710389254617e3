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

/** What is known of a table without having it in memory. */
export interface RowSummary extends RowCounts {
  /** Times of the first and the last row in ms since the epoch; 0 without rows. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Where the first row is; 0 without rows. */
  readonly firstOffset: number;
  /** The range of the keys that say something. */
  readonly leastKey: number;
  readonly mostKey: number;
  /** False when there are keys that say nothing. */
  readonly isRegular: boolean;
}

/** Columns of a segment: one row an intent, in the order of the file. All views share one buffer. */
export interface HistoryRows extends RowCounts {
  readonly buffer: ArrayBuffer;
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
export function rowsIn(buffer: ArrayBuffer, counts: RowCounts): HistoryRows {
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

export function summaryOf(rows: HistoryRows): RowSummary {
  let leastKey = Infinity;
  let mostKey = -Infinity;
  let isRegular = true;
  for (const key of rows.key) {
    if (key === IRREGULAR_KEY) isRegular = false;
    else {
      if (key < leastKey) leastKey = key;
      if (key > mostKey) mostKey = key;
    }
  }
  return {
    rows: rows.rows,
    learned: rows.learned,
    foreign: rows.foreign,
    firstTime: rows.time[0] ?? 0,
    lastTime: rows.time.at(-1) ?? 0,
    firstOffset: rows.offset[0] ?? 0,
    leastKey,
    mostKey,
    isRegular,
  };
}

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** Collects rows in the order of the file, in columns that double when they are full. */
export class RowsBuilder {
  #rows = 0;
  #learned = 0;
  #foreign = 0;
  #time = new Float64Array(FIRST_ROWS);
  #key = new Float64Array(FIRST_ROWS);
  #offset = new Uint32Array(FIRST_ROWS);
  #length = new Uint32Array(FIRST_ROWS);
  #atDelta = new Int32Array(FIRST_ROWS);
  #hash = new Uint32Array(FIRST_ROWS);
  #head = new Int32Array(FIRST_ROWS);
  #verdict = new Uint8Array(FIRST_ROWS);
  #learnedOffset = new Uint32Array(FIRST_ROWS);
  #learnedLength = new Uint32Array(FIRST_ROWS);
  #learnedNext = new Int32Array(FIRST_ROWS);
  #foreignKey = new Float64Array(FIRST_FOREIGN);
  #foreignHash = new Uint32Array(FIRST_FOREIGN);
  #foreignLearned = new Uint32Array(FIRST_FOREIGN);
  /** Rows by the hash of their ids, from 1; open addressing, at most half full. */
  #slots = new Uint32Array(2 * FIRST_ROWS);

  /** @param at when the entry says that it was made, in ms since the epoch */
  intent(offset: number, length: number, time: number, at: number, key: number, hash: number): void {
    if (this.#rows === this.#time.length) this.#growRows();
    const row = this.#rows++;
    const delta = at - time;
    this.#time[row] = time;
    this.#key[row] = key;
    this.#offset[row] = offset;
    this.#length[row] = length;
    this.#atDelta[row] = Number.isInteger(delta) && Math.abs(delta) < 0x7fffffff ? delta : NO_DELTA;
    this.#hash[row] = hash;
    this.#head[row] = -1;
    this.#slots[this.#slotOf(hash)] = row + 1;
  }

  /** @param verdict number of the verdict that it brings; null when it says nothing about that */
  learned(offset: number, length: number, key: number, hash: number, verdict: number | null): void {
    if (this.#learned === this.#learnedOffset.length) this.#growLearned();
    const row = this.#slots[this.#slotOf(hash)]! - 1;
    const learned = this.#learned++;
    this.#learnedOffset[learned] = offset;
    this.#learnedLength[learned] = length;
    if (row < 0 || this.#key[row] !== key) {
      if (this.#foreign === this.#foreignKey.length) this.#growForeign();
      this.#learnedNext[learned] = -1;
      this.#foreignKey[this.#foreign] = key;
      this.#foreignHash[this.#foreign] = hash;
      this.#foreignLearned[this.#foreign] = learned;
      this.#foreign += 1;
      return;
    }
    this.#learnedNext[learned] = this.#head[row]!;
    this.#head[row] = learned;
    if (verdict !== null) this.#verdict[row] = verdict;
  }

  /** The columns so far, in a buffer of their own. */
  pack(): HistoryRows {
    const counts = { rows: this.#rows, learned: this.#learned, foreign: this.#foreign };
    const packed = rowsIn(new ArrayBuffer(bytesOf(counts)), counts);
    packed.time.set(this.#time.subarray(0, this.#rows));
    packed.key.set(this.#key.subarray(0, this.#rows));
    packed.foreignKey.set(this.#foreignKey.subarray(0, this.#foreign));
    packed.offset.set(this.#offset.subarray(0, this.#rows));
    packed.length.set(this.#length.subarray(0, this.#rows));
    packed.atDelta.set(this.#atDelta.subarray(0, this.#rows));
    packed.hash.set(this.#hash.subarray(0, this.#rows));
    packed.head.set(this.#head.subarray(0, this.#rows));
    packed.learnedOffset.set(this.#learnedOffset.subarray(0, this.#learned));
    packed.learnedLength.set(this.#learnedLength.subarray(0, this.#learned));
    packed.learnedNext.set(this.#learnedNext.subarray(0, this.#learned));
    packed.foreignHash.set(this.#foreignHash.subarray(0, this.#foreign));
    packed.foreignLearned.set(this.#foreignLearned.subarray(0, this.#foreign));
    packed.verdict.set(this.#verdict.subarray(0, this.#rows));
    return packed;
  }

  /** The slot that holds this hash, or the one that is to hold it. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0 || this.#hash[row] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #growRows(): void {
    this.#time = doubled(this.#time);
    this.#key = doubled(this.#key);
    this.#offset = doubled(this.#offset);
    this.#length = doubled(this.#length);
    this.#atDelta = doubled(this.#atDelta);
    this.#hash = doubled(this.#hash);
    this.#head = doubled(this.#head);
    this.#verdict = doubled(this.#verdict);
    this.#slots = new Uint32Array(2 * this.#time.length);
    for (let row = 0; row < this.#rows; row += 1) this.#slots[this.#slotOf(this.#hash[row]!)] = row + 1;
  }

  #growLearned(): void {
    this.#learnedOffset = doubled(this.#learnedOffset);
    this.#learnedLength = doubled(this.#learnedLength);
    this.#learnedNext = doubled(this.#learnedNext);
  }

  #growForeign(): void {
    this.#foreignKey = doubled(this.#foreignKey);
    this.#foreignHash = doubled(this.#foreignHash);
    this.#foreignLearned = doubled(this.#foreignLearned);
  }
}

/** Rows for which there is room at first: powers of two, as the slots count on. */
const FIRST_ROWS = 1_024;
const FIRST_FOREIGN = 16;

function doubled<C extends Column>(column: C): C {
  const larger = new (column.constructor as new (length: number) => C)(2 * column.length);
  larger.set(column);
  return larger;
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
