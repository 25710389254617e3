// Replaces one count by another value, to find the counts that would flip a decision.

import { countName, keysOf, type CountRead } from "./count-reads.ts";

/** @returns names of the counts whose maximum a function is; null if it is more than that */
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

/** Indexes of counts in `RuleSet.countReads`. */
export function indexesOf(names: readonly string[], reads: readonly CountRead[]): number[] {
  return names.map((name) => reads.findIndex((read) => read.name === name));
}

/** The counts with some replaced. */
export function overrideCounts(
  counts: readonly number[],
  indexes: readonly number[],
  value: number,
): number[] {
  return counts.map((count, at) => (indexes.includes(at) ? value : count));
}
