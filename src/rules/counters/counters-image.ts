// Serialises counters as flat blocks of numbers: the records are copied at once, and the blocks are written from the copy
// one by one while the counters are in use.

import { corrupt, Fault } from "#src/contract/fault.ts";
import type { Store } from "./attempt-view.ts";
import { COUNTER_KEYS } from "./counter-keys.ts";
import { FlatNumbers } from "./flat-numbers.ts";
import type { KeyLists } from "./key-lists.ts";
import { TIERS } from "./window.ts";

/** Keys in a block: some milliseconds of work. */
const BLOCK_KEYS = 2_048;

/** A consistent copy of the counters. */
export interface CountersImage {
  /** Keys in it. */
  readonly size: number;
  /**
   * Least recently used key first. Per key: both halves of its bits; then length-prefixed lists: the buckets of each tier,
   * newest first (unit, attempts, micro, valued, EUR cents); companions, latest entry first (index of the kind in
   * COUNTER_KEYS, high, low, last seen); the trail, latest first (currency, amount, time).
   */
  blocks(): Generator<Float64Array<ArrayBuffer>>;
}

/** @param store a copy, to be read while the counters are in use */
export function imageOf(store: Store): CountersImage {
  const { slots } = store;
  return {
    size: slots.used,
    *blocks() {
      const out = new FlatNumbers();
      let keys = 0;
      for (let slot = slots.oldest; slot !== 0; slot = slots.after(slot)) {
        const { high, low } = slots.bitsOf(slot);
        out.push(high);
        out.push(low);
        writeLists(store, slot, out);
        keys += 1;
        if (keys % BLOCK_KEYS === 0) yield out.take();
      }
      if (out.length > 0) yield out.take();
    },
  };
}

/** The lists of a key, as they follow in an image. */
function listsOf({ buckets, companions, trails }: Store): readonly (readonly [KeyLists, list: number])[] {
  return [...TIERS.map((_, tier) => [buckets, tier] as const), [companions, 0], [trails, 0]];
}

/** The lists of one key, each with its length before it. */
export function writeLists(store: Store, slot: number, out: FlatNumbers): void {
  for (const [lists, list] of listsOf(store)) {
    const at = out.length;
    out.push(0);
    lists.write(slot, list, out);
    out.set(at, out.length - at - 1);
  }
}

/**
 * Appends a block of an image to a store.
 * @param onKey called after every key
 * @throws Fault `corrupt` for an invalid block; the store must be discarded then
 */
export function putBlock(store: Store, block: Float64Array, onKey: () => void): void {
  for (const value of block) if (!Number.isSafeInteger(value)) throw corruptCounters();
  let at = 0;
  while (at < block.length) {
    if (at + 2 > block.length) throw corruptCounters();
    const slot = store.slots.use({ high: block[at]!, low: block[at + 1]! });
    at = putLists(store, slot, block, at + 2);
    onKey();
  }
}

/**
 * Appends the lists of one key, whole numbers all, to its empty slot.
 * @returns where they end
 * @throws Fault `corrupt` for invalid ones
 */
export function putLists(store: Store, slot: number, block: Float64Array, start: number): number {
  let at = start;
  for (const [lists, list] of listsOf(store)) {
    const length = block[at++] ?? -1;
    const end = at + length;
    if (length < 0 || length % lists.numbers !== 0 || end > block.length) throw corruptCounters();
    // Lists grow at their head.
    for (let entry = end - lists.numbers; entry >= at; entry -= lists.numbers) {
      if (lists === store.companions && COUNTER_KEYS[block[entry]!] === undefined) throw corruptCounters();
      lists.put(slot, list, block, entry);
    }
    at = end;
  }
  return at;
}

function corruptCounters(): Fault {
  return corrupt`This is not a snapshot of counters; take a new one, or go on with empty counters.`;
}
