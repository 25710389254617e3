// Counters of attempts per hashed key: minute, hour and day buckets, sums of money, and distinct companions, in bounded memory.

import { randomBytes } from "node:crypto";
import type { Milliseconds } from "#src/contract/clock.ts";
import { Fault } from "#src/contract/fault.ts";
import type { CheckRequest } from "#src/contract/wire.ts";
import {
  COUNTER_KEYS,
  counterKeys,
  isCounterKey,
  type CounterKey,
  type CounterKeys,
} from "./counter-keys.ts";
import { RETENTION_MS, TIERS, type Window } from "./window.ts";

/** Distinct values remembered per key and kind; a count of this much means "at least". */
export const DISTINCT_CAP = 100;

/** Default cap of keys, all kinds together: measured at 1.2 KB each for keys seen three times over two days, 120 MB when full. */
export const DEFAULT_MAX_KEYS = 100_000;

/** `distinct(of, key)`: how many different `of` were seen together with this `key`. */
export type DistinctPair = readonly [of: CounterKey, key: CounterKey];

export interface Attempt {
  readonly keys: CounterKeys;
  /** Pairs whose distinct counts a rule reads; others are not kept. */
  readonly pairs: readonly DistinctPair[];
  /** Value of the attempt in EUR cents; 0 where it is unknown. */
  readonly eurCents: number;
}

/** Counts as they stand for one attempt, that attempt included. A key that the attempt does not have counts 0. */
export interface CounterView {
  velocity(key: CounterKey, window: Window): number;
  distinct(of: CounterKey, key: CounterKey, window: Window): number;
  /** Sum in EUR cents. */
  spent(key: CounterKey, window: Window): number;
}

export interface CountersSnapshot {
  readonly format: "verdict-counters";
  readonly version: 1;
  /** Least recently used key first. Buckets are flat triples: index, attempts, EUR cents. */
  readonly keys: readonly (readonly [
    key: string,
    buckets: readonly (readonly number[])[],
    seen: Readonly<Partial<Record<CounterKey, readonly (readonly [value: string, last: Milliseconds])[]>>>,
  ])[];
}

export interface Counters {
  /** Keys of a request within a project, hashed with the secret of these counters. */
  keysOf(request: CheckRequest, projectId: string): CounterKeys;
  /** Counts the attempt and returns the counts with it. Times should not go back; a late attempt is still put into its bucket. */
  record(at: Milliseconds, attempt: Attempt): CounterView;
  /** The counts as if the attempt had been recorded; changes nothing. */
  peek(at: Milliseconds, attempt: Attempt): CounterView;
  /** Plain JSON; restoring it gives the same counts and the same order of eviction. */
  snapshot(): CountersSnapshot;
  /** Replaces everything. Throws Fault("corrupt") and changes nothing when it is not a snapshot. */
  restore(snapshot: unknown): void;
  clear(): void;
  readonly size: number;
}

interface Entry {
  /** One per tier, oldest first: bucket index, attempts, EUR cents, and so on. */
  readonly buckets: readonly [number[], number[], number[]];
  /** Companion values with the time each was last seen, least recent first. */
  readonly seen: Map<CounterKey, Map<string, Milliseconds>>;
}

/** Numbers per bucket in the flat arrays. */
const STRIDE = 3;

/**
 * Counters in memory.
 * @param secret makes the keys; a restored snapshot counts on only with the secret it was made with. Random by default.
 * @param maxKeys when a new key would exceed it, the key that was recorded longest ago (by the minute) is forgotten: an
 *   old key has the least to say, and a flood of new keys costs memory only up to the cap. A forgotten key counts from 0.
 */
export function createCounters({
  secret = randomBytes(32).toString("hex"),
  maxKeys = DEFAULT_MAX_KEYS,
}: { readonly secret?: string; readonly maxKeys?: number } = {}): Counters {
  // Insertion order is the order of last use, by the minute: moving a busy key on every attempt would cost more than counting it.
  let entries = new Map<string, Entry>();

  function touch(key: string, at: Milliseconds): Entry {
    const entry = entries.get(key);
    if (entry && lastMinute(entry) >= Math.floor(at / TIERS[0].unitMs)) return entry;
    const kept = entry ?? { buckets: [[], [], []], seen: new Map() };
    entries.delete(key);
    entries.set(key, kept);
    return kept;
  }

  function view(at: Milliseconds, { keys }: Attempt, hypothetical: Attempt | null): CounterView {
    const sum = (key: CounterKey, window: Window, field: 1 | 2): number => {
      const entry = entries.get(keys[key] ?? "");
      return entry
        ? sumBuckets(entry.buckets[window.tier], lastBucket(at, window), window.buckets, field)
        : 0;
    };
    return {
      velocity: (key, window) => sum(key, window, 1) + (hypothetical && keys[key] !== undefined ? 1 : 0),
      spent: (key, window) =>
        sum(key, window, 2) + (hypothetical && keys[key] !== undefined ? hypothetical.eurCents : 0),
      distinct(of, key, window) {
        const seen = entries.get(keys[key] ?? "")?.seen.get(of);
        const last = lastBucket(at, window);
        // The window's edges are bucket edges, so whole buckets come down to two comparisons of times.
        const from = (last - window.buckets + 1) * window.unitMs;
        const until = (last + 1) * window.unitMs;
        const inWindow = (time: Milliseconds): boolean => time >= from && time < until;
        let count = 0;
        for (const time of seen?.values() ?? []) if (inWindow(time)) count++;
        const own = keys[of];
        if (!hypothetical || keys[key] === undefined || own === undefined) return count;
        const known = seen?.get(own);
        return known !== undefined && inWindow(known) ? count : Math.min(count + 1, DISTINCT_CAP);
      },
    };
  }

  return {
    keysOf: (request, projectId) => counterKeys(request, projectId, secret),
    record(at, attempt) {
      for (const kind of COUNTER_KEYS) {
        const key = attempt.keys[kind];
        if (key === undefined) continue;
        const { buckets } = touch(key, at);
        for (let tier = 0; tier < TIERS.length; tier++)
          addToBucket(buckets[tier]!, tier, at, attempt.eurCents);
      }
      for (const [of, kind] of attempt.pairs) {
        const value = attempt.keys[of];
        const entry = entries.get(attempt.keys[kind] ?? "");
        if (value !== undefined && entry) remember(entry, of, value, at);
      }
      while (entries.size > maxKeys) entries.delete(entries.keys().next().value!);
      return view(at, attempt, null);
    },
    peek: (at, attempt) => view(at, attempt, attempt),
    snapshot: () => ({
      format: "verdict-counters",
      version: 1,
      keys: Array.from(entries, ([key, { buckets, seen }]) => [
        key,
        buckets.map((flat) => [...flat]),
        Object.fromEntries(Array.from(seen, ([of, values]) => [of, [...values]])),
      ]),
    }),
    restore(snapshot) {
      entries = readSnapshot(snapshot);
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}

function lastMinute({ buckets: [minutes] }: Entry): number {
  return minutes[minutes.length - STRIDE] ?? -1;
}

function lastBucket(at: Milliseconds, window: Window): number {
  return Math.floor(at / window.unitMs);
}

function sumBuckets(flat: readonly number[], last: number, buckets: number, field: 1 | 2): number {
  let sum = 0;
  for (let i = flat.length - STRIDE; i >= 0 && flat[i]! > last - buckets; i -= STRIDE) {
    if (flat[i]! <= last) sum += flat[i + field]!;
  }
  return sum;
}

/** Buckets stay sorted, so a late attempt is looked for from the end; those past their tier's length are dropped. */
function addToBucket(flat: number[], tier: number, at: Milliseconds, eurCents: number): void {
  const { unitMs, keep } = TIERS[tier]!;
  const index = Math.floor(at / unitMs);
  let i = flat.length - STRIDE;
  while (i >= 0 && flat[i]! > index) i -= STRIDE;
  if (i >= 0 && flat[i] === index) {
    flat[i + 1]! += 1;
    flat[i + 2]! += eurCents;
  } else {
    flat.splice(i + STRIDE, 0, index, 1, eurCents);
  }
  const newest = flat[flat.length - STRIDE]!;
  let stale = 0;
  while (flat[stale]! <= newest - keep) stale += STRIDE;
  if (stale > 0) flat.splice(0, stale);
}

/** Keeps the most recent companions: older than any window go first, then the least recent beyond the cap. */
function remember(entry: Entry, of: CounterKey, value: string, at: Milliseconds): void {
  let seen = entry.seen.get(of);
  if (!seen) entry.seen.set(of, (seen = new Map()));
  const before = seen.get(value);
  seen.delete(value);
  seen.set(value, before === undefined ? at : Math.max(at, before));
  for (const [oldest, time] of seen) {
    if (seen.size <= DISTINCT_CAP && time > at - RETENTION_MS) break;
    seen.delete(oldest);
  }
}

function readSnapshot(snapshot: unknown): Map<string, Entry> {
  const corrupt = (): Fault =>
    new Fault("corrupt", "This is not a snapshot of counters; take a new one, or go on with empty counters.");
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
  const { format, version, keys } = (snapshot ?? {}) as Record<string, unknown>;
  if (format !== "verdict-counters" || version !== 1 || !Array.isArray(keys)) throw corrupt();
  const entries = new Map<string, Entry>();
  for (const item of keys as unknown[]) {
    if (!Array.isArray(item)) throw corrupt();
    const [key, buckets, seen] = item as unknown[];
    if (typeof key !== "string" || !Array.isArray(buckets) || buckets.length !== TIERS.length)
      throw corrupt();
    const tiers = buckets.map((flat: unknown) => {
      if (!Array.isArray(flat) || flat.length % STRIDE !== 0 || !flat.every(isCount)) throw corrupt();
      return [...flat];
    }) as [number[], number[], number[]];
    const companions: Entry["seen"] = new Map();
    for (const [of, values] of Object.entries(seen ?? {})) {
      if (!isCounterKey(of) || !Array.isArray(values)) throw corrupt();
      const read = new Map<string, Milliseconds>();
      for (const pair of values as unknown[]) {
        if (!Array.isArray(pair) || typeof pair[0] !== "string" || !isCount(pair[1])) throw corrupt();
        read.set(pair[0], pair[1]);
      }
      companions.set(of, read);
    }
    entries.set(key, { buckets: tiers, seen: companions });
  }
  return entries;
}
