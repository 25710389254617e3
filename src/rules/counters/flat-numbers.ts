// A growable array of unboxed numbers, for the serialised counters.

/** 64-bit floats hold every integer that is counted here, halves of keys and times alike. */
export class FlatNumbers {
  #values = new Float64Array(1 << 12);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Changes a number that was pushed before. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Returns the numbers and empties the array. */
  take(): Float64Array<ArrayBuffer> {
    const taken = this.#values.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
