// The main thread's side of a table in a worker: forwards every call.

import { Worker } from "node:worker_threads";

import { Fault, storage, whole } from "#src/contract/fault.ts";
import { programUrl } from "#src/storage/program-files.ts";
import type { Ask, Method, Reply, WorkerData } from "./database-worker.ts";
import type { HistoryStore } from "./history-table.ts";
import type { RunStore } from "./run-table.ts";
import type { TableEvents } from "./table-database.ts";

/** Files of a table. */
type Place = Omit<WorkerData, "table">;

interface Host {
  ask<R>(method: Method, args: readonly unknown[], following?: Following): Promise<R>;
  close(): Promise<void>;
}

interface Call {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onEvent(...event: readonly unknown[]): void;
}

interface Following {
  readonly signal?: AbortSignal;
  readonly onEvent?: (...event: never[]) => void;
}

/** Size of the worker's young generation: parsed rows are short-lived, so a small one keeps memory low. */
const YOUNG_MB = 4;

export function hostHistory(place: Place, events: TableEvents): HistoryStore {
  const { ask, close } = host({ table: "history", ...place }, events);
  return {
    commit: (records) => ask("commit", [records]),
    labels: (orderIds) => ask("labels", [orderIds]),
    labelledOrders: (after, count) => ask("labelledOrders", [after, count]),
    decided: (profile, since) => ask("decided", [profile, since]),
    extent: () => ask("extent", []),
    newest: (count, below) => ask("newest", [count, below]),
    page: (from, count) => ask("page", [from, count]),
    at: (places) => ask("at", [places]),
    find: (idOrPrefix) => ask("find", [idOrPrefix]),
    position: (id) => ask("position", [id]),
    order: (sort) => ask("order", [sort]),
    search: (search, signal, onEvent) => ask("search", [search], { signal, onEvent }),
    version: () => ask("version", []),
    prune: (options, signal, onEvent) => ask("prune", [options], { signal, onEvent }),
    verify: (signal, onEvent) => ask("verify", [], { signal, onEvent }),
    salvage: (now, onEvent) => ask("salvage", [now], { onEvent }),
    rest: () => ask("rest", []),
    close,
  };
}

export function hostRuns(place: Place, events: TableEvents): RunStore {
  const { ask, close } = host({ table: "runs", ...place }, events);
  return {
    commit: (id, writes) => ask("commit", [id, writes]),
    list: () => ask("list", []),
    incoming: () => ask("incoming", []),
    find: (idOrPrefix) => ask("find", [idOrPrefix]),
    rows: (id, after, count) => ask("rows", [id, after, count]),
    compare: (run, baseline, rates) => ask("compare", [run, baseline, rates]),
    earlier: (id, keys) => ask("earlier", [id, keys]),
    hits: (id) => ask("hits", [id]),
    labelledCounts: (id, history) => ask("labelledCounts", [id, history]),
    kept: (id, most) => ask("kept", [id, most]),
    past: (id) => ask("past", [id]),
    findSent: (id, items, isWhole) => ask("findSent", [id, items, isWhole]),
    remove: (id) => ask("remove", [id]),
    rest: () => ask("rest", []),
    close,
  };
}

/** Starts the worker with the first call. */
function host(data: WorkerData, events: TableEvents): Host {
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
    if (reply.type === "notice") return events.onNotice(reply.sentence);
    const call = calls.get(reply.call);
    if (reply.type === "event") return call?.onEvent(...reply.event);
    calls.delete(reply.call);
    // An idle worker does not keep the process alive.
    if (calls.size === 0) worker?.unref();
    if (reply.type === "result") call?.resolve(reply.result);
    else
      call?.reject(
        reply.code === null ? new Error(reply.message) : new Fault(reply.code, whole(reply.message)),
      );
  };

  /** Rejects the calls of a lost worker; the next call starts another one. */
  const lose = (lost: Worker, error: unknown): void => {
    if (worker !== lost) return;
    worker = null;
    const fault = storage`The database stopped answering; try again.`.causedBy(error);
    for (const { reject } of calls.values()) reject(fault);
    calls.clear();
  };

  const ask = async <R>(
    method: Method,
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

  return {
    ask,
    async close() {
      if (worker === null) return;
      await ask("close", []);
      const closed = worker;
      lose(closed, null);
      await closed.terminate();
    },
  };
}

/** As a source next to this file, or as built. */
function workerUrl(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./database-worker.ts", import.meta.url);
  return programUrl("database-worker.mjs");
}
