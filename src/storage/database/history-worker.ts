// A worker that searches the history, so that the console goes on drawing meanwhile. It gets the index without the tables
// that are in files, and answers with places, never with entries. The build makes a file of its own of it.

import { parentPort, workerData } from "node:worker_threads";

import { nodeFileSystem } from "#src/storage/file-system.ts";
import { compileFilter } from "./history-filter.ts";
import type { IndexedSegment, IndexView, LearnedRef } from "./history-index-view.ts";
import { HistoryLines } from "./history-lines.ts";
import { rowsIn } from "./history-rows.ts";
import { HistoryTables } from "./history-tables.ts";
import { searchHistory } from "./history-search.ts";
import type { Places, SearchRange } from "./history-search.ts";
import type { Stretches } from "./row-order.ts";

/** What a worker is started with. */
export interface SearchTask {
  readonly dir: string;
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: number;
  readonly range: SearchRange;
  readonly segments: readonly (Omit<IndexedSegment, "rows"> & {
    /** The table of a segment that may grow; the others are in files. */
    readonly buffer: ArrayBuffer | null;
  })[];
  readonly order: Stretches;
  readonly foreign: ReadonlyMap<number, readonly LearnedRef[]>;
  readonly count: number;
}

export type SearchMessage =
  | { readonly type: "found"; readonly places: Places }
  | { readonly type: "progress"; readonly looked: number }
  | { readonly type: "end"; readonly stale: readonly string[] };

async function search(task: SearchTask, post: (message: SearchMessage) => void): Promise<void> {
  const { dir, filter, now, range, order, foreign, count } = task;
  const segments = task.segments.map(({ buffer, ...each }) => ({
    ...each,
    rows: buffer === null ? null : rowsIn(buffer, each.summary),
  }));
  const view: IndexView = { segments, order, foreign, count };
  const tables = new HistoryTables(dir, nodeFileSystem);
  const lines = new HistoryLines(dir, view, tables, nodeFileSystem);
  try {
    const { stale } = await searchHistory(view, tables, lines, compileFilter(filter, now), range, {
      onFound: (places) => post({ type: "found", places }),
      onProgress: (looked) => post({ type: "progress", looked }),
      // It is ended from outside.
      isCancelled: () => false,
    });
    post({ type: "end", stale });
  } finally {
    await lines.close();
  }
}

if (parentPort !== null) {
  const port = parentPort;
  await search(workerData as SearchTask, (message) => port.postMessage(message));
}
