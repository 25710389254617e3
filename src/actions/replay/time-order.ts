// Puts payments in the order of their time, where it matters and their sources do not have them in it.

import type { SourcePlaces } from "#src/replay/sources/source.ts";
import { readTimes } from "#src/replay/sources/source.ts";
import { isInOrder, type TimelineStart } from "#src/replay/sources/timeline.ts";
import { TimeSorter } from "#src/storage/database/time-sorter.ts";

/**
 * What sorts the payments of sources: those without a time keep their place, a step behind the one before them.
 * @returns null where they are in order, so that they need not be kept. A pipe can be read once only, and is always sorted.
 * @throws as `readSources` does
 */
export async function sorterOf<T>(
  sources: readonly string[],
  places: SourcePlaces,
  start: TimelineStart,
  signal: AbortSignal,
): Promise<TimeSorter<T> | null> {
  const times = await readTimes(sources, places, signal);
  if (times !== null && (await isInOrder(times, start, signal))) return null;
  return new TimeSorter();
}
