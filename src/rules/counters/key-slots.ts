// LRU table of hashed keys: each key has a slot, an index under which the columns store its counts.

import { RowPool, grown } from "./columns.ts";

/** Bytes per slot: 64 bits of the key, two links, and its share of the index. */
export const KEY_SLOT_BYTES = 16 + 8;

const FIRST_SLOTS = 1024;

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

/** A hash table with linear probing over columns, and a doubly linked order of use. */
export class KeySlots {
  /** Halves of the key by slot. */
  high = new Int32Array(FIRST_SLOTS);
  low = new Int32Array(FIRST_SLOTS);
  #older = new Int32Array(FIRST_SLOTS);
  #newer = new Int32Array(FIRST_SLOTS);
  /** Slots by hash; 0 = free. Always a power of two, and never more than three quarters full. */
  #index = new Int32Array(FIRST_SLOTS * 2);
  #oldest = 0;
  #newest = 0;
  readonly #pool: RowPool;

  /** @param onGrow called with the number of slots that other columns must have */
  constructor(onGrow: (slots: number) => void) {
    onGrow(FIRST_SLOTS);
    this.#pool = new RowPool(FIRST_SLOTS, (slots) => {
      this.high = grown(this.high, slots);
      this.low = grown(this.low, slots);
      this.#older = grown(this.#older, slots);
      this.#newer = grown(this.#newer, slots);
      onGrow(slots);
    });
  }

  get size(): number {
    return this.#pool.used;
  }

  /** Slot that was used longest ago; 0 when there is none. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The slot used after this one; 0 after the last. */
  after(slot: number): number {
    return this.#newer[slot]!;
  }

  /** @returns 0 when the key is not there */
  find({ high, low }: KeyBits): number {
    const mask = this.#index.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const slot = this.#index[at]!;
      if (slot === 0 || (this.low[slot] === low && this.high[slot] === high)) return slot;
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
    if ((this.#pool.used + 1) * 4 > this.#index.length * 3) this.#widen();
    const slot = this.#pool.take();
    this.high[slot] = key.high;
    this.low[slot] = key.low;
    this.#enter(slot);
    this.#append(slot);
    return slot;
  }

  /** As they are now, to be walked from the oldest on while these go on changing. */
  copy(): Pick<KeySlots, "high" | "low" | "oldest" | "after" | "size"> {
    const high = this.high.slice();
    const low = this.low.slice();
    const newer = this.#newer.slice();
    return { high, low, oldest: this.#oldest, size: this.size, after: (slot) => newer[slot]! };
  }

  remove(slot: number): void {
    const mask = this.#index.length - 1;
    let hole = this.low[slot]! & mask;
    while (this.#index[hole] !== slot) hole = (hole + 1) & mask;
    // Backward-shift deletion, so that a search still ends at the first free slot.
    for (let at = (hole + 1) & mask; this.#index[at] !== 0; at = (at + 1) & mask) {
      const home = this.low[this.#index[at]!]! & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#index[hole] = this.#index[at]!;
      hole = at;
    }
    this.#index[hole] = 0;
    this.#unlink(slot);
    this.#pool.give(slot);
  }

  #enter(slot: number): void {
    const mask = this.#index.length - 1;
    let at = this.low[slot]! & mask;
    while (this.#index[at] !== 0) at = (at + 1) & mask;
    this.#index[at] = slot;
  }

  #widen(): void {
    this.#index = new Int32Array(this.#index.length * 2);
    for (let slot = this.#oldest; slot !== 0; slot = this.#newer[slot]!) this.#enter(slot);
  }

  #append(slot: number): void {
    this.#older[slot] = this.#newest;
    this.#newer[slot] = 0;
    if (this.#newest === 0) this.#oldest = slot;
    else this.#newer[this.#newest] = slot;
    this.#newest = slot;
  }

  #unlink(slot: number): void {
    const older = this.#older[slot]!;
    const newer = this.#newer[slot]!;
    if (older === 0) this.#oldest = newer;
    else this.#newer[older] = newer;
    if (newer === 0) this.#newest = older;
    else this.#older[newer] = older;
  }
}
