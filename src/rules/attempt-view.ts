// What one attempt sees of the counters: every count with the attempt in it, whether it was counted or only might be.

import type { Milliseconds } from "#src/contract/clock.ts";
import { TRAIL_KEPT, lengthOfRun, type TrailStep } from "./amount-trails.ts";
import type { BucketField, BucketSums } from "./bucket-lists.ts";
import { DISTINCT_CAP, type Companion } from "./companion-lists.ts";
import { COUNTER_KEYS, type CounterKey } from "./counter-keys.ts";
import type { Attempt, Store } from "./counters.ts";
import type { KeyBits } from "./key-slots.ts";
import type { Window } from "./window.ts";

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

const MINUTE: Milliseconds = 60_000;

/** Places of the keys in COUNTER_KEYS. */
export const KIND = Object.fromEntries(COUNTER_KEYS.map((key, kind) => [key, kind])) as Readonly<
  Record<CounterKey, number>
>;

const CARD = KIND.card;
const CHARGE = KIND.charge;

/** Keys of an attempt by kind, and where they are kept; 0 = nowhere. */
export interface Found {
  readonly bits: readonly (KeyBits | undefined)[];
  readonly slots: readonly number[];
  /** When the same charge came with a kind of key before; absent where it never did. */
  readonly chargedBefore?: ReadonlyMap<number, Milliseconds> | undefined;
}

export class AttemptCounts implements AttemptView {
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

export function sumsOf({ eurCents, micro }: Attempt): BucketSums {
  return {
    attempts: 1,
    micro: micro === true ? 1 : 0,
    valued: eurCents === null ? 0 : 1,
    cents: eurCents ?? 0,
  };
}

export function stepOf(at: Milliseconds, { amount, currency }: Attempt): TrailStep | null {
  return amount === undefined || currency === undefined ? null : { amount, currency, at };
}
