// Records of numbers side by side in one buffer, in place of a million small objects, which the garbage collector would traverse.

const FIRST_RECORDS = 1024;

/** From this many on the buffer is resizable, and grows without copying; smaller ones are faster to read. */
const LARGE = 1 << 18;

/** Records that a resizable buffer grows by, which limits unused memory. */
const STEP = 1 << 16;

/** Records of address space that a resizable buffer reserves; memory is committed as it grows. */
const MOST_RECORDS = 1 << 24;

const WORD_BYTES = 4;

/** A record is known by the index of its first word; 0 is none. */
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
