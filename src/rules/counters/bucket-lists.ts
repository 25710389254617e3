// Attempts per key in buckets that get coarser with age: minutes for 2 hours, hours for 3 days, days for 60 days.

import { KeyLists } from "./key-lists.ts";
import type { KeySlots } from "./key-slots.ts";
import { TIERS, type Window } from "./window.ts";

/** Sums of a bucket. `micro`: attempts with a tiny amount; `valued`: those whose value in EUR is known. */
export interface BucketSums {
  readonly attempts: number;
  readonly micro: number;
  readonly valued: number;
  readonly cents: number;
}

export type BucketField = keyof BucketSums;

/** Words of a record; `UNIT` is the number of the bucket: minutes, hours or days since the epoch. */
const UNIT = 1;
const WORDS = { attempts: 2, micro: 3, valued: 4 } as const;
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
export class BucketLists extends KeyLists {
  constructor(slots: KeySlots) {
    super(slots, 0, 4, 1);
  }

  /** Adds to the bucket of `minute` (minutes since the epoch). */
  add(slot: number, minute: number, sums: BucketSums): void {
    const head = this.head(slot);
    const newest = head === 0 ? minute : this.records.ints[head + UNIT]!;
    this.#merge(0, slot, minute, sums);
    if (minute > newest) this.#settle(slot, minute);
    else if (minute < newest) this.#settleLate(slot, minute, newest);
  }

  /** Sum over the buckets of a window that ends with the bucket of `minute`; later buckets do not count. */
  sum(slot: number, minute: number, { tier, buckets }: Window, field: BucketField): number {
    const unit = UNIT_MINUTES[tier];
    const last = Math.floor(minute / unit);
    const from = (last - buckets + 1) * unit;
    const { ints, doubles } = this.records;
    const word = field === "cents" ? null : WORDS[field];
    let sum = 0;
    for (let finer = 0; finer <= tier; finer++) {
      const size = UNIT_MINUTES[finer]!;
      for (let row = this.head(slot, finer); row !== 0; row = ints[row]!) {
        const start = ints[row + UNIT]! * size;
        if (start < from) break;
        if (start <= minute) sum += word === null ? doubles[centsOf(row)]! : ints[row + word]!;
      }
    }
    return sum;
  }

  override clear(slot: number): void {
    for (let tier = 0; tier < TIERS.length; tier++) super.clear(slot, tier);
  }

  /**
   * After an attempt that is older than the newest one, because it is late or the clock was set back. It is counted by the
   * minute; later buckets count again once the time is past them.
   */
  #settleLate(slot: number, minute: number, newest: number): void {
    this.#settle(slot, minute);
    let minutes = 0;
    for (let row = this.head(slot); row !== 0; row = this.records.ints[row]!) minutes += 1;
    // Attempts in reverse time order would make the list longer each time.
    if (minutes > MOST_MINUTES) this.#settle(slot, newest);
  }

  /** Merges buckets that are too old for their tier into the next one. */
  #settle(slot: number, newest: number): void {
    for (let tier = 0; tier < TIERS.length; tier++) {
      const stale = Math.floor(newest / UNIT_MINUTES[tier]!) - TIERS[tier]!.keep;
      const [before, cut] = this.#find(slot, tier, stale);
      this.#link(slot, tier, before, 0);
      for (let row = tier + 1 < TIERS.length ? cut : 0; row !== 0; row = this.records.ints[row]!) {
        const minute = this.records.ints[row + UNIT]! * UNIT_MINUTES[tier]!;
        this.#merge(tier + 1, slot, Math.floor(minute / UNIT_MINUTES[tier + 1]!), this.#sumsOf(row));
      }
      this.giveAll(cut);
    }
  }

  /** The first bucket at or before `unit` and the one before it; 0 for none. */
  #find(slot: number, tier: number, unit: number): [before: number, row: number] {
    const { ints } = this.records;
    let before = 0;
    let row = this.head(slot, tier);
    while (row !== 0 && ints[row + UNIT]! > unit) {
      before = row;
      row = ints[row]!;
    }
    return [before, row];
  }

  #link(slot: number, tier: number, before: number, row: number): void {
    if (before === 0) this.setHead(slot, tier, row);
    else this.records.ints[before] = row;
  }

  #merge(tier: number, slot: number, unit: number, sums: BucketSums): void {
    const [before, next] = this.#find(slot, tier, unit);
    const isNew = next === 0 || this.records.ints[next + UNIT] !== unit;
    const row = isNew ? this.records.take() : next;
    const { ints, doubles } = this.records;
    if (isNew) {
      ints[row] = next;
      ints[row + UNIT] = unit;
      this.#link(slot, tier, before, row);
    }
    ints[row + WORDS.attempts]! += sums.attempts;
    ints[row + WORDS.micro]! += sums.micro;
    ints[row + WORDS.valued]! += sums.valued;
    doubles[centsOf(row)]! += sums.cents;
  }

  #sumsOf(row: number): BucketSums {
    const { ints, doubles } = this.records;
    return {
      attempts: ints[row + WORDS.attempts]!,
      micro: ints[row + WORDS.micro]!,
      valued: ints[row + WORDS.valued]!,
      cents: doubles[centsOf(row)]!,
    };
  }
}

/** Index of the double that has the money of a bucket. */
function centsOf(row: number): number {
  return (row >> 1) + 3;
}
