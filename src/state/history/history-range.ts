// A range of the list of checks: from where it was begun to the pointer, by the ids of the entries. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { formatCount } from "#src/display/count.ts";

/** A range stops growing there; more are acted on by a filter and the keys for all that is listed. */
export const RANGE_MOST = 1_000;

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
  return [...kept, ...(target < from ? passed.reverse() : passed)].slice(0, RANGE_MOST);
}

/** Why a range does not reach the pointer. */
export const RANGE_FULL = `A range has at most ${formatCount(RANGE_MOST)} checks; use a filter for more checks.`;

/** True for a range that would have to be longer to reach the pointer. */
export function isFull(range: readonly string[], pointer: string): boolean {
  return range.length >= RANGE_MOST && range.at(-1) !== pointer;
}

/** Of what a filter accepts, the entries of a profile and a project. */
export function ownOf(filter: string, profile: string, project: string): string {
  return `${filter} profile=${JSON.stringify(profile)} project=${JSON.stringify(project)}`;
}

/** The filter that accepts these entries and no other. */
export function filterOf(range: readonly string[]): string {
  return `id:${range.join(",")}`;
}
