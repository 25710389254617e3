// Counters as plain JSON and back: what a restart reads.

import { Fault } from "#src/contract/fault.ts";
import { COUNTER_KEYS, isCounterKey } from "./counter-keys.ts";
import { keyBits, type KeyBits } from "./key-slots.ts";

/** One key: the halves of its bits, buckets by tier, companions, and its latest amounts, all as flat numbers. */
export type StoredKey = readonly [
  high: number,
  low: number,
  /** Per tier, newest first: unit, attempts, micro, valued, EUR cents, and so on. */
  buckets: readonly (readonly number[])[],
  /** Oldest entry first: kind (place in COUNTER_KEYS), high, low, last seen, and so on. */
  companions: readonly number[],
  /** Oldest first: amount, currency, time, and so on. */
  trail: readonly number[],
];

export interface CountersSnapshot {
  readonly format: "verdict-counters";
  readonly version: 2;
  /** Least recently used key first. */
  readonly keys: readonly StoredKey[];
}

const BUCKET_NUMBERS = 5;
const COMPANION_NUMBERS = 4;
const TRAIL_NUMBERS = 3;
const TIER_COUNT = 3;

/**
 * Reads a snapshot of this version, or of version 1, whose tiers overlapped: there every attempt lay in a minute, an
 * hour and a day, and neither tiny amounts nor trails were kept.
 * @throws Fault `corrupt` when it is no snapshot
 */
export function readSnapshot(snapshot: unknown): readonly StoredKey[] {
  const { format, version, keys } = (snapshot ?? {}) as Record<string, unknown>;
  if (format !== "verdict-counters" || !Array.isArray(keys)) throw corrupt();
  if (version === 1) return (keys as unknown[]).map(readFirstVersion);
  if (version !== 2) throw corrupt();
  return (keys as unknown[]).map(readKey);
}

function readKey(item: unknown): StoredKey {
  if (!Array.isArray(item)) throw corrupt();
  const [high, low, buckets, companions, trail] = item as unknown[];
  if (!isInteger(high) || !isInteger(low) || !Array.isArray(buckets) || buckets.length !== TIER_COUNT)
    throw corrupt();
  const tiers = buckets.map((flat) => numbers(flat, BUCKET_NUMBERS));
  const seen = numbers(companions, COMPANION_NUMBERS);
  for (let i = 0; i < seen.length; i += COMPANION_NUMBERS) {
    if (COUNTER_KEYS[seen[i]!] === undefined) throw corrupt();
  }
  return [high, low, tiers, seen, numbers(trail, TRAIL_NUMBERS)];
}

function readFirstVersion(item: unknown): StoredKey {
  if (!Array.isArray(item) || typeof item[0] !== "string") throw corrupt();
  const [key, buckets, seen] = item as [string, unknown, unknown];
  if (!Array.isArray(buckets) || buckets.length !== TIER_COUNT) throw corrupt();
  const { high, low } = keyBits(key);
  const tiers = buckets.map((flat) => numbers(flat, 3));
  return [high, low, apart(tiers), readSeen(seen), []];
}

/** Takes out of each coarser bucket what a finer one holds as well, and turns the order round. */
function apart(tiers: readonly (readonly number[])[]): number[][] {
  const finerUnits = [60, 24];
  return tiers.map((flat, tier) => {
    const rest: number[] = [];
    for (let i = flat.length - 3; i >= 0; i -= 3) {
      const unit = flat[i]!;
      let attempts = flat[i + 1]!;
      let cents = flat[i + 2]!;
      const finer = tiers[tier - 1] ?? [];
      for (let j = 0; j < finer.length; j += 3) {
        if (Math.floor(finer[j]! / finerUnits[tier - 1]!) !== unit) continue;
        attempts -= finer[j + 1]!;
        cents -= finer[j + 2]!;
      }
      if (attempts > 0) rest.push(unit, attempts, 0, attempts, cents);
    }
    return rest;
  });
}

function readSeen(seen: unknown): number[] {
  const flat: number[] = [];
  for (const [of, values] of Object.entries(seen ?? {})) {
    if (!isCounterKey(of) || !Array.isArray(values)) throw corrupt();
    for (const pair of values as unknown[]) {
      if (!Array.isArray(pair) || typeof pair[0] !== "string" || !isInteger(pair[1])) throw corrupt();
      const { high, low }: KeyBits = keyBits(pair[0]);
      flat.push(COUNTER_KEYS.indexOf(of), high, low, pair[1]);
    }
  }
  return flat;
}

function numbers(flat: unknown, stride: number): readonly number[] {
  if (!Array.isArray(flat) || flat.length % stride !== 0 || !flat.every(isInteger)) throw corrupt();
  return flat;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function corrupt(): Fault {
  return new Fault(
    "corrupt",
    "This is not a snapshot of counters; take a new one, or go on with empty counters.",
  );
}
