// Finds checks in the history, newest first, by the filter language.

import type { ActionContext } from "#src/actions/action-context.ts";
import { usage, whole } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { History } from "#src/storage/database/history.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { momentOf, compileFilter } from "#src/storage/database/history-filter.ts";

export interface FoundHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** One sentence each about damaged parts that were set aside. */
  readonly problems: readonly string[];
}

/**
 * @param where filter expression; undefined for everything
 * @param limit most entries to return
 * @param reach newest entries that a filter searches
 * @throws Fault("usage") pointing at the token of the filter that is wrong
 */
export async function findHistory(
  context: ActionContext,
  where: string | undefined,
  limit: number,
  reach = Infinity,
): Promise<FoundHistory> {
  const history = await opened(context, where);
  const entries =
    where === undefined
      ? await history.latest(limit)
      : await history.at(await searchPlaces(history, where, context.now(), limit, reach));
  return { entries, problems: history.problems.map(({ message }) => message) };
}

/** How many entries a filter accepts. @throws Fault("usage") pointing at the token of the filter that is wrong */
export async function countHistory(context: ActionContext, where: string): Promise<number> {
  return (await searchPlaces(await opened(context, where), where, context.now())).length;
}

/**
 * The entry with an id.
 * @param id id of the entry, or the beginning of it
 * @throws Fault("usage") when there is none
 */
export async function findEntry(context: ActionContext, id: string): Promise<HistoryEntry> {
  const entry = await (await context.history()).find(id);
  if (entry !== null) return entry;
  throw usage`The history has no entry "${id}"; "verdict history" lists the ids.`;
}

/** The history, opened after the filter was found to be right. @throws Fault("usage") */
function opened(context: ActionContext, where: string | undefined): Promise<History> {
  if (where !== undefined) compileFilter(where, context.now());
  return context.history();
}

/** Places of the newest entries that a filter accepts, newest first. */
async function searchPlaces(
  history: History,
  filter: string,
  now: Milliseconds,
  limit = Infinity,
  reach = Infinity,
  onProgress: (done: number) => void = () => undefined,
): Promise<number[]> {
  const enough = new AbortController();
  const places: number[] = [];
  const count = limit > 0 ? await history.count() : 0;
  await history.search({
    filter,
    now,
    from: Math.max(0, count - reach),
    to: count,
    signal: enough.signal,
    onFound(found) {
      for (const place of found) places.push(place);
      if (places.length >= limit) enough.abort();
    },
    onProgress,
  });
  return places.slice(0, limit);
}

/**
 * Reads `90d`, `2026-01-31` or `2026-01-31T09:30`.
 * @param what takes it, for the sentence about a wrong one: `--before`
 * @throws Fault("usage")
 */
export function readMoment(context: Pick<ActionContext, "now">, what: string, text: string): Milliseconds {
  const at = momentOf(text, context.now());
  if (at !== null) return at;
  throw usage`${whole(what)} takes a day, a time or an age, not "${text}"; write 2026-01-31, 2026-01-31T09:30 or 90d.`;
}

/** Entries per read. */
const PIECE = 256;

/**
 * Every matching entry, oldest first, in constant memory; entries that are added during the iteration are left out.
 * @throws Fault("usage") pointing at the token of the filter that is wrong
 */
export async function* oldestFirst(
  context: ActionContext,
  where: string | undefined,
  onProgress: (done: number, all: number) => void = () => undefined,
): AsyncGenerator<HistoryEntry> {
  const history = await opened(context, where);
  const count = await history.count();
  const progress = (done: number): void => onProgress(done, count);
  const chosen =
    where === undefined
      ? null
      : (await searchPlaces(history, where, context.now(), Infinity, Infinity, progress)).reverse();
  const all = chosen?.length ?? count;
  for (let from = 0; from < all; from += PIECE) {
    const to = Math.min(from + PIECE, all);
    yield* await history.at(
      chosen?.slice(from, to) ?? Array.from({ length: to - from }, (_, step) => from + step),
    );
    onProgress(to, all);
  }
}
