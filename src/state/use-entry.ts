// What the detail of an entry needs besides the entry, read when it is shown.

import { useEffect } from "react";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";

/** Calls back with the entry that is shown, and again once it is answered. @param read the same function at each drawing */
export function useEntry(entry: HistoryEntry | null, read: (entry: HistoryEntry) => unknown): void {
  const isAnswered = entry?.result != null;
  useEffect(() => {
    if (entry !== null) void read(entry);
    // oxlint-disable-next-line react/exhaustive-deps -- nothing else of an entry changes what is read
  }, [read, entry?.id, isAnswered]);
}
