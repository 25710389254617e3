// LRU table of hashed keys: each key has a slot, a record from which the lists of its counts begin.

const FIRST_RECORDS = 1024;

/** From this many on the buffer is resizable, and grows without copying; smaller ones are faster to read. */
const LARGE = 1 << 18;

/** Records that a resizable buffer grows by, which limits unused memory. */
const STEP = 1 << 16;

/** Records of address space that a resizable buffer reserves; memory is committed as it grows. */
const MOST_RECORDS = 1 << 24;

const WORD_BYTES = 4;

/**
 * Records of numbers side by side in one buffer, in place of a million small objects, which the garbage collector would
 * traverse. A record is known by the index of its first word; 0 is none.
 */
export class Records {
  /** All words. */
  ints!: Int32Array<ArrayBuffer>;
  /** The same buffer: word 2n begins the double n. */
  doubles!: Float64Array<ArrayBuffer>;
  /** Records in use. */
  used = 0;
  readonly #words: number;
  readonly #free: number[] = [];
  #capacity = FIRST_RECORDS;
  #end = 1;

  /** @param words of 32 bits in a record, an even number where it has doubles */
  constructor(words: number) {
    this.#words = words;
    this.#view(new ArrayBuffer(this.#capacity * words * WORD_BYTES));
  }

  get bytes(): number {
    return this.used * this.#words * WORD_BYTES;
  }

  /** A record of zeros. */
  take(): number {
    this.used += 1;
    const free = this.#free.pop();
    if (free === undefined && this.#end === this.#capacity) this.#grow();
    const record = free ?? this.#end++ * this.#words;
    this.ints.fill(0, record, record + this.#words);
    return record;
  }

  give(record: number): void {
    this.used -= 1;
    this.#free.push(record);
  }

  /** A copy: all words, and the records among them that are free. */
  image(): readonly [words: Int32Array<ArrayBuffer>, free: Int32Array<ArrayBuffer>] {
    return [this.ints.slice(0, this.#end * this.#words), Int32Array.from(this.#free)];
  }

  /** Makes room for so many words, which are then to be written. @throws RangeError for a number that no image has */
  hold(words: number): void {
    const end = words / this.#words;
    if (!Number.isInteger(end) || end < 1 || end > MOST_RECORDS) throw new RangeError(`${words} words`);
    while (this.#capacity < end) this.#grow();
    this.#end = end;
    this.used = end - 1;
  }

  /** Records that were free in an image. */
  release(free: Int32Array): void {
    for (const record of free) this.give(record);
  }

  #grow(): void {
    this.#capacity += Math.min(this.#capacity, this.#capacity < LARGE ? Infinity : STEP);
    const bytes = this.#capacity * this.#words * WORD_BYTES;
    // The views have no length of their own and follow their buffer.
    if (this.ints.buffer.resizable) {
      this.ints.buffer.resize(bytes);
      return;
    }
    const maxByteLength = Math.max(bytes, MOST_RECORDS * this.#words * WORD_BYTES);
    const { ints } = this;
    this.#view(this.#capacity < LARGE ? new ArrayBuffer(bytes) : new ArrayBuffer(bytes, { maxByteLength }));
    this.ints.set(ints);
  }

  #view(buffer: ArrayBuffer): void {
    this.ints = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}

/** Words of a slot: halves of the key, the slots used before and after it, and the first record of each list. */
const [HIGH, LOW, OLDER, NEWER] = [0, 1, 2, 3];
export const FIRST_LIST = 4;
const LISTS = 5;
const WORDS = FIRST_LIST + LISTS;

/** Bytes of the index per slot. */
const INDEX_BYTES = 8;
const FIRST_INDEX = 2048;

/**
 * 64 bits of a key as two integers. Keys are truncated SHA-256: a collision among a million has a chance of 1 in 10^7, and
 * cannot be provoked without the secret.
 */
export interface KeyBits {
  readonly high: number;
  readonly low: number;
}

/** Mixes every character into both halves (multiplications as in MurmurHash3). */
export function keyBits(key: string): KeyBits {
  let high = 0x1b873593;
  let low = 0x4cf5ad43;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    high = Math.imul(high ^ code, 0x85ebca6b);
    low = Math.imul(low ^ code, 0xc2b2ae35);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return {
    high: Math.imul(high ^ (low >>> 16), 0x9e3779b1) | 0,
    low: Math.imul(low ^ (high >>> 13), 0x27d4eb2f) | 0,
  };
}

/** A hash table with linear probing over slots, and a doubly linked order of use. */
export class KeySlots extends Records {
  /** Slots by hash; 0 = free. Always a power of two, and never more than three quarters full. */
  #index = new Int32Array(FIRST_INDEX);
  #oldest = 0;
  #newest = 0;

  constructor() {
    super(WORDS);
  }

  override get bytes(): number {
    return super.bytes + this.used * INDEX_BYTES;
  }

  /** Slot that was used longest ago; 0 when there is none. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The slot used after this one; 0 after the last. */
  after(slot: number): number {
    return this.ints[slot + NEWER]!;
  }

  bitsOf(slot: number): KeyBits {
    return { high: this.ints[slot + HIGH]!, low: this.ints[slot + LOW]! };
  }

  /** @returns 0 when the key is not there */
  find({ high, low }: KeyBits): number {
    const mask = this.#index.length - 1;
    const { ints } = this;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const slot = this.#index[at]!;
      if (slot === 0 || (ints[slot + LOW] === low && ints[slot + HIGH] === high)) return slot;
    }
  }

  /** The slot of the key, created if needed, and marked as the most recently used. */
  use(key: KeyBits): number {
    const found = this.find(key);
    if (found !== 0) {
      if (found !== this.#newest) {
        this.#unlink(found);
        this.#append(found);
      }
      return found;
    }
    if ((this.used + 1) * 4 > this.#index.length * 3) this.#indexAll(this.#index.length * 2);
    const slot = this.take();
    this.ints[slot + HIGH] = key.high;
    this.ints[slot + LOW] = key.low;
    this.#enter(slot);
    this.#append(slot);
    return slot;
  }

  /** The ends of the order of use. */
  get ends(): readonly [oldest: number, newest: number] {
    return [this.#oldest, this.#newest];
  }

  /** After the words of an image were written. */
  restore([oldest, newest]: readonly [number, number]): void {
    this.#oldest = oldest;
    this.#newest = newest;
    let length = this.#index.length;
    while (this.used * 4 > length * 3) length *= 2;
    this.#indexAll(length);
  }

  remove(slot: number): void {
    const mask = this.#index.length - 1;
    let hole = this.ints[slot + LOW]! & mask;
    while (this.#index[hole] !== slot) hole = (hole + 1) & mask;
    // Backward-shift deletion, so that a search still ends at the first free slot.
    for (let at = (hole + 1) & mask; this.#index[at] !== 0; at = (at + 1) & mask) {
      const home = this.ints[this.#index[at]! + LOW]! & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#index[hole] = this.#index[at]!;
      hole = at;
    }
    this.#index[hole] = 0;
    this.#unlink(slot);
    this.give(slot);
  }

  #enter(slot: number): void {
    const mask = this.#index.length - 1;
    let at = this.ints[slot + LOW]! & mask;
    while (this.#index[at] !== 0) at = (at + 1) & mask;
    this.#index[at] = slot;
  }

  #indexAll(length: number): void {
    this.#index = new Int32Array(length);
    for (let slot = this.#oldest; slot !== 0; slot = this.after(slot)) this.#enter(slot);
  }

  #append(slot: number): void {
    this.#link(this.#newest, slot);
    this.#link(slot, 0);
    this.#newest = slot;
  }

  #unlink(slot: number): void {
    const older = this.ints[slot + OLDER]!;
    const newer = this.after(slot);
    if (newer === 0) this.#newest = older;
    this.#link(older, newer);
  }

  /** Puts two neighbours in the order of use; 0 is an end of it. */
  #link(older: number, newer: number): void {
    if (older === 0) this.#oldest = newer;
    else this.ints[older + NEWER] = newer;
    if (newer !== 0) this.ints[newer + OLDER] = older;
  }
}
