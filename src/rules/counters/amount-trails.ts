// The latest amounts per key in order of arrival, to detect runs of rising or falling amounts (card testing).

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RowPool, grown } from "./columns.ts";
import type { FlatNumbers } from "./flat-numbers.ts";

/** Bytes per amount. */
export const TRAIL_BYTES = 8 + 8 + 4 + 4;

/** Amounts remembered per key; a run of this length means "at least". */
export const TRAIL_KEPT = 6;

const FIRST_ROWS = 1024;

/** An amount in minor units of its currency. */
export interface TrailStep {
  readonly amount: number;
  readonly currency: number;
  readonly at: Milliseconds;
}

export class AmountTrails {
  #heads = new Int32Array(0);
  #amount = new Float64Array(FIRST_ROWS);
  #at = new Float64Array(FIRST_ROWS);
  #currency = new Int32Array(FIRST_ROWS);
  #next = new Int32Array(FIRST_ROWS);
  readonly #pool = new RowPool(FIRST_ROWS, (rows) => {
    this.#amount = grown(this.#amount, rows);
    this.#at = grown(this.#at, rows);
    this.#currency = grown(this.#currency, rows);
    this.#next = grown(this.#next, rows);
  });

  get used(): number {
    return this.#pool.used;
  }

  growSlots(slots: number): void {
    this.#heads = grown(this.#heads, slots);
  }

  push(slot: number, { amount, currency, at }: TrailStep): void {
    const row = this.#pool.take();
    this.#amount[row] = amount;
    this.#currency[row] = currency;
    this.#at[row] = at;
    this.#next[row] = this.#heads[slot]!;
    this.#heads[slot] = row;
    let last = row;
    for (let kept = 1; kept < TRAIL_KEPT && last !== 0; kept++) last = this.#next[last]!;
    const forgotten = last === 0 ? 0 : this.#next[last]!;
    if (forgotten === 0) return;
    this.#next[last] = 0;
    this.#pool.give(forgotten);
  }

  /** Latest first: amount, currency, time, and so on. */
  write(slot: number, out: Pick<FlatNumbers, "push">): void {
    for (let row = this.#heads[slot]!; row !== 0; row = this.#next[row]!) {
      out.push(this.#amount[row]!);
      out.push(this.#currency[row]!);
      out.push(this.#at[row]!);
    }
  }

  /** A copy, to be written while these are in use. */
  copy(): Pick<AmountTrails, "write"> {
    const copy = new AmountTrails();
    copy.#heads = this.#heads.slice();
    copy.#amount = this.#amount.slice();
    copy.#at = this.#at.slice();
    copy.#currency = this.#currency.slice();
    copy.#next = this.#next.slice();
    return copy;
  }

  clear(slot: number): void {
    for (let row = this.#heads[slot]!; row !== 0;) {
      const next = this.#next[row]!;
      this.#pool.give(row);
      row = next;
    }
    this.#heads[slot] = 0;
  }
}

/** Numbers per amount in a trail. */
export const TRAIL_NUMBERS = 3;

/**
 * How many of the latest amounts only rise, or only fall: all in one currency, last seen in from <= time < until.
 * @param trail latest first: amount, currency, time, and so on
 * @returns 0 without an amount, 1 for one that neither continues nor turns anything
 */
export function lengthOfRun(trail: readonly number[], from: Milliseconds, until: Milliseconds): number {
  if (trail.length === 0) return 0;
  let length = 1;
  let direction = 0;
  for (let i = TRAIL_NUMBERS; i < trail.length; i += TRAIL_NUMBERS) {
    const at = trail[i + 2]!;
    const step = Math.sign(trail[i - TRAIL_NUMBERS]! - trail[i]!);
    const continues = step !== 0 && (direction === 0 || step === direction);
    if (trail[i + 1] !== trail[1] || at < from || at >= until || !continues) break;
    direction = step;
    length += 1;
  }
  return length;
}
