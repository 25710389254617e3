// Counters of attempts per hashed key, in bounded memory: time buckets, sums of money, distinct companions, amount trails.
//
// Edges: a window counts whole buckets (see `Window`), minutes up to 2 h, hours up to 72 h, days up to 60 d, the last of
// which holds "now"; within that every count is exact. Distinct counts stop at DISTINCT_CAP, runs at TRAIL_KEPT.

import { randomBytes } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Address } from "#src/rules/values/address.ts";
import { memoize } from "#src/rules/values/memoize.ts";
import { AmountTrails, BucketLists, CompanionLists } from "./key-lists.ts";
import {
  AttemptCounts,
  stepOf,
  sumsOf,
  type Attempt,
  type AttemptView,
  type DistinctPair,
  type Found,
  type Store,
} from "./attempt-view.ts";
import { COUNTED_KEYS, KIND, counterKeys, keysByIndex, type CounterKeys } from "./counter-keys.ts";
import { fill, imageOf, type ImageShape } from "./counters-image.ts";
import { KeySlots, keyBits, type KeyBits } from "./key-slots.ts";
import { MINUTE } from "./window.ts";

/** Default memory limit in bytes: enough for 1,000,000 distinct cards, each with its own order. */
export const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

export type Counters = ReturnType<typeof createCounters>;

/**
 * Counters in memory.
 * @param secret makes the keys; a restored image counts on only with the secret it was made with. Random by default.
 * @param maxBytes bound of the data; large ones allocate up to a quarter more. Beyond it the least recently used key is
 *   evicted, so that a flood of new keys does not fill the memory. An evicted key counts from 0 again.
 */
export function createCounters({
  secret = randomBytes(32).toString("hex"),
  maxBytes = DEFAULT_MAX_BYTES,
}: { readonly secret?: string; readonly maxBytes?: number } = {}) {
  let store = createStore();

  function isFull({ slots, buckets, companions, trails }: Store): boolean {
    return slots.bytes + buckets.bytes + companions.bytes + trails.bytes > maxBytes;
  }

  return {
    /** Keys of a request within a project, hashed with the secret of these counters. */
    keysOf: (request: CheckRequest, projectId: string, address?: Address | null): CounterKeys =>
      counterKeys(request, projectId, secret, address),
    /** Counts the attempt and returns the counts including it. A late attempt is added to its own bucket and sees no later ones. */
    record(at: Milliseconds, attempt: Attempt): AttemptView {
      const found = recordIn(store, at, attempt);
      while (isFull(store)) forget(store, store.slots.oldest);
      return new AttemptCounts(store, at, found, null);
    },
    /** The counts as if the attempt had been recorded; changes nothing. */
    peek(at: Milliseconds, attempt: Attempt): AttemptView {
      const bits = bitsOf(attempt);
      const slots = bits.map((key) => (key === undefined ? 0 : store.slots.find(key)));
      return new AttemptCounts(store, at, { bits, slots }, attempt);
    },
    /** A copy; restoring it gives the same counts and the same order of eviction. */
    image: () => imageOf(store),
    /**
     * Starts to replace everything by an image; takes effect with `done`.
     * @throws Fault("corrupt") (this and both functions) for what is no image
     */
    replace(shape: ImageShape) {
      const next = createStore();
      const { put, done } = fill(next, shape);
      return {
        put,
        done(): void {
          done();
          while (isFull(next)) forget(next, next.slots.oldest);
          store = next;
        },
      };
    },
    /** Keys that are remembered. */
    get size(): number {
      return store.slots.used;
    },
  };
}

export function createStore(): Store {
  const slots = new KeySlots();
  return {
    slots,
    buckets: new BucketLists(slots),
    companions: new CompanionLists(slots),
    trails: new AmountTrails(slots),
  };
}

export function bitsOf({ keys }: Attempt): (KeyBits | undefined)[] {
  return keysByIndex(keys).map((key) => (key === undefined ? undefined : keyBits(key)));
}

/** Pairs as indexes in COUNTER_KEYS: `of`, `key`, and so on. The pairs of a rule set are always the same array. */
export const pairKinds = memoize((pairs: readonly DistinctPair[]): readonly number[] =>
  pairs.flatMap(([of, key]) => [KIND[of], KIND[key]]),
);

function recordIn({ slots, buckets, companions, trails }: Store, at: Milliseconds, attempt: Attempt): Found {
  const bits = bitsOf(attempt);
  const found = bits.map(() => 0);
  const minute = Math.floor(at / MINUTE);
  const sums = sumsOf(attempt);
  let chargedBefore: Map<number, Milliseconds> | undefined;
  for (let kind = 0; kind < COUNTED_KEYS.length; kind++) {
    const key = bits[kind];
    if (key === undefined) continue;
    const slot = slots.use(key);
    found[kind] = slot;
    buckets.add(slot, minute, sums);
  }
  const pairs = pairKinds(attempt.pairs);
  for (let i = 0; i < pairs.length; i += 2) {
    const of = pairs[i]!;
    const key = pairs[i + 1]!;
    const value = bits[of];
    const owner = bits[key];
    if (value === undefined || owner === undefined) continue;
    const slot = found[key] || slots.use(owner);
    found[key] = slot;
    const before = companions.note(slot, of, value, at);
    if (before !== null && of === KIND.charge) {
      chargedBefore = (chargedBefore ?? new Map<number, Milliseconds>()).set(key, before);
    }
  }
  const step = stepOf(at, attempt);
  if (found[KIND.card] !== 0 && step !== null) trails.push(found[KIND.card]!, step);
  return { bits, slots: found, chargedBefore };
}

export function forget({ slots, buckets, companions, trails }: Store, slot: number): void {
  buckets.clear(slot);
  companions.clear(slot);
  trails.clear(slot);
  slots.remove(slot);
}
