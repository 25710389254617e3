// What counters hold, to be compared, copied and looked into.

import { fill, writeLists, type CountersImage } from "#src/rules/counters/counters-image.ts";
import { createCounters, createStore, type Counters } from "#src/rules/counters/counters.ts";

interface KeyOfImage {
  readonly high: number;
  readonly low: number;
  /** Per tier, then companions, then the trail. */
  readonly lists: readonly (readonly number[])[];
}

export function imageText(counters: Counters): string {
  return JSON.stringify(keysIn(counters));
}

/** Other counters that hold the same. */
export function copyOf(counters: Counters): Counters {
  return loaded(counters.image());
}

export function loaded({ shape, pieces }: CountersImage, maxBytes?: number): Counters {
  const copy = createCounters(maxBytes === undefined ? {} : { maxBytes });
  const replacement = copy.replace(shape);
  for (const piece of pieces()) replacement.put(piece);
  replacement.done();
  return copy;
}

/** Least recently used key first. */
export function keysIn(counters: Counters): KeyOfImage[] {
  const { shape, pieces } = counters.image();
  const store = createStore();
  const { put, done } = fill(store, shape);
  for (const piece of pieces()) put(piece);
  done();
  const keys: KeyOfImage[] = [];
  for (let slot = store.slots.oldest; slot !== 0; slot = store.slots.after(slot)) {
    const written = writeLists(store, slot);
    const lists: number[][] = [];
    for (let at = 0; at < written.length; at += 1 + written[at]!) {
      lists.push(written.slice(at + 1, at + 1 + written[at]!));
    }
    keys.push({ ...store.slots.bitsOf(slot), lists });
  }
  return keys;
}
