// Has the tables of many segments made by a worker: what the scan of a gigabyte leaves behind is given back with it.

import type { Worker } from "node:worker_threads";

import { startWorker } from "./history-search-host.ts";

/** Resolves at its end, whether it has made all of them, some or none, or when the signal fires. */
export function makeTables(dir: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = startWorker({ dir, tables: ids });
    } catch {
      return resolve();
    }
    const stop = (): void => void worker.terminate();
    signal.addEventListener("abort", stop, { once: true });
    // Whoever needs a table that is missing makes it, and hears what is wrong.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
  });
}
