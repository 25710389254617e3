// Attempts per key in buckets that get coarser with age: minutes for 2 hours, hours for 3 days, days for 60 days.

import { RowPool, grown } from "./columns.ts";
import type { FlatNumbers } from "./flat-numbers.ts";
import { TIERS, type Window } from "./window.ts";

/** Bytes per bucket. */
export const BUCKET_BYTES = 5 * 4 + 8;

/** Sums of a bucket. `micro`: attempts with a tiny amount; `valued`: those whose value in EUR is known. */
export interface BucketSums {
  readonly attempts: number;
  readonly micro: number;
  readonly valued: number;
  readonly cents: number;
}

export type BucketField = keyof BucketSums;

const FIRST_ROWS = 1024;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Most minute buckets per key, also after the clock has been set back. */
const MOST_MINUTES = 8 * TIERS[0].keep;
/** Minutes in a bucket of each tier. */
const UNIT_MINUTES = [1, HOUR_MINUTES, DAY_MINUTES] as const;

/**
 * Three linked lists per key, newest bucket first. Minutes older than 2 hours are merged into hours, hours older than 3 days
 * into days. Every attempt is in exactly one bucket, and every window of `parseWindow` consists of whole buckets (a window
 * by hours adds up the minutes of recent hours).
 */
export class BucketLists {
  /** First bucket per key and tier; 0 = none. */
  #heads: readonly Int32Array<ArrayBuffer>[] = TIERS.map(() => new Int32Array(0));
  /** Number of the bucket: minutes, hours or days since the epoch. */
  #unit = new Int32Array(FIRST_ROWS);
  #attempts = new Int32Array(FIRST_ROWS);
  #micro = new Int32Array(FIRST_ROWS);
  #valued = new Int32Array(FIRST_ROWS);
  #cents = new Float64Array(FIRST_ROWS);
  #next = new Int32Array(FIRST_ROWS);
  readonly #pool = new RowPool(FIRST_ROWS, (rows) => {
    this.#unit = grown(this.#unit, rows);
    this.#attempts = grown(this.#attempts, rows);
    this.#micro = grown(this.#micro, rows);
    this.#valued = grown(this.#valued, rows);
    this.#cents = grown(this.#cents, rows);
    this.#next = grown(this.#next, rows);
  });

  get used(): number {
    return this.#pool.used;
  }

  growSlots(slots: number): void {
    this.#heads = this.#heads.map((column) => grown(column, slots));
  }

  /** Adds to the bucket of `minute` (minutes since the epoch). */
  add(slot: number, minute: number, sums: BucketSums): void {
    const head = this.#heads[0]![slot]!;
    if (head === 0) this.#merge(0, slot, minute, sums);
    else if (this.#unit[head] === minute) this.#addTo(head, sums);
    else if (minute > this.#unit[head]!) {
      this.#merge(0, slot, minute, sums);
      this.#settle(slot, minute);
    } else this.#addLate(slot, minute, this.#unit[head]!, sums);
  }

  /** Sum over the buckets of a window that ends with the bucket of `minute`; later buckets do not count. */
  sum(slot: number, minute: number, { tier, buckets }: Window, field: BucketField): number {
    const unit = UNIT_MINUTES[tier];
    const last = Math.floor(minute / unit);
    const from = (last - buckets + 1) * unit;
    const column = this.#column(field);
    const [units, nexts] = [this.#unit, this.#next];
    let sum = 0;
    for (let finer = 0; finer <= tier; finer++) {
      const size = UNIT_MINUTES[finer]!;
      for (let row = this.#heads[finer]![slot]!; row !== 0; row = nexts[row]!) {
        const start = units[row]! * size;
        if (start < from) break;
        if (start <= minute) sum += column[row]!;
      }
    }
    return sum;
  }

  clear(slot: number): void {
    for (const heads of this.#heads) {
      for (let row = heads[slot]!; row !== 0;) {
        const next = this.#next[row]!;
        this.#pool.give(row);
        row = next;
      }
      heads[slot] = 0;
    }
  }

  /** Buckets of a tier, newest first: unit, attempts, micro, valued, cents, and so on. */
  write(slot: number, tier: number, out: FlatNumbers): void {
    for (let row = this.#heads[tier]![slot]!; row !== 0; row = this.#next[row]!) {
      out.push(this.#unit[row]!);
      out.push(this.#attempts[row]!);
      out.push(this.#micro[row]!);
      out.push(this.#valued[row]!);
      out.push(this.#cents[row]!);
    }
  }

  /** A copy, to be written while these are in use. */
  copy(): Pick<BucketLists, "write"> {
    const copy = new BucketLists();
    copy.#heads = this.#heads.map((column) => column.slice());
    copy.#unit = this.#unit.slice();
    copy.#attempts = this.#attempts.slice();
    copy.#micro = this.#micro.slice();
    copy.#valued = this.#valued.slice();
    copy.#cents = this.#cents.slice();
    copy.#next = this.#next.slice();
    return copy;
  }

  /** Inserts a bucket as `write` wrote it. */
  put(slot: number, tier: number, unit: number, sums: BucketSums): void {
    this.#merge(tier, slot, unit, sums);
  }

  #column(field: BucketField): Int32Array | Float64Array {
    switch (field) {
      case "attempts":
        return this.#attempts;
      case "micro":
        return this.#micro;
      case "valued":
        return this.#valued;
      case "cents":
        return this.#cents;
    }
  }

  /**
   * Adds an attempt that is older than the newest one, because it is late or the clock was set back. It is counted by the
   * minute; later buckets count again once the time is past them.
   */
  #addLate(slot: number, minute: number, newest: number, sums: BucketSums): void {
    this.#merge(0, slot, minute, sums);
    this.#settle(slot, minute);
    let minutes = 0;
    for (let row = this.#heads[0]![slot]!; row !== 0; row = this.#next[row]!) minutes += 1;
    // Attempts in reverse time order would make the list longer each time.
    if (minutes > MOST_MINUTES) this.#settle(slot, newest);
  }

  /** Merges buckets that are too old for their tier into the next one. */
  #settle(slot: number, newest: number): void {
    for (let tier = 0; tier < TIERS.length; tier++) {
      const stale = Math.floor(newest / UNIT_MINUTES[tier]!) - TIERS[tier]!.keep;
      let row = this.#cut(tier, slot, stale);
      while (row !== 0) {
        const next = this.#next[row]!;
        if (tier + 1 < TIERS.length) {
          const coarser = Math.floor((this.#unit[row]! * UNIT_MINUTES[tier]!) / UNIT_MINUTES[tier + 1]!);
          this.#merge(tier + 1, slot, coarser, this.#sumsOf(row));
        }
        this.#pool.give(row);
        row = next;
      }
    }
  }

  /** Unlinks the buckets at or before `stale` and returns the first of them. */
  #cut(tier: number, slot: number, stale: number): number {
    let before = 0;
    let row = this.#heads[tier]![slot]!;
    while (row !== 0 && this.#unit[row]! > stale) {
      before = row;
      row = this.#next[row]!;
    }
    if (before === 0) this.#heads[tier]![slot] = 0;
    else this.#next[before] = 0;
    return row;
  }

  #merge(tier: number, slot: number, unit: number, sums: BucketSums): void {
    const heads = this.#heads[tier]!;
    let before = 0;
    let row = heads[slot]!;
    while (row !== 0 && this.#unit[row]! > unit) {
      before = row;
      row = this.#next[row]!;
    }
    if (row !== 0 && this.#unit[row] === unit) {
      this.#addTo(row, sums);
      return;
    }
    const made = this.#pool.take();
    this.#unit[made] = unit;
    this.#attempts[made] = sums.attempts;
    this.#micro[made] = sums.micro;
    this.#valued[made] = sums.valued;
    this.#cents[made] = sums.cents;
    this.#next[made] = row;
    if (before === 0) heads[slot] = made;
    else this.#next[before] = made;
  }

  #addTo(row: number, { attempts, micro, valued, cents }: BucketSums): void {
    this.#attempts[row]! += attempts;
    this.#micro[row]! += micro;
    this.#valued[row]! += valued;
    this.#cents[row]! += cents;
  }

  #sumsOf(row: number): BucketSums {
    return {
      attempts: this.#attempts[row]!,
      micro: this.#micro[row]!,
      valued: this.#valued[row]!,
      cents: this.#cents[row]!,
    };
  }
}
