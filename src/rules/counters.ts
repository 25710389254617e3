// Counters of attempts per hashed key: buckets of time, sums of money, distinct companions and trails of amounts, in bounded memory.
//
// Edges: a window counts whole buckets (see `Window`), minutes up to 2 h, hours up to 72 h, days up to 60 d, the last of
// which holds "now"; within that every count is exact. Distinct counts stop at DISTINCT_CAP, runs at TRAIL_KEPT.

import { randomBytes } from "node:crypto";
import type { Milliseconds } from "#src/contract/clock.ts";
import type { CheckRequest } from "#src/contract/wire.ts";
import type { Address } from "./address.ts";
import { AmountTrails, TRAIL_BYTES, TRAIL_KEPT, lengthOfRun, type TrailStep } from "./amount-trails.ts";
import { BUCKET_BYTES, BucketLists, type BucketField, type BucketSums } from "./bucket-lists.ts";
import { COMPANION_BYTES, CompanionLists, DISTINCT_CAP, type Companion } from "./companion-lists.ts";
import {
  COUNTED_KEYS,
  COUNTER_KEYS,
  counterKeys,
  type CounterKey,
  type CounterKeys,
} from "./counter-keys.ts";
import { imageOf, putBlock, type CountersImage } from "./counters-image.ts";
import { readSnapshot } from "./counters-snapshot.ts";
import { KEY_SLOT_BYTES, KeySlots, keyBits, type KeyBits } from "./key-slots.ts";
import type { Window } from "./window.ts";

export { DISTINCT_CAP } from "./companion-lists.ts";
export type { CountersImage } from "./counters-image.ts";

/** Default bound of what is counted, in bytes: enough for 1,000,000 distinct cards, each with an order of its own. */
export const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** `distinct(of, key)`: how many different `of` were seen together with this `key`. */
export type DistinctPair = readonly [of: CounterKey, key: CounterKey];

/** One attempt, as it is counted and as a log keeps it to count it again. */
export interface Attempt {
  readonly keys: CounterKeys;
  /** Pairs whose distinct counts a rule reads; others are not kept. */
  readonly pairs: readonly DistinctPair[];
  /** Worth in EUR cents; null where it is unknown. */
  readonly eurCents: number | null;
  /** True for a tiny amount; absent means false. */
  readonly micro?: boolean;
  /** In minor units of the currency; absent where unknown. */
  readonly amount?: number;
  /** ISO 4217 numeric. */
  readonly currency?: number;
}

/** Counts as they stand for one attempt, that attempt included. A key that the attempt does not have counts 0. */
export interface CounterView {
  velocity(key: CounterKey, window: Window): number;
  distinct(of: CounterKey, key: CounterKey, window: Window): number;
  /** Sum in EUR cents. */
  spent(key: CounterKey, window: Window): number;
  /** Attempts whose worth in EUR is known: those that `spent` adds up. */
  valued(key: CounterKey, window: Window): number;
  /** Attempts with a tiny amount. */
  micro(key: CounterKey, window: Window): number;
  /** Length of the run of amounts with this card that only rise or only fall, up to the attempt at hand. */
  run(window: Window): number;
}

/** The counts, and what they are made of where that hangs on the amount. */
export interface AttemptView extends CounterView {
  /** Latest amounts with this card; that of the attempt comes first, unless it is unknown. */
  trail(): readonly TrailStep[];
  /** Charges that came with the key before the attempt. */
  earlierCharges(key: CounterKey): readonly Companion[];
}

export interface Counters {
  /** Keys of a request within a project, hashed with the secret of these counters. */
  keysOf(request: CheckRequest, projectId: string, address?: Address | null): CounterKeys;
  /** Counts the attempt and returns the counts with it. Times should not go back; a late attempt is still put into its bucket. */
  record(at: Milliseconds, attempt: Attempt): AttemptView;
  /** The counts as if the attempt had been recorded; changes nothing. */
  peek(at: Milliseconds, attempt: Attempt): AttemptView;
  /** What they hold now; putting it back gives the same counts and the same order of eviction. */
  image(): CountersImage;
  /** Begins to replace everything by the blocks of an image; nothing changes before its `done`. */
  replace(): CountersReplacement;
  /** Replaces everything by what an earlier version kept. Throws Fault("corrupt") and changes nothing when it is not that. */
  restore(snapshot: unknown): void;
  clear(): void;
  /** Keys that are remembered. */
  readonly size: number;
}

export interface CountersReplacement {
  /** The next block. Throws Fault("corrupt") when it is none. */
  put(block: Float64Array): void;
  done(): void;
}

const MINUTE: Milliseconds = 60_000;
const KIND = Object.fromEntries(COUNTER_KEYS.map((key, kind) => [key, kind])) as Readonly<
  Record<CounterKey, number>
>;
const CARD = KIND.card;
const CHARGE = KIND.charge;
const LIST_HEADS_BYTES = 5 * 4;

/**
 * Counters in memory.
 * @param secret makes the keys; a restored snapshot counts on only with the secret it was made with. Random by default.
 * @param maxKeys bound of remembered keys; none by default
 * @param maxBytes bound of what is remembered; columns grow ahead of it by at most a quarter when large. Beyond either
 *   bound the key that was used longest ago is forgotten: an old key has the least to say, and a flood of new ones costs
 *   no memory. A forgotten key counts from 0.
 */
export function createCounters({
  secret = randomBytes(32).toString("hex"),
  maxKeys = Infinity,
  maxBytes = DEFAULT_MAX_BYTES,
}: { readonly secret?: string; readonly maxKeys?: number; readonly maxBytes?: number } = {}): Counters {
  let store = createStore();

  function isFull({ slots, buckets, companions, trails }: Store): boolean {
    const bytes =
      slots.size * (KEY_SLOT_BYTES + LIST_HEADS_BYTES) +
      buckets.used * BUCKET_BYTES +
      companions.used * COMPANION_BYTES +
      trails.used * TRAIL_BYTES;
    return slots.size > maxKeys || bytes > maxBytes;
  }

  function replace(): CountersReplacement {
    const next = createStore();
    return {
      put: (block) =>
        putBlock(next, block, () => {
          while (isFull(next)) forget(next, next.slots.oldest);
        }),
      done() {
        store = next;
      },
    };
  }

  return {
    keysOf: (request, projectId, address) => counterKeys(request, projectId, secret, address),
    record(at, attempt) {
      const found = recordIn(store, at, attempt);
      while (isFull(store)) forget(store, store.slots.oldest);
      return new AttemptCounts(store, at, found, null);
    },
    peek(at, attempt) {
      const bits = bitsOf(attempt);
      const slots = bits.map((key) => (key === undefined ? 0 : store.slots.find(key)));
      return new AttemptCounts(store, at, { bits, slots }, attempt);
    },
    image: () => imageOf(store),
    replace,
    restore(snapshot) {
      const replacement = replace();
      replacement.put(readSnapshot(snapshot));
      replacement.done();
    },
    clear() {
      store = createStore();
    },
    get size() {
      return store.slots.size;
    },
  };
}

export interface Store {
  readonly slots: KeySlots;
  readonly buckets: BucketLists;
  readonly companions: CompanionLists;
  readonly trails: AmountTrails;
}

function createStore(): Store {
  const buckets = new BucketLists();
  const companions = new CompanionLists();
  const trails = new AmountTrails();
  const slots = new KeySlots((rows) => {
    buckets.growSlots(rows);
    companions.growSlots(rows);
    trails.growSlots(rows);
  });
  return { slots, buckets, companions, trails };
}

/** Keys of an attempt by kind, and where they are kept; 0 = nowhere. */
interface Found {
  readonly bits: readonly (KeyBits | undefined)[];
  readonly slots: readonly number[];
  /** When the same charge came with a kind of key before; absent where it never did. */
  readonly chargedBefore?: ReadonlyMap<number, Milliseconds> | undefined;
}

function bitsOf({ keys }: Attempt): (KeyBits | undefined)[] {
  return COUNTER_KEYS.map((kind) => {
    const key = keys[kind];
    return key === undefined ? undefined : keyBits(key);
  });
}

function recordIn({ slots, buckets, companions, trails }: Store, at: Milliseconds, attempt: Attempt): Found {
  const bits = bitsOf(attempt);
  const found: number[] = COUNTER_KEYS.map(() => 0);
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
  for (const [of, key] of attempt.pairs) {
    const value = bits[KIND[of]];
    const owner = bits[KIND[key]];
    if (value === undefined || owner === undefined) continue;
    const slot = found[KIND[key]] || slots.use(owner);
    found[KIND[key]] = slot;
    const before = companions.note(slot, KIND[of], value, at);
    if (before !== null && KIND[of] === CHARGE) {
      chargedBefore = (chargedBefore ?? new Map<number, Milliseconds>()).set(KIND[key], before);
    }
  }
  const step = stepOf(at, attempt);
  if (found[CARD] !== 0 && step !== null) trails.push(found[CARD]!, step);
  return { bits, slots: found, chargedBefore };
}

class AttemptCounts implements AttemptView {
  readonly #store: Store;
  readonly #at: Milliseconds;
  readonly #found: Found;
  /** An attempt that is not counted and seen as if it were. */
  readonly #hypothetical: Attempt | null;
  readonly #added: BucketSums | null;

  constructor(store: Store, at: Milliseconds, found: Found, hypothetical: Attempt | null) {
    this.#store = store;
    this.#at = at;
    this.#found = found;
    this.#hypothetical = hypothetical;
    this.#added = hypothetical === null ? null : sumsOf(hypothetical);
  }

  velocity(key: CounterKey, window: Window): number {
    return this.#sum(key, window, "attempts");
  }

  spent(key: CounterKey, window: Window): number {
    return this.#sum(key, window, "cents");
  }

  valued(key: CounterKey, window: Window): number {
    return this.#sum(key, window, "valued");
  }

  micro(key: CounterKey, window: Window): number {
    return this.#sum(key, window, "micro");
  }

  distinct(of: CounterKey, key: CounterKey, window: Window): number {
    const { bits, slots } = this.#found;
    const { companions } = this.#store;
    const slot = slots[KIND[key]]!;
    const [from, until] = edges(this.#at, window);
    const count = slot === 0 ? 0 : companions.count(slot, KIND[of], from, until);
    if (this.#hypothetical === null) return count;
    const own = bits[KIND[of]];
    if (bits[KIND[key]] === undefined || own === undefined) return count;
    const last = slot === 0 ? null : companions.lastSeen(slot, KIND[of], own);
    return last !== null && last >= from && last < until ? count : Math.min(count + 1, DISTINCT_CAP);
  }

  run(window: Window): number {
    return lengthOfRun(this.trail(), ...edges(this.#at, window));
  }

  // The attempt at hand is the first of them, unless its amount is unknown.
  trail(): readonly TrailStep[] {
    const { bits, slots } = this.#found;
    const slot = slots[CARD]!;
    const kept = slot === 0 ? [] : this.#store.trails.read(slot);
    if (this.#hypothetical === null || bits[CARD] === undefined) return kept;
    const step = stepOf(this.#at, this.#hypothetical);
    return step === null ? kept : [step, ...kept.slice(0, TRAIL_KEPT - 1)];
  }

  earlierCharges(key: CounterKey): readonly Companion[] {
    const { bits, slots, chargedBefore } = this.#found;
    const slot = slots[KIND[key]]!;
    const found = slot === 0 ? [] : this.#store.companions.ofKind(slot, CHARGE);
    const own = this.#hypothetical === null ? bits[CHARGE] : undefined;
    if (own === undefined) return found;
    const before = chargedBefore?.get(KIND[key]);
    return found.flatMap((charge): Companion[] => {
      const [kind, high, low] = charge;
      if (high !== own.high || low !== own.low) return [charge];
      return before === undefined ? [] : [[kind, high, low, before]];
    });
  }

  #sum(key: CounterKey, window: Window, field: BucketField): number {
    const kind = KIND[key];
    const slot = this.#found.slots[kind]!;
    const minute = Math.floor(this.#at / MINUTE);
    const kept = slot === 0 ? 0 : this.#store.buckets.sum(slot, minute, window, field);
    return this.#added !== null && this.#found.bits[kind] !== undefined ? kept + this.#added[field] : kept;
  }
}

/** The window's edges are bucket edges, so whole buckets come down to two comparisons of times. */
export function edges(
  at: Milliseconds,
  { unitMs, buckets }: Window,
): [from: Milliseconds, until: Milliseconds] {
  const last = Math.floor(at / unitMs);
  return [(last - buckets + 1) * unitMs, (last + 1) * unitMs];
}

function sumsOf({ eurCents, micro }: Attempt): BucketSums {
  return {
    attempts: 1,
    micro: micro === true ? 1 : 0,
    valued: eurCents === null ? 0 : 1,
    cents: eurCents ?? 0,
  };
}

function stepOf(at: Milliseconds, { amount, currency }: Attempt): TrailStep | null {
  return amount === undefined || currency === undefined ? null : { amount, currency, at };
}

function forget({ slots, buckets, companions, trails }: Store, slot: number): void {
  buckets.clear(slot);
  companions.clear(slot);
  trails.clear(slot);
  slots.remove(slot);
}
