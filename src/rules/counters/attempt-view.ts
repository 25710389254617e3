// The counters as one attempt sees them: every count includes the attempt, whether recorded or previewed. With the values of
// the counts that the conditions of a rule set read, a decision can be repeated without the counters.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import {
  TRAIL_KEPT,
  TRAIL_NUMBERS,
  lengthOfRun,
  type AmountTrails,
  type TrailStep,
  type BucketLists,
  type BucketSums,
  DISTINCT_CAP,
  type Companion,
  type CompanionLists,
} from "./key-lists.ts";
import { KIND, type CounterKey, type CounterKeys } from "./counter-keys.ts";
import type { KeyBits, KeySlots } from "./key-slots.ts";
import { MINUTE, type Window } from "./window.ts";

/** `distinct(of, key)`: number of different `of` that were seen with this `key`. */
export type DistinctPair = readonly [of: CounterKey, key: CounterKey];

/** One attempt as it is counted, and as the log stores it to be replayed. */
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

/** The field of buckets for each sum: attempts, EUR cents, attempts whose worth is known, and those of a tiny amount. */
const FIELDS = { velocity: "attempts", spent: "cents", valued: "valued", micro: "micro" } as const;

export type Summed = keyof typeof FIELDS;

/** The counts, and the data behind those that depend on the amount. */
export type AttemptView = Pick<AttemptCounts, "sum" | "distinct" | "run" | "trail" | "earlierCharges">;
export type CounterView = Pick<AttemptCounts, "sum" | "distinct" | "run">;

/** The counters, by slot. */
export interface Store {
  readonly slots: KeySlots;
  readonly buckets: BucketLists;
  readonly companions: CompanionLists;
  readonly trails: AmountTrails;
}

/** Keys of an attempt by kind, and their slots; 0 = none. */
export interface Found {
  readonly bits: readonly (KeyBits | undefined)[];
  readonly slots: readonly number[];
  /** Time of the same charge before, by kind of key; absent if there was none. */
  readonly chargedBefore?: ReadonlyMap<number, Milliseconds> | undefined;
}

/**
 * Counts of one attempt, including it. Keys are indexes in COUNTER_KEYS; the count of a key that the attempt lacks is 0.
 */
export class AttemptCounts {
  readonly #store: Store;
  readonly #at: Milliseconds;
  readonly #found: Found;
  /** An attempt that is previewed and not counted. */
  readonly #hypothetical: Attempt | null;
  readonly #added: BucketSums | null;
  #trail: readonly number[] | null = null;

  constructor(store: Store, at: Milliseconds, found: Found, hypothetical: Attempt | null) {
    this.#store = store;
    this.#at = at;
    this.#found = found;
    this.#hypothetical = hypothetical;
    this.#added = hypothetical === null ? null : sumsOf(hypothetical);
  }

  sum(what: Summed, kind: number, window: Window): number {
    const field = FIELDS[what];
    const slot = this.#found.slots[kind]!;
    const minute = Math.floor(this.#at / MINUTE);
    const kept = slot === 0 ? 0 : this.#store.buckets.sum(slot, minute, window, field);
    return this.#added !== null && this.#found.bits[kind] !== undefined ? kept + this.#added[field] : kept;
  }

  distinct(of: number, kind: number, window: Window): number {
    const slot = this.#found.slots[kind]!;
    const { companions } = this.#store;
    const [from, until] = edges(this.#at, window);
    const count = slot === 0 ? 0 : companions.count(slot, of, from, until);
    if (this.#hypothetical === null) return count;
    const { bits } = this.#found;
    const own = bits[of];
    if (bits[kind] === undefined || own === undefined) return count;
    const last = slot === 0 ? null : companions.lastSeen(slot, of, own);
    return last !== null && last >= from && last < until ? count : Math.min(count + 1, DISTINCT_CAP);
  }

  /** Length of the run of only rising or only falling amounts with this card, up to this attempt. */
  run(window: Window): number {
    return lengthOfRun(this.trail(), ...edges(this.#at, window));
  }

  /** Latest amounts with this card; that of the attempt comes first, unless it is unknown: currency, amount, time, and so on. */
  trail(): readonly number[] {
    return (this.#trail ??= this.#readTrail());
  }

  // This attempt is the first of them, unless its amount is unknown.
  #readTrail(): number[] {
    const { bits, slots } = this.#found;
    const slot = slots[KIND.card]!;
    const kept: number[] = [];
    if (slot !== 0) this.#store.trails.write(slot, 0, kept);
    if (this.#hypothetical === null || bits[KIND.card] === undefined) return kept;
    const step = stepOf(this.#at, this.#hypothetical);
    if (step === null) return kept;
    return [step.currency, step.amount, step.at, ...kept.slice(0, (TRAIL_KEPT - 1) * TRAIL_NUMBERS)];
  }

  /** Earlier charges with the key. */
  earlierCharges(kind: number): readonly Companion[] {
    const { bits, slots, chargedBefore } = this.#found;
    const slot = slots[kind]!;
    const found = slot === 0 ? [] : this.#store.companions.ofKind(slot, KIND.charge);
    const own = this.#hypothetical === null ? bits[KIND.charge] : undefined;
    if (own === undefined) return found;
    const before = chargedBefore?.get(kind);
    return found.flatMap((charge): Companion[] => {
      const [, high, low] = charge;
      if (high !== own.high || low !== own.low) return [charge];
      return before === undefined ? [] : [[KIND.charge, high, low, before]];
    });
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

/** One count that functions of conditions read. */
export interface CountRead {
  /** Unique in its rule set, e.g. `velocity card 1h`. */
  readonly name: string;
  readonly what: Summed | "distinct" | "run";
  /** The companion that is counted; only for `distinct`. */
  readonly of: CounterKey | null;
  /** Null for `run`, which is counted by card. */
  readonly key: CounterKey | null;
  /** Indexes of `key` and `of` in COUNTER_KEYS; 0 for none. */
  readonly kind: number;
  readonly ofKind: number;
  readonly window: Window;
}

/** Reads the counts of a rule set, in their order. */
export function readCounts(reads: readonly CountRead[], view: CounterView): number[] {
  const values: number[] = [];
  for (const { what, ofKind, kind, window } of reads) {
    if (what === "distinct") values.push(view.distinct(ofKind, kind, window));
    else values.push(what === "run" ? view.run(window) : view.sum(what, kind, window));
  }
  return values;
}
