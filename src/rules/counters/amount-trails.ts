// The latest amounts per key in order of arrival, to detect runs of rising or falling amounts (card testing).

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { KeyLists } from "./key-lists.ts";
import type { KeySlots } from "./key-slots.ts";

/** Amounts remembered per key; a run of this length means "at least". */
export const TRAIL_KEPT = 6;

/** Numbers per amount in a trail. */
export const TRAIL_NUMBERS = 3;

/** An amount in minor units of its currency. */
export interface TrailStep {
  readonly amount: number;
  readonly currency: number;
  readonly at: Milliseconds;
}

/** A list per key, latest first: currency, amount, time, and so on. */
export class AmountTrails extends KeyLists {
  constructor(slots: KeySlots) {
    super(slots, 4, 1, 2);
  }

  push(slot: number, { amount, currency, at }: TrailStep): void {
    let last = this.put(slot, 0, [currency, amount, at]);
    const { ints } = this.records;
    for (let kept = 1; kept < TRAIL_KEPT && last !== 0; kept++) last = ints[last]!;
    if (last === 0) return;
    this.giveAll(ints[last]!);
    ints[last] = 0;
  }
}

/**
 * How many of the latest amounts only rise, or only fall: all in one currency, last seen in from <= time < until.
 * @param trail latest first: currency, amount, time, and so on
 * @returns 0 without an amount, 1 for one that neither continues nor turns anything
 */
export function lengthOfRun(trail: readonly number[], from: Milliseconds, until: Milliseconds): number {
  if (trail.length === 0) return 0;
  let length = 1;
  let direction = 0;
  for (let i = TRAIL_NUMBERS; i < trail.length; i += TRAIL_NUMBERS) {
    const at = trail[i + 2]!;
    const step = Math.sign(trail[i + 1 - TRAIL_NUMBERS]! - trail[i + 1]!);
    const continues = step !== 0 && (direction === 0 || step === direction);
    if (trail[i] !== trail[0] || at < from || at >= until || !continues) break;
    direction = step;
    length += 1;
  }
  return length;
}
