// A worker that searches the history, so that the console goes on drawing meanwhile. It gets the index as shared memory and
// answers with places, never with entries. The build makes a file of its own of it.

import { parentPort, workerData } from "node:worker_threads";

import { nodeFileSystem } from "./file-system.ts";
import { compileFilter } from "./history-filter.ts";
import type { IndexView, LearnedRef } from "./history-index.ts";
import { HistoryLines } from "./history-lines.ts";
import { rowsIn } from "./history-rows.ts";
import type { RowCounts } from "./history-rows.ts";
import { searchHistory } from "./history-search.ts";
import type { Places, SearchRange } from "./history-search.ts";
import type { Stretches } from "./row-order.ts";
import type { Segment } from "./segment-name.ts";

/** What a worker is started with. */
export interface SearchTask {
  readonly dir: string;
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: number;
  readonly range: SearchRange;
  readonly segments: readonly {
    readonly segment: Segment;
    readonly buffer: ArrayBufferLike;
    readonly counts: RowCounts;
  }[];
  readonly order: Stretches;
  readonly foreign: ReadonlyMap<number, readonly LearnedRef[]>;
  readonly count: number;
}

export type SearchMessage =
  | { readonly type: "found"; readonly places: Places }
  | { readonly type: "progress"; readonly looked: number }
  | { readonly type: "end"; readonly stale: readonly string[] };

async function work(task: SearchTask, post: (message: SearchMessage) => void): Promise<void> {
  const { dir, filter, now, range, order, foreign, count } = task;
  const segments = task.segments.map(({ segment, buffer, counts }) => ({
    segment,
    rows: rowsIn(buffer, counts),
  }));
  const view: IndexView = { segments, order, foreign, count };
  const lines = new HistoryLines(dir, view, nodeFileSystem);
  try {
    const { stale } = await searchHistory(view, lines, compileFilter(filter, now), range, {
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
  await work(workerData as SearchTask, (message) => port.postMessage(message));
}
