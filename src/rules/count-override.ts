// One count replaced by another value: what a decision would be if only that had been different.

import type { CounterKey } from "./counter-keys.ts";
import type { CounterView } from "./counters.ts";
import { parseWindow } from "./window.ts";

/** A count that can be read and replaced, as a condition names it. */
export interface OverridableCount {
  readonly name: "velocity" | "distinct" | "micro" | "run";
  /** Keys of the count; for `micro` any of which will do. */
  readonly keys: readonly CounterKey[];
  readonly window: string;
  read(counts: CounterView): number;
}

/** @returns null for functions that are no plain counts */
export function overridable(name: string, literals: readonly string[]): OverridableCount | null {
  const text = literals.at(-1) ?? "";
  const window = parseWindow(text);
  if (window === null) return null;
  const keys = literals.slice(0, -1) as readonly CounterKey[];
  switch (name) {
    case "velocity":
      return { name, keys, window: text, read: (counts) => counts.velocity(keys[0]!, window) };
    case "distinct":
      return { name, keys, window: text, read: (counts) => counts.distinct(keys[0]!, keys[1]!, window) };
    case "micro": {
      const any = keys[0]!.split(" or ") as CounterKey[];
      const read = (counts: CounterView): number => Math.max(...any.map((key) => counts.micro(key, window)));
      return { name, keys: any, window: text, read };
    }
    case "amount_run":
      return { name: "run", keys: [], window: text, read: (counts) => counts.run(window) };
    default:
      return null;
  }
}

/** The view with one count replaced. */
export function overrideCount(
  counts: CounterView,
  { name, keys, window }: OverridableCount,
  value: number,
): CounterView {
  switch (name) {
    case "velocity":
      return {
        ...counts,
        velocity: (key, asked) =>
          key === keys[0] && asked.text === window ? value : counts.velocity(key, asked),
      };
    case "distinct":
      return {
        ...counts,
        distinct: (of, key, asked) =>
          of === keys[0] && key === keys[1] && asked.text === window
            ? value
            : counts.distinct(of, key, asked),
      };
    case "micro":
      return {
        ...counts,
        micro: (key, asked) =>
          keys.includes(key) && asked.text === window ? value : counts.micro(key, asked),
      };
    case "run":
      return { ...counts, run: (asked) => (asked.text === window ? value : counts.run(asked)) };
  }
}
