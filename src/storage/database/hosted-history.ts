// The history of a console as its main thread sees it: every call goes to the worker that holds the database.

import { Worker } from "node:worker_threads";

import { Fault } from "#src/contract/fault.ts";
import type { HistoryStore, HistoryTable, TableEvents } from "./history-table.ts";
import type { Ask, Reply, WorkerData } from "./history-worker.ts";

interface Call {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onEvent(...event: readonly unknown[]): void;
}

interface Following {
  readonly signal?: AbortSignal;
  readonly onEvent?: (...event: never[]) => void;
}

/** What is parsed is garbage at once: collected early, the memory of the process stays small. */
const YOUNG_MB = 4;

/** Starts the worker with the first call. */
export function hostHistory(data: WorkerData, events: TableEvents): HistoryStore {
  const calls = new Map<number, Call>();
  let worker: Worker | null = null;
  let last = 0;

  const start = (): Worker => {
    const started = new Worker(workerUrl(), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    started.on("message", take);
    started.on("error", (error) => lose(started, error));
    started.on("exit", () => lose(started, null));
    return started;
  };

  const take = (reply: Reply): void => {
    if (reply.type === "problem") return events.onProblem(reply.problem);
    if (reply.type === "take_over") return events.onTakeOver(reply.done, reply.all);
    const call = calls.get(reply.call);
    if (reply.type === "event") return call?.onEvent(...reply.event);
    calls.delete(reply.call);
    // Between calls the worker keeps no process alive.
    if (calls.size === 0) worker?.unref();
    if (reply.type === "result") call?.resolve(reply.result);
    else call?.reject(reply.code === null ? new Error(reply.message) : new Fault(reply.code, reply.message));
  };

  /** What it was doing is not known to be done; the next call starts another one. */
  const lose = (lost: Worker, error: unknown): void => {
    if (worker !== lost) return;
    worker = null;
    const fault = new Fault("storage", "The history stopped answering; try again.", { cause: error });
    for (const { reject } of calls.values()) reject(fault);
    calls.clear();
  };

  const ask = async <R>(
    method: keyof HistoryTable,
    args: readonly unknown[],
    { signal, onEvent = () => undefined }: Following = {},
  ): Promise<R> => {
    const to = (worker ??= start());
    const call = (last += 1);
    const stop = (): void => to.postMessage({ stop: call } satisfies Ask, []);
    to.ref();
    to.postMessage({ call, method, args } satisfies Ask, []);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return (await new Promise<unknown>((resolve, reject) => {
        calls.set(call, { resolve, reject, onEvent });
      })) as R;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };

  events.signal.addEventListener("abort", () => worker?.postMessage({ stop: 0 } satisfies Ask, []), {
    once: true,
  });

  return {
    commit: (records) => ask("commit", [records]),
    extent: () => ask("extent", []),
    newest: (count, below) => ask("newest", [count, below]),
    page: (from, count) => ask("page", [from, count]),
    at: (places) => ask("at", [places]),
    find: (idOrPrefix) => ask("find", [idOrPrefix]),
    position: (id) => ask("position", [id]),
    search: (search, signal, onEvent) => ask("search", [search], { signal, onEvent }),
    version: () => ask("version", []),
    prune: (options, signal, onEvent) => ask("prune", [options], { signal, onEvent }),
    verify: (signal, onEvent) => ask("verify", [], { signal, onEvent }),
    salvage: (now, onEvent) => ask("salvage", [now], { onEvent }),
    rest: () => ask("rest", []),
    async close() {
      if (worker === null) return;
      await ask("close", []);
      const closed = worker;
      lose(closed, null);
      await closed.terminate();
    },
  };
}

/** Beside this file: as a source, or as the build has made it. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith(".ts") ? "./history-worker.ts" : "./history-worker.mjs";
  return new URL(name, import.meta.url);
}
