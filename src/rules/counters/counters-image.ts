// Counters as they lie in memory: copied at once, and written and read in pieces, so that nothing waits for a million keys.

import { corrupt, Fault } from "#src/contract/fault.ts";
import type { Store } from "./attempt-view.ts";
import { COUNTER_KEYS } from "./counter-keys.ts";
import type { KeyLists } from "./key-lists.ts";
import type { Records } from "./key-slots.ts";
import { TIERS } from "./window.ts";

/** Words of 32 bits in a piece: some milliseconds of work. */
const PIECE_WORDS = 1 << 18;

/** What the pieces of an image are; JSON can hold it. */
export interface ImageShape {
  /** Words of the records of slots, buckets, companions and trails, behind each those that name its free records. */
  readonly lengths: readonly number[];
  /** The keys that were used longest ago and last. */
  readonly ends: readonly [oldest: number, newest: number];
}

/** A consistent copy of the counters, in the byte order of the machine. */
export interface CountersImage {
  readonly shape: ImageShape;
  /** All words, in their order. */
  pieces(): Generator<Int32Array<ArrayBuffer>>;
}

function recordsOf({ slots, buckets, companions, trails }: Store): readonly Records[] {
  return [slots, buckets.records, companions.records, trails.records];
}

/** About 0.1 s for a million keys, and as much memory as they take. */
export function imageOf(store: Store): CountersImage {
  const parts = recordsOf(store).flatMap((records) => records.image());
  return {
    shape: { lengths: parts.map(({ length }) => length), ends: store.slots.ends },
    *pieces() {
      for (const part of parts) {
        for (let at = 0; at < part.length; at += PIECE_WORDS) yield part.subarray(at, at + PIECE_WORDS);
      }
    },
  };
}

/**
 * Fills an empty store with the pieces of an image. Their content is trusted: whoever keeps them knows that it is unchanged.
 * @throws Fault `corrupt` (this and both functions) for pieces that are not those of the shape; the store must be discarded then
 */
export function fill(
  store: Store,
  { lengths, ends }: ImageShape,
): { readonly put: (piece: Int32Array) => void; readonly done: () => void } {
  const all = recordsOf(store);
  if (lengths.length !== 2 * all.length) throw corruptCounters();
  const parts = all.map((records, index) => {
    const [words, free] = [lengths[2 * index]!, lengths[2 * index + 1]!];
    try {
      records.hold(words);
      return [records.ints.subarray(0, words), new Int32Array(free)] as const;
    } catch {
      throw corruptCounters();
    }
  });
  const open = parts.flat().filter(({ length }) => length > 0);
  let filled = 0;
  return {
    put(piece) {
      const [part] = open;
      if (part === undefined || filled + piece.length > part.length) throw corruptCounters();
      part.set(piece, filled);
      filled += piece.length;
      if (filled < part.length) return;
      open.shift();
      filled = 0;
    },
    done() {
      if (open.length > 0) throw corruptCounters();
      for (const [index, records] of all.entries()) records.release(parts[index]![1]);
      store.slots.restore(ends);
    },
  };
}

/** The lists of a key, as they follow each other where it is written alone. */
function listsOf({ buckets, companions, trails }: Store): readonly (readonly [KeyLists, list: number])[] {
  return [...TIERS.map((_, tier) => [buckets, tier] as const), [companions, 0], [trails, 0]];
}

/**
 * The lists of one key, each with its length before it: the buckets of each tier, newest first (unit, attempts, micro, valued,
 * EUR cents); companions, latest entry first (index of the kind in COUNTER_KEYS, high, low, last seen); the trail, latest first
 * (currency, amount, time).
 */
export function writeLists(store: Store, slot: number): number[] {
  const out: number[] = [];
  for (const [lists, list] of listsOf(store)) {
    const at = out.push(0);
    lists.write(slot, list, out);
    out[at - 1] = out.length - at;
  }
  return out;
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
