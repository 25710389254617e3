// Finding checks again: newest first, filtered by the shared filter language.

import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { parseFilter } from "#src/storage/history-filter.ts";
import type { ActionContext } from "./action-context.ts";

export interface FoundHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** One sentence each: stretches of the files that could not be read and were set aside. */
  readonly problems: readonly string[];
}

/**
 * @param where filter expression; undefined for everything
 * @param limit most entries to return
 * @param profile name of the profile whose entries are wanted; undefined for those of all profiles
 * @throws Fault("usage") pointing at the token of the filter that is wrong
 */
export async function findHistory(
  context: ActionContext,
  where: string | undefined,
  limit: number,
  profile?: string,
): Promise<FoundHistory> {
  const matches = where === undefined ? undefined : parseFilter(where, context.now());
  const filter =
    profile === undefined
      ? matches
      : (entry: HistoryEntry) => entry.profile === profile && (matches?.(entry) ?? true);
  const history = await context.history();
  return {
    entries: await history.latest(limit, filter),
    problems: history.problems.map((problem) => problem.message),
  };
}
