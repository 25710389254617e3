// One count replaced by another value: what a decision would be if only that had been different.

import { countName, keysOf, type CountRead } from "./count-reads.ts";

/** @returns names of the counts that a function is made of and nothing else; of several the largest counts */
export function overridable(name: string, literals: readonly string[]): readonly string[] | null {
  const window = literals.at(-1)!;
  switch (name) {
    case "velocity":
      return [countName("velocity", literals[0]!, window)];
    case "distinct":
      return [countName("distinct", literals[1]!, window, literals[0])];
    case "micro":
      return keysOf(literals[0]!).map((key) => countName("micro", key, window));
    case "amount_run":
      return [countName("run", null, window)];
    default:
      return null;
  }
}

/** Places of counts among those that a rule set reads. */
export function placesOf(names: readonly string[], reads: readonly CountRead[]): number[] {
  return names.map((name) => reads.findIndex((read) => read.name === name));
}

/** The counts with some replaced. */
export function overrideCounts(
  counts: readonly number[],
  places: readonly number[],
  value: number,
): number[] {
  return counts.map((count, at) => (places.includes(at) ? value : count));
}
