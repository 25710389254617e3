// What counters hold, to be compared, copied and looked into.

import { createCounters, type Counters } from "#src/rules/counters/counters.ts";

interface KeyOfImage {
  readonly low: number;
  /** Per tier, then companions, then the trail. */
  readonly lists: readonly (readonly number[])[];
}

export function imageText(counters: Counters): string {
  return JSON.stringify(Array.from(counters.image().blocks(), (block) => [...block]));
}

/** Other counters that hold the same. */
export function copyOf(counters: Counters): Counters {
  const copy = createCounters();
  const replacement = copy.replace();
  for (const block of counters.image().blocks()) replacement.put(block);
  replacement.done();
  return copy;
}

export function keysIn(counters: Counters): KeyOfImage[] {
  const keys: KeyOfImage[] = [];
  for (const block of counters.image().blocks()) {
    for (let at = 0; at < block.length;) {
      const low = block[at + 1]!;
      at += 2;
      const lists: number[][] = [];
      for (let list = 0; list < 5; list++) {
        const length = block[at]!;
        lists.push([...block.subarray(at + 1, at + 1 + length)]);
        at += 1 + length;
      }
      keys.push({ low, lists });
    }
  }
  return keys;
}
