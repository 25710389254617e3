// Runs a search of the history in a worker; where no worker starts, in this thread with pauses.

import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";

import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { compileFilter } from "./history-filter.ts";
import type { IndexView } from "./history-index-view.ts";
import { HistoryLines } from "./history-lines.ts";
import { HistoryTables } from "./history-tables.ts";
import { searchHistory } from "./history-search.ts";
import type { SearchEnd, SearchHandlers, SearchRange } from "./history-search.ts";
import type { SearchMessage, SearchTask } from "./history-worker.ts";

export interface HostedSearch extends SearchRange {
  readonly dir: string;
  readonly view: IndexView;
  readonly filter: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly fs: FileSystem;
}

type Found = Pick<SearchHandlers, "onFound" | "onProgress">;

/** Fewer entries than these are looked at before a worker has started. */
const WORKER_FROM = 20_000;

/** Resolves when everything was looked at, or when the signal fires. */
export async function runSearch(search: HostedSearch, handlers: Found): Promise<SearchEnd> {
  // A failing disk of a test is in this thread only.
  if (search.to - search.from >= WORKER_FROM && search.fs === nodeFileSystem) {
    let handed = 0;
    const counted: Found = {
      onProgress: handlers.onProgress,
      onFound: (places) => {
        handed += places.length;
        handlers.onFound(places);
      },
    };
    const ended = await inSmallNursery(() => inWorker(search, counted));
    if (ended !== null) return ended;
    // What it had found is found again first, in the same order.
    return await here(search, { ...handlers, onFound: behind(handed, handlers.onFound) });
  }
  return await here(search, handlers);
}

/** Hands on all but the first places. */
function behind(handed: number, onFound: Found["onFound"]): Found["onFound"] {
  let seen = 0;
  return (places) => {
    const fresh = places.slice(Math.max(0, handed - seen));
    seen += places.length;
    if (fresh.length > 0) onFound(fresh);
  };
}

/** Searches under way: a new filter starts one before the last has ended. */
let searches = 0;

/**
 * Runs a search without V8 enlarging the nursery of this thread, which drawing the progress would double again and again.
 * Node warns of flags that are set at run time; this one is read whenever the nursery is full, and is no more than a
 * preference. The console on a million entries peaked at 181 to 216 MB with it (five runs, 195 in the middle) and at 209 to
 * 218 without (ten), in 120 columns; in 80 columns it stays below 190 either way.
 */
async function inSmallNursery<R>(search: () => Promise<R>): Promise<R> {
  searches += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  try {
    return await search();
  } finally {
    searches -= 1;
    // The factor that V8 has by itself.
    if (searches === 0) setFlagsFromString("--semi-space-growth-factor=2");
  }
}

/** Null when the worker failed: this thread does better, or says what is wrong. */
function inWorker(search: HostedSearch, handlers: Found): Promise<SearchEnd | null> {
  const { dir, view, filter, now, from, to, signal } = search;
  const task: SearchTask = {
    dir,
    filter,
    now,
    range: { from, to },
    segments: view.segments.map(({ rows, ...each }) => ({ ...each, buffer: rows?.buffer ?? null })),
    order: view.order,
    foreign: view.foreign,
    count: view.count,
  };
  return new Promise((resolve) => {
    let worker: Worker;
    let ended: SearchEnd | null = null;
    try {
      worker = new Worker(workerUrl(), {
        workerData: task,
        resourceLimits: {
          // What is parsed is garbage at once: it is collected early, so that the memory of the process stays small. A search
          // that needs more ends here, and goes on in this thread.
          maxYoungGenerationSizeMb: 4,
          // The places of records in other segments are copied.
          maxOldGenerationSizeMb: 24 + Math.ceil(view.foreign.size / 2_000),
        },
      });
    } catch {
      return resolve(null);
    }
    const stop = (): void => {
      ended ??= { stale: [] };
      void worker.terminate();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    worker.on("message", (message: SearchMessage) => {
      if (signal.aborted) return;
      if (message.type === "found") handlers.onFound(message.places);
      else if (message.type === "progress") handlers.onProgress(message.looked);
      else ended = { stale: message.stale };
    });
    // What it was is met again in this thread.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve(ended);
    });
  });
}

/** Beside this file: as a source, or as the build has made it. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith(".ts") ? "./history-worker.ts" : "./history-worker.mjs";
  return new URL(name, import.meta.url);
}

async function here(search: HostedSearch, handlers: Found): Promise<SearchEnd> {
  const { dir, view, filter, now, signal, fs } = search;
  const tables = new HistoryTables(dir, fs);
  const lines = new HistoryLines(dir, view, tables, fs);
  try {
    return await searchHistory(view, tables, lines, compileFilter(filter, now), search, {
      ...handlers,
      isCancelled: () => signal.aborted,
    });
  } finally {
    await lines.close();
  }
}
