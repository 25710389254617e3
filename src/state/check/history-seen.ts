// Looks up what the history knows of a check that came without reasons: earlier checks of its order, card and payer.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";

/** @param show gets what was found for the entry that was asked for last */
export function createHistorySeen(context: ActionContext, show: (seen: SeenBefore) => void) {
  let wanted: HistoryEntry | null = null;
  let isReading = false;
  const hasNoReasons = ({ explanation, result }: HistoryEntry): boolean =>
    explanation === null && result?.outcome === "answered" && context.profile.environment !== "SANDBOX";
  const look = async (entry: HistoryEntry) => (await context.history()).seenBefore(entry);
  return {
    /**
     * Of an answer whose service explains nothing. One at a time, so that a check does not wait behind rows that were passed
     * by. The list says when a history cannot be read.
     */
    async read(entry: HistoryEntry) {
      wanted = hasNoReasons(entry) ? entry : null;
      if (isReading) return;
      isReading = true;
      while (wanted !== null) {
        const next: HistoryEntry = wanted;
        const seen = await look(next).catch(() => null);
        if (wanted !== next) continue;
        wanted = null;
        if (seen !== null) show(seen);
      }
      isReading = false;
    },
  };
}
