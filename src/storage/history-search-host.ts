// Runs a search of the history in a worker; where no worker starts, in this thread with pauses.

import { Worker } from "node:worker_threads";

import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./file-system.ts";
import { compileFilter } from "./history-filter.ts";
import type { IndexView } from "./history-index.ts";
import { HistoryLines } from "./history-lines.ts";
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
    const ended = await inWorker(search, handlers);
    if (ended !== null) return ended;
  }
  return await here(search, handlers);
}

/** Null when the worker failed before it found anything. */
function inWorker(search: HostedSearch, handlers: Found): Promise<SearchEnd | null> {
  const { dir, view, filter, now, from, to, signal } = search;
  const task: SearchTask = {
    dir,
    filter,
    now,
    range: { from, to },
    segments: view.segments.map(({ segment, rows }) => ({
      segment,
      buffer: rows.buffer,
      counts: { rows: rows.rows, learned: rows.learned, foreign: rows.foreign },
    })),
    order: view.order,
    foreign: view.foreign,
    count: view.count,
  };
  return new Promise((resolve, reject) => {
    let worker: Worker;
    let any = false;
    let ended: SearchEnd | null = null;
    try {
      worker = new Worker(workerUrl(), {
        workerData: task,
        // What is parsed is garbage at once: a small nursery keeps the memory of the process small.
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
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
      any = true;
      if (message.type === "found") handlers.onFound(message.places);
      else if (message.type === "progress") handlers.onProgress(message.looked);
      else ended = { stale: message.stale };
    });
    worker.on("error", (error) => {
      signal.removeEventListener("abort", stop);
      if (any) reject(error);
      else resolve(null);
    });
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
  const lines = new HistoryLines(dir, view, fs);
  try {
    return await searchHistory(view, lines, compileFilter(filter, now), search, {
      ...handlers,
      isCancelled: () => signal.aborted,
    });
  } finally {
    await lines.close();
  }
}
