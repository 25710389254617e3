// The counts that the conditions of a rule set read; with their values a decision can be repeated without the counters.

import type { CounterView } from "./attempt-view.ts";
import type { CounterKey } from "./counter-keys.ts";
import type { Window } from "./window.ts";

/** One count that functions of conditions read. */
export interface CountRead {
  /** Unique in its rule set, e.g. `velocity card 1h`. */
  readonly name: string;
  readonly what: keyof CounterView;
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
  for (let i = 0; i < reads.length; i++) values.push(readCount(reads[i]!, view));
  return values;
}

function readCount({ what, ofKind, kind, window }: CountRead, view: CounterView): number {
  switch (what) {
    case "velocity":
      return view.velocity(kind, window);
    case "distinct":
      return view.distinct(ofKind, kind, window);
    case "spent":
      return view.spent(kind, window);
    case "valued":
      return view.valued(kind, window);
    case "micro":
      return view.micro(kind, window);
    case "run":
      return view.run(window);
  }
}
