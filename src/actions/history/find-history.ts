// Finds checks in the history, newest first, by the filter language.

import type { ActionContext } from "#src/actions/action-context.ts";
import { usage, whole } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { momentOf, parseFilter } from "#src/storage/database/history-filter.ts";

export interface FoundHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** One sentence each about damaged parts that were set aside. */
  readonly problems: readonly string[];
}

/**
 * @param where filter expression; undefined for everything
 * @param limit most entries to return
 * @param profile name of the profile whose entries are wanted, among the newest 10,000; undefined for those of all
 * @throws Fault("usage") pointing at the token of the filter that is wrong
 */
export async function findHistory(
  context: ActionContext,
  where: string | undefined,
  limit: number,
  profile?: string,
): Promise<FoundHistory> {
  const matches = where === undefined ? undefined : parseFilter(where, context.now());
  const history = await context.history();
  const problems = (): string[] => history.problems.map((problem) => problem.message);
  if (where === undefined || profile !== undefined) {
    const entries: HistoryEntry[] = [];
    let looked = 0;
    for await (const entry of limit > 0 ? history.entries() : []) {
      const isWanted = profile === undefined || entry.profile === profile;
      if (isWanted && (matches?.(entry) ?? true)) entries.push(entry);
      // A profile without recent entries must not cause a scan of the whole history.
      if (entries.length >= limit || ((looked += 1) >= PROFILE_REACH && profile !== undefined)) break;
    }
    return { entries, problems: problems() };
  }
  const entries = await history.at(await searchPlaces(context, where, limit));
  return { entries, problems: problems() };
}

/** How many entries a filter accepts. @throws Fault("usage") pointing at the token of the filter that is wrong */
export async function countHistory(context: ActionContext, where: string): Promise<number> {
  parseFilter(where, context.now());
  return (await searchPlaces(context, where, Infinity)).length;
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

/** Newest entries that are searched for those of one profile. */
const PROFILE_REACH = 10_000;
/** Places of the newest entries that a filter accepts, newest first. */
async function searchPlaces(
  context: ActionContext,
  filter: string,
  limit: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<number[]> {
  const history = await context.history();
  const enough = new AbortController();
  const places: number[] = [];
  await history.search({
    filter,
    now: context.now(),
    from: 0,
    to: limit > 0 ? await history.count() : 0,
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
  if (where !== undefined) parseFilter(where, context.now());
  const history = await context.history();
  const count = await history.count();
  const chosen =
    where === undefined
      ? null
      : (await searchPlaces(context, where, Infinity, (done) => onProgress(done, count))).reverse();
  const all = chosen?.length ?? count;
  for (let from = 0; from < all; from += PIECE) {
    const to = Math.min(from + PIECE, all);
    yield* await history.at(
      chosen?.slice(from, to) ?? Array.from({ length: to - from }, (_, step) => from + step),
    );
    onProgress(to, all);
  }
}
