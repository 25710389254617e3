// Values seen together with a key, e.g. the cards of a payer: per key a list of the most recent ones with their last time.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RowPool, grown } from "./columns.ts";
import type { FlatNumbers } from "./flat-numbers.ts";
import type { KeyBits } from "./key-slots.ts";
import { RETENTION_MS } from "./window.ts";

/** Bytes per companion. */
export const COMPANION_BYTES = 1 + 2 * 4 + 8 + 4;

/** Distinct values remembered per key and kind; a count of this much means "at least". */
export const DISTINCT_CAP = 100;

const FIRST_ROWS = 1024;

/** One companion: number of its kind, halves of its key, and when it was last seen. */
export type Companion = readonly [kind: number, high: number, low: number, last: Milliseconds];

export class CompanionLists {
  #heads = new Int32Array(0);
  #kind = new Uint8Array(FIRST_ROWS);
  #high = new Int32Array(FIRST_ROWS);
  #low = new Int32Array(FIRST_ROWS);
  #last = new Float64Array(FIRST_ROWS);
  #next = new Int32Array(FIRST_ROWS);
  readonly #pool = new RowPool(FIRST_ROWS, (rows) => {
    this.#kind = grown(this.#kind, rows);
    this.#high = grown(this.#high, rows);
    this.#low = grown(this.#low, rows);
    this.#last = grown(this.#last, rows);
    this.#next = grown(this.#next, rows);
  });

  get used(): number {
    return this.#pool.used;
  }

  growSlots(slots: number): void {
    this.#heads = grown(this.#heads, slots);
  }

  /**
   * Records a companion. Evicts those that are older than any window, then the least recent beyond the cap.
   * @returns when it was seen before; null when it is new
   */
  note(slot: number, kind: number, { high, low }: KeyBits, at: Milliseconds): Milliseconds | null {
    // Columns in local variables: this loop walks the longest list of a decision.
    const [lasts, nexts, kinds] = [this.#last, this.#next, this.#kind];
    const stale = at - RETENTION_MS;
    let known = 0;
    let same = 0;
    let beforeOldest = 0;
    let oldest = 0;
    let oldestAt = Infinity;
    for (let before = 0, row = this.#heads[slot]!; row !== 0;) {
      const next = nexts[row]!;
      const last = lasts[row]!;
      if (last <= stale) {
        this.#remove(slot, before, row);
        row = next;
        continue;
      }
      if (kinds[row] === kind) {
        if (this.#low[row] === low && this.#high[row] === high) known = row;
        same += 1;
        if (last <= oldestAt) {
          beforeOldest = before;
          oldest = row;
          oldestAt = last;
        }
      }
      before = row;
      row = next;
    }
    if (known !== 0) {
      const before = this.#last[known]!;
      // Not the maximum: after the clock was set back, the companion would not count until that time comes again.
      this.#last[known] = at;
      return before;
    }
    if (same >= DISTINCT_CAP) this.#remove(slot, beforeOldest, oldest);
    this.put(slot, [kind, high, low, at]);
    return null;
  }

  /** How many different companions of a kind were last seen in from <= time < until. */
  count(slot: number, kind: number, from: Milliseconds, until: Milliseconds): number {
    const [lasts, nexts, kinds] = [this.#last, this.#next, this.#kind];
    let count = 0;
    for (let row = this.#heads[slot]!; row !== 0; row = nexts[row]!) {
      const last = lasts[row]!;
      if (kinds[row] === kind && last >= from && last < until) count += 1;
    }
    return count;
  }

  /** When a companion was last seen; null when it is not remembered. */
  lastSeen(slot: number, kind: number, { high, low }: KeyBits): Milliseconds | null {
    for (let row = this.#heads[slot]!; row !== 0; row = this.#next[row]!) {
      if (this.#kind[row] === kind && this.#low[row] === low && this.#high[row] === high)
        return this.#last[row]!;
    }
    return null;
  }

  /** Companions of a kind, latest entry first. */
  ofKind(slot: number, kind: number): Companion[] {
    const found: Companion[] = [];
    for (let row = this.#heads[slot]!; row !== 0; row = this.#next[row]!) {
      if (this.#kind[row] !== kind) continue;
      found.push([kind, this.#high[row]!, this.#low[row]!, this.#last[row]!]);
    }
    return found;
  }

  clear(slot: number): void {
    for (let row = this.#heads[slot]!; row !== 0; row = this.#heads[slot]!) this.#remove(slot, 0, row);
  }

  /** Companions, latest entry first: kind, high, low, last seen, and so on. */
  write(slot: number, out: FlatNumbers): void {
    for (let row = this.#heads[slot]!; row !== 0; row = this.#next[row]!) {
      out.push(this.#kind[row]!);
      out.push(this.#high[row]!);
      out.push(this.#low[row]!);
      out.push(this.#last[row]!);
    }
  }

  /** A copy, to be written while these are in use. */
  copy(): Pick<CompanionLists, "write"> {
    const copy = new CompanionLists();
    copy.#heads = this.#heads.slice();
    copy.#kind = this.#kind.slice();
    copy.#high = this.#high.slice();
    copy.#low = this.#low.slice();
    copy.#last = this.#last.slice();
    copy.#next = this.#next.slice();
    return copy;
  }

  /** Inserts a companion at the head; it must not be in the list. */
  put(slot: number, [kind, high, low, last]: Companion): void {
    const row = this.#pool.take();
    this.#kind[row] = kind;
    this.#high[row] = high;
    this.#low[row] = low;
    this.#last[row] = last;
    this.#next[row] = this.#heads[slot]!;
    this.#heads[slot] = row;
  }

  #remove(slot: number, before: number, row: number): void {
    if (before === 0) this.#heads[slot] = this.#next[row]!;
    else this.#next[before] = this.#next[row]!;
    this.#pool.give(row);
  }
}
