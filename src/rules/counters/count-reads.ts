// The counts that the conditions of a rule set read; with their values a decision can be repeated without the counters.

import type { CounterView, Summed } from "./attempt-view.ts";
import type { CounterKey } from "./counter-keys.ts";
import type { Window } from "./window.ts";

/** One count that functions of conditions read. */
export interface CountRead {
  /** Unique in its rule set, e.g. `velocity card 1h`. */
  readonly name: string;
  readonly what: Summed | "distinct" | "run";
  /** The companion that is counted; only for `distinct`. */
  readonly of: CounterKey | null;
  /** Null for `run`, which is always that of the card. */
  readonly key: CounterKey | null;
  /** Index of `key` in COUNTER_KEYS, and that of `of`; 0 for none. */
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
