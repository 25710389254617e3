// Values seen together with a key, e.g. the cards of a payer: per key a list of the most recent ones with their last time.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { KeyLists } from "./key-lists.ts";
import type { KeyBits, KeySlots } from "./key-slots.ts";
import { RETENTION_MS } from "./window.ts";

/** Distinct values remembered per key and kind; a count of this much means "at least". */
export const DISTINCT_CAP = 100;

/** Words of a record. */
const [KIND, HIGH, LOW] = [1, 2, 3];

/** One companion: number of its kind, halves of its key, and when it was last seen. */
export type Companion = readonly [kind: number, high: number, low: number, last: Milliseconds];

/** A list per key, latest entry first. */
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
