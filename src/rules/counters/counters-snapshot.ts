// Counters as earlier versions kept them, in JSON: what they counted goes on counting.

import { Fault } from "#src/contract/fault.ts";
import { TRAIL_NUMBERS } from "./amount-trails.ts";
import { COUNTER_KEYS, isCounterKey } from "./counter-keys.ts";
import { FlatNumbers } from "./flat-numbers.ts";
import { keyBits, type KeyBits } from "./key-slots.ts";

/** One key as version 2 kept it. */
type StoredKey = readonly [
  high: number,
  low: number,
  /** Per tier, newest first: unit, attempts, micro, valued, EUR cents, and so on. */
  buckets: readonly (readonly number[])[],
  /** Oldest entry first: kind (place in COUNTER_KEYS), high, low, last seen, and so on. */
  companions: readonly number[],
  /** Oldest first: amount, currency, time, and so on. */
  trail: readonly number[],
];

const BUCKET_NUMBERS = 5;
const COMPANION_NUMBERS = 4;
const TIER_COUNT = 3;

/**
 * Reads version 2, or version 1, whose tiers overlapped: there every attempt lay in a minute, an hour and a day, and
 * neither tiny amounts nor trails were kept.
 * @returns the same as one block of a CountersImage
 * @throws Fault `corrupt` when it is neither
 */
export function readSnapshot(snapshot: unknown): Float64Array {
  const { format, version, keys } = (snapshot ?? {}) as Record<string, unknown>;
  if (format !== "verdict-counters" || !Array.isArray(keys)) throw corruptCounters();
  if (version !== 1 && version !== 2) throw corruptCounters();
  const out = new FlatNumbers();
  for (const item of keys as unknown[]) {
    const [high, low, tiers, companions, trail] = version === 1 ? readFirstVersion(item) : readKey(item);
    const seen = turnedRound(companions, COMPANION_NUMBERS);
    const lists = [...tiers, seen, turnedRound(trail, TRAIL_NUMBERS)];
    for (const value of [high, low, ...lists.flatMap((list) => [list.length, ...list])]) out.push(value);
  }
  return out.take();
}

/** Records in the opposite order. */
function turnedRound(flat: readonly number[], stride: number): number[] {
  return Array.from({ length: flat.length / stride }, (_, i) => flat.slice(i * stride, (i + 1) * stride))
    .toReversed()
    .flat();
}

function readKey(item: unknown): StoredKey {
  if (!Array.isArray(item)) throw corruptCounters();
  const [high, low, buckets, companions, trail] = item as unknown[];
  if (!isInteger(high) || !isInteger(low) || !Array.isArray(buckets) || buckets.length !== TIER_COUNT)
    throw corruptCounters();
  const tiers = buckets.map((flat) => numbers(flat, BUCKET_NUMBERS));
  const seen = numbers(companions, COMPANION_NUMBERS);
  for (let i = 0; i < seen.length; i += COMPANION_NUMBERS) {
    if (COUNTER_KEYS[seen[i]!] === undefined) throw corruptCounters();
  }
  return [high, low, tiers, seen, numbers(trail, TRAIL_NUMBERS)];
}

function readFirstVersion(item: unknown): StoredKey {
  if (!Array.isArray(item) || typeof item[0] !== "string") throw corruptCounters();
  const [key, buckets, seen] = item as [string, unknown, unknown];
  if (!Array.isArray(buckets) || buckets.length !== TIER_COUNT) throw corruptCounters();
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
    if (!isCounterKey(of) || !Array.isArray(values)) throw corruptCounters();
    for (const pair of values as unknown[]) {
      if (!Array.isArray(pair) || typeof pair[0] !== "string" || !isInteger(pair[1])) throw corruptCounters();
      const { high, low }: KeyBits = keyBits(pair[0]);
      flat.push(COUNTER_KEYS.indexOf(of), high, low, pair[1]);
    }
  }
  return flat;
}

function numbers(flat: unknown, stride: number): readonly number[] {
  if (!Array.isArray(flat) || flat.length % stride !== 0 || !flat.every(isInteger)) throw corruptCounters();
  return flat;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function corruptCounters(): Fault {
  return new Fault(
    "corrupt",
    "This is not a snapshot of counters; take a new one, or go on with empty counters.",
  );
}
