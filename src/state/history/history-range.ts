// A range of the list of checks: from where it was begun to the pointer, by the ids of the entries. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { formatCount } from "#src/display/count.ts";

/** A range stops growing there; more are acted on by a filter and the keys for all that is listed. */
const MOST = 1_000;

type Ids = readonly Pick<HistoryEntry, "id">[];

/**
 * The range when the pointer goes on to another entry.
 * @param entries of the list in memory; those from the earlier place of the pointer to `to` are among them
 */
export function extendedRange(range: readonly string[], entries: Ids, to: string): readonly string[] {
  const inside = range.indexOf(to);
  if (inside >= 0) return range.slice(0, inside + 1);
  const at = (id: string | undefined): number => entries.findIndex((entry) => entry.id === id);
  const [first, last, target] = [at(range[0]), at(range.at(-1)), at(to)];
  // Where the beginning is not in reach, what lies before the pointer stays.
  const [from, kept] = first >= 0 ? [first, []] : [last, range.slice(0, -1)];
  if (from < 0 || target < 0) return range;
  const passed = entries.slice(Math.min(from, target), Math.max(from, target) + 1).map(({ id }) => id);
  return [...kept, ...(target < from ? passed.reverse() : passed)].slice(0, MOST);
}

/** Why the pointer of a range cannot go so far at once; null when it can. */
export function whyTooFar(entries: number): string | null {
  if (entries < MOST) return null;
  return `A range holds at most ${formatCount(MOST)} checks; a filter lists those to act on together.`;
}

/** The filter that accepts these entries and no other. */
export function filterOf(range: readonly string[]): string {
  return `id:${range.join(",")}`;
}
