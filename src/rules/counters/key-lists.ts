// Linked lists of records by key: the slot of a key has the first record of each of its lists. Of attempts, companions and
// amounts.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { FIRST_LIST, type KeySlots, type KeyBits, Records } from "./key-slots.ts";
import { MINUTE, RETENTION_MS, TIERS, type Window } from "./window.ts";

/** A record: the next one of its list, integers, and doubles behind an even number of words. */
export class KeyLists {
  /** Numbers of a record as it is written. */
  readonly numbers: number;
  /** Index in `Records.doubles` of the first double, from half the index of its record on. */
  readonly #firstDouble: number;
  /** Behind their own methods, for whoever copies them. */
  readonly records: Records;
  readonly #slots: Pick<Records, "ints">;
  /** Word of a slot in which its first list of these begins. */
  readonly #heads: number;
  readonly #ints: number;

  /** @param list number of the first list of these in a slot */
  constructor(slots: Pick<Records, "ints">, list: number, ints: number, doubles: number) {
    this.#slots = slots;
    this.#heads = FIRST_LIST + list;
    this.#ints = ints;
    this.numbers = ints + doubles;
    this.#firstDouble = (ints + 2) >> 1;
    this.records = new Records(2 * (this.#firstDouble + doubles));
  }

  get bytes(): number {
    return this.records.bytes;
  }

  clear(slot: number, list = 0): void {
    this.giveAll(this.head(slot, list));
    this.setHead(slot, list, 0);
  }

  /** Records from the head of a list on: integers, then doubles, and so on. */
  write(slot: number, list: number, out: number[]): void {
    const { ints, doubles } = this.records;
    for (let row = this.head(slot, list); row !== 0; row = ints[row]!) {
      for (let i = 1; i <= this.#ints; i++) out.push(ints[row + i]!);
      const first = (row >> 1) + this.#firstDouble;
      for (let i = 0; i < this.numbers - this.#ints; i++) out.push(doubles[first + i]!);
    }
  }

  /** Inserts a record at the head of a list, as `write` wrote it. */
  put(slot: number, list: number, from: ArrayLike<number>, start = 0): number {
    const row = this.records.take();
    const { ints, doubles } = this.records;
    for (let i = 0; i < this.#ints; i++) ints[row + 1 + i] = from[start + i]!;
    const first = (row >> 1) + this.#firstDouble - this.#ints;
    for (let i = this.#ints; i < this.numbers; i++) doubles[first + i] = from[start + i]!;
    ints[row] = this.head(slot, list);
    this.setHead(slot, list, row);
    return row;
  }

  protected head(slot: number, list = 0): number {
    return this.#slots.ints[slot + this.#heads + list]!;
  }

  protected setHead(slot: number, list: number, row: number): void {
    this.#slots.ints[slot + this.#heads + list] = row;
  }

  /** Frees a record and those behind it. */
  protected giveAll(first: number): void {
    for (let row = first; row !== 0;) {
      const next = this.records.ints[row]!;
      this.records.give(row);
      row = next;
    }
  }
}

/** Sums of a bucket. `micro`: attempts with a tiny amount; `valued`: those whose value in EUR is known. */
export interface BucketSums {
  readonly attempts: number;
  readonly micro: number;
  readonly valued: number;
  readonly cents: number;
}

type BucketField = keyof BucketSums;

/** Words of a record; `UNIT` is the number of the bucket: minutes, hours or days since the epoch. */
const UNIT = 1;
const WORDS = { attempts: 2, micro: 3, valued: 4 } as const;
/** Most minute buckets per key, also after the clock has been set back. */
const MOST_MINUTES = 8 * TIERS[0].keep;
/** Minutes in a bucket of each tier. */
const UNIT_MINUTES = TIERS.map(({ unitMs }) => unitMs / MINUTE);

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
    const unit = UNIT_MINUTES[tier]!;
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

/** Distinct values remembered per key and kind; a count of this much means "at least". */
export const DISTINCT_CAP = 100;

/** Words of a record. */
const [KIND, HIGH, LOW] = [1, 2, 3];

/** One companion: number of its kind, halves of its key, and when it was last seen. */
export type Companion = readonly [kind: number, high: number, low: number, last: Milliseconds];

/** Values seen together with a key, e.g. the cards of a payer: a list per key of the most recent ones with their last time. */
export class CompanionLists extends KeyLists {
  constructor(slots: KeySlots) {
    super(slots, 3, 3, 1);
  }

  /**
   * Records a companion. Evicts those that are older than any window, then the least recent beyond the cap.
   * @returns when it was seen before; null when it is new
   */
  note(slot: number, kind: number, { high, low }: KeyBits, at: Milliseconds): Milliseconds | null {
    // This loop walks the longest list of a decision.
    const { ints, doubles } = this.records;
    const stale = at - RETENTION_MS;
    let known = 0;
    let same = 0;
    let beforeOldest = 0;
    let oldest = 0;
    let oldestAt = Infinity;
    for (let before = 0, row = this.head(slot); row !== 0;) {
      const next = ints[row]!;
      const last = doubles[lastOf(row)]!;
      if (last <= stale) {
        this.#remove(slot, before, row);
        row = next;
        continue;
      }
      if (ints[row + KIND] === kind) {
        if (ints[row + LOW] === low && ints[row + HIGH] === high) known = row;
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
      const before = doubles[lastOf(known)]!;
      // Not the maximum: after the clock was set back, the companion would not count until that time comes again.
      doubles[lastOf(known)] = at;
      return before;
    }
    if (same >= DISTINCT_CAP) this.#remove(slot, beforeOldest, oldest);
    this.put(slot, 0, [kind, high, low, at]);
    return null;
  }

  /** How many different companions of a kind were last seen in from <= time < until. */
  count(slot: number, kind: number, from: Milliseconds, until: Milliseconds): number {
    const { ints, doubles } = this.records;
    let count = 0;
    for (let row = this.head(slot); row !== 0; row = ints[row]!) {
      const last = doubles[lastOf(row)]!;
      if (ints[row + KIND] === kind && last >= from && last < until) count += 1;
    }
    return count;
  }

  /** When a companion was last seen; null when it is not remembered. */
  lastSeen(slot: number, kind: number, { high, low }: KeyBits): Milliseconds | null {
    const found = this.ofKind(slot, kind).find((companion) => companion[1] === high && companion[2] === low);
    return found?.[3] ?? null;
  }

  /** Companions of a kind, latest entry first. */
  ofKind(slot: number, kind: number): Companion[] {
    const { ints, doubles } = this.records;
    const found: Companion[] = [];
    for (let row = this.head(slot); row !== 0; row = ints[row]!) {
      if (ints[row + KIND] !== kind) continue;
      found.push([kind, ints[row + HIGH]!, ints[row + LOW]!, doubles[lastOf(row)]!]);
    }
    return found;
  }

  #remove(slot: number, before: number, row: number): void {
    const { ints } = this.records;
    if (before === 0) this.setHead(slot, 0, ints[row]!);
    else ints[before] = ints[row]!;
    this.records.give(row);
  }
}

/** Index of the double that says when a companion was last seen. */
function lastOf(row: number): number {
  return (row >> 1) + 2;
}

/** Amounts remembered per key; a run of this length means "at least". */
export const TRAIL_KEPT = 6;

/** Numbers per amount in a trail. */
export const TRAIL_NUMBERS = 3;

/** An amount in minor units of its currency. */
export interface TrailStep {
  readonly amount: number;
  readonly currency: number;
  readonly at: Milliseconds;
}

/** The latest amounts per key, latest first, to detect runs of rising or falling ones (card testing): currency, amount, time. */
export class AmountTrails extends KeyLists {
  constructor(slots: KeySlots) {
    super(slots, 4, 1, 2);
  }

  push(slot: number, { amount, currency, at }: TrailStep): void {
    let last = this.put(slot, 0, [currency, amount, at]);
    const { ints } = this.records;
    for (let kept = 1; kept < TRAIL_KEPT && last !== 0; kept++) last = ints[last]!;
    if (last === 0) return;
    this.giveAll(ints[last]!);
    ints[last] = 0;
  }
}

/**
 * How many of the latest amounts only rise, or only fall: all in one currency, last seen in from <= time < until.
 * @param trail latest first: currency, amount, time, and so on
 * @returns 0 without an amount, 1 for one that neither continues nor turns anything
 */
export function lengthOfRun(trail: readonly number[], from: Milliseconds, until: Milliseconds): number {
  if (trail.length === 0) return 0;
  let length = 1;
  let direction = 0;
  for (let i = TRAIL_NUMBERS; i < trail.length; i += TRAIL_NUMBERS) {
    const at = trail[i + 2]!;
    const step = Math.sign(trail[i + 1 - TRAIL_NUMBERS]! - trail[i + 1]!);
    const continues = step !== 0 && (direction === 0 || step === direction);
    if (trail[i] !== trail[0] || at < from || at >= until || !continues) break;
    direction = step;
    length += 1;
  }
  return length;
}
