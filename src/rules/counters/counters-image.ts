// Serialises counters as flat blocks of numbers: the columns are copied at once, and the blocks are written from the copy
// one by one while the counters are in use.

import { corrupt, Fault } from "#src/contract/fault.ts";
import { TRAIL_NUMBERS } from "./amount-trails.ts";
import type { Store } from "./attempt-view.ts";
import { COUNTER_KEYS } from "./counter-keys.ts";
import { FlatNumbers } from "./flat-numbers.ts";
import { TIERS } from "./window.ts";

/** Keys in a block: some milliseconds of work. */
const BLOCK_KEYS = 2_048;

const BUCKET_NUMBERS = 5;
const COMPANION_NUMBERS = 4;

/** A consistent copy of the counters. */
export interface CountersImage {
  /** Keys in it. */
  readonly size: number;
  /**
   * Least recently used key first. Per key: both halves of its bits; then length-prefixed lists: the buckets of each tier,
   * newest first (unit, attempts, micro, valued, EUR cents); companions, latest entry first (index of the kind in
   * COUNTER_KEYS, high, low, last seen); the trail, latest first (amount, currency, time).
   */
  blocks(): Generator<Float64Array<ArrayBuffer>>;
}

/** Takes the copy; about 0.1 s for a million keys, and as much memory as they take. */
export function imageOf(store: Store): CountersImage {
  const slots = store.slots.copy();
  const buckets = store.buckets.copy();
  const companions = store.companions.copy();
  const trails = store.trails.copy();
  return {
    size: slots.size,
    *blocks() {
      const out = new FlatNumbers();
      let keys = 0;
      for (let slot = slots.oldest; slot !== 0; slot = slots.after(slot)) {
        out.push(slots.high[slot]!);
        out.push(slots.low[slot]!);
        writeLists({ buckets, companions, trails }, slot, out);
        keys += 1;
        if (keys % BLOCK_KEYS === 0) yield out.take();
      }
      if (out.length > 0) yield out.take();
    },
  };
}

/** The lists of one key, as in an image. */
export function writeLists(
  {
    buckets,
    companions,
    trails,
  }: { readonly [room in "buckets" | "companions" | "trails"]: Pick<Store[room], "write"> },
  slot: number,
  out: FlatNumbers,
): void {
  for (let tier = 0; tier < TIERS.length; tier++) counted(out, () => buckets.write(slot, tier, out));
  counted(out, () => companions.write(slot, out));
  counted(out, () => trails.write(slot, out));
}

/** Writes a length-prefixed list. */
function counted(out: FlatNumbers, write: () => void): void {
  const at = out.length;
  out.push(0);
  write();
  out.set(at, out.length - at - 1);
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
export function putLists(
  { buckets, companions, trails }: Store,
  slot: number,
  block: Float64Array,
  start: number,
): number {
  let at = start;
  /** Where a list of whole records ends. Lists grow at their head, so that they are inserted from there on backwards. */
  const end = (stride: number): number => {
    const length = block[at++] ?? -1;
    const until = at + length;
    if (length < 0 || length % stride !== 0 || until > block.length) throw corruptCounters();
    return until;
  };
  for (let tier = 0; tier < TIERS.length; tier++) {
    const until = end(BUCKET_NUMBERS);
    for (let entry = until - BUCKET_NUMBERS; entry >= at; entry -= BUCKET_NUMBERS) {
      const sums = {
        attempts: block[entry + 1]!,
        micro: block[entry + 2]!,
        valued: block[entry + 3]!,
        cents: block[entry + 4]!,
      };
      buckets.put(slot, tier, block[entry]!, sums);
    }
    at = until;
  }
  const seen = end(COMPANION_NUMBERS);
  for (let entry = seen - COMPANION_NUMBERS; entry >= at; entry -= COMPANION_NUMBERS) {
    const kind = block[entry]!;
    if (COUNTER_KEYS[kind] === undefined) throw corruptCounters();
    companions.put(slot, [kind, block[entry + 1]!, block[entry + 2]!, block[entry + 3]!]);
  }
  at = seen;
  const trail = end(TRAIL_NUMBERS);
  for (let entry = trail - TRAIL_NUMBERS; entry >= at; entry -= TRAIL_NUMBERS) {
    trails.push(slot, { amount: block[entry]!, currency: block[entry + 1]!, at: block[entry + 2]! });
  }
  return trail;
}

function corruptCounters(): Fault {
  return corrupt`This is not a snapshot of counters; take a new one, or go on with empty counters.`;
}
