// The counts that the conditions of a rule set read: with their values a decision can be made again without the counters.

import { COUNT_FUNCTIONS } from "./count-functions.ts";
import type { CounterKey } from "./counter-keys.ts";
import type { CounterView } from "./counters.ts";
import type { CallSite } from "./expression.ts";
import type { Situation } from "./situation.ts";
import type { Window } from "./window.ts";

/** One count, whatever functions are made of it. */
export interface CountRead {
  /** Unlike every other of its rule set, e.g. `velocity card 1h`. */
  readonly name: string;
  read(counts: CounterView): number;
}

/** Any value that makes no function stop half-way, as it may for a count of none. */
const SOME = 2;

/** Found by calling each function of counts once with a view that notes what it is asked for. */
export function countReads(calls: readonly CallSite<Situation>[]): CountRead[] {
  const found = new Map<string, CountRead>();
  const note = (name: string, read: CountRead["read"]): number => {
    found.set(name, { name, read });
    return SOME;
  };
  const counts = viewByName((name, ask) => note(name, ask));
  for (const { host, literals } of calls) {
    if (COUNT_FUNCTIONS.includes(host)) host.call({ counts, eur: null } as Situation, literals);
  }
  return [...found.values()];
}

/** A view whose every count is told by its name; `ask` asks another view for the same. */
export function viewByName(told: (name: string, ask: CountRead["read"]) => number): CounterView {
  const plain =
    (sum: "velocity" | "spent" | "valued" | "micro") =>
    (key: CounterKey, window: Window): number =>
      told(`${sum} ${key} ${window.text}`, (counts) => counts[sum](key, window));
  return {
    velocity: plain("velocity"),
    spent: plain("spent"),
    valued: plain("valued"),
    micro: plain("micro"),
    distinct: (of, key, window) =>
      told(`distinct ${of} ${key} ${window.text}`, (counts) => counts.distinct(of, key, window)),
    run: (window) => told(`run ${window.text}`, (counts) => counts.run(window)),
  };
}
