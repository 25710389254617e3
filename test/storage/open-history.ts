// A history in a folder, as the program keeps it in its data folder.

import { join } from "node:path";

import { openHistory } from "#src/storage/database/history.ts";
import type { History, HistoryOptions } from "#src/storage/database/history.ts";

export function historyIn(dir: string, options: Partial<HistoryOptions> = {}): History {
  return openHistory({ path: join(dir, "history.db"), ...options });
}

/** In a worker, as the console keeps it. */
export function hostedHistoryIn(dir: string): History {
  return historyIn(dir, { inWorker: true });
}
