// A history with some entries, and what a search finds in it.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { History } from "#src/storage/database/history.ts";

/** Places of what a filter accepts, the newest first. @param now from which `since:2d` counts back */
export async function searched(history: History, filter: string, now: number): Promise<number[]> {
  const found: number[] = [];
  await history.search({
    filter,
    now,
    from: 0,
    to: await history.count(),
    signal: new AbortController().signal,
    onFound: (places) => found.push(...Array.from(places)),
    onProgress: () => undefined,
  });
  return found;
}

/** The entries of these that a filter accepts, in their order. @param history has these entries and no other */
export async function accepted<Entry>(
  history: History,
  entries: readonly Entry[],
  filter: string,
  now: number,
): Promise<Entry[]> {
  const places = await searched(history, filter, now);
  return places.toReversed().map((place) => entries[place]!);
}

/** Writes entries, each with its outcome, its note and its label. */
export async function fill(history: History, entries: readonly HistoryEntry[]): Promise<void> {
  for (const entry of entries) {
    await history.intend(entry);
    if (entry.result !== null) await history.settle(entry);
    if (entry.note !== null) await history.annotate(entry.id, entry.note);
    if (entry.label !== undefined)
      await history.labels.set([{ orderId: entry.request.order_id!, label: entry.label, at: null }]);
  }
}
