// The counts that the conditions of a rule set read: with their values a decision can be made again without the counters.

import type { CounterView } from "./attempt-view.ts";
import type { CounterKey } from "./counter-keys.ts";
import type { Window } from "./window.ts";

/** One count, whatever functions are made of it. */
export interface CountRead {
  /** Unlike every other of its rule set, e.g. `velocity card 1h`. */
  readonly name: string;
  readonly what: keyof CounterView;
  /** The companion that is told apart, for `distinct` alone. */
  readonly of: CounterKey | null;
  /** Null for `run`, which is always that of the card. */
  readonly key: CounterKey | null;
  /** Place of `key` in COUNTER_KEYS, and that of `of`; 0 where there is none. */
  readonly kind: number;
  readonly ofKind: number;
  readonly window: Window;
}

/** @param of for `distinct` alone; @param key null for `run` */
export function countName(what: CountRead["what"], key: string | null, window: string, of?: string): string {
  return [what, of, key, window].filter((word) => word != null).join(" ");
}

/** `ip or payer` apart: a function of several keys is the largest of their counts. */
export function keysOf(text: string): readonly string[] {
  return text.split(" or ");
}

/** Takes down the counts that a rule set reads, in their order. */
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
