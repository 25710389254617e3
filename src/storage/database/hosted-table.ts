// The main thread's side of a table in a worker: forwards every call.

import { Worker } from "node:worker_threads";

import { Fault, storage, whole } from "#src/contract/fault.ts";
import { programUrl } from "#src/storage/program-files.ts";
import type { Ask, Method, Reply, WorkerData } from "./database-worker.ts";
import type { HistoryTable } from "./history-table.ts";
import type { RunTable } from "./run-table.ts";
import type { TableEvents } from "./table-database.ts";

/** A table in this thread or in a worker: the methods of its class. */
export type Hosted<Table> = { readonly [Name in keyof Table]: Table[Name] };

type Callback = (...event: readonly unknown[]) => void;

interface Call {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  readonly onEvent: Callback | undefined;
}

/** Size of the worker's young generation: parsed rows are short-lived, so a small one keeps memory low. */
const YOUNG_MB = 4;

/**
 * Forwards each method of a table's class to a worker, which starts with the first call.
 * @param table its class @param path of the database
 */
export function hostTable<Table extends HistoryTable | RunTable>(
  name: WorkerData["table"],
  table: { readonly prototype: Table },
  path: string,
  events: TableEvents,
): Hosted<Table> {
  const calls = new Map<number, Call>();
  let worker: Worker | null = null;
  let last = 0;

  const start = (): Worker => {
    const started = new Worker(workerUrl(), {
      workerData: { table: name, path } satisfies WorkerData,
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
    if (reply.type === "event") return call?.onEvent?.(...reply.event);
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

  const ask = async (method: Method, given: readonly unknown[]): Promise<unknown> => {
    const signal = given.find((arg) => arg instanceof AbortSignal);
    const onEvent = given.find((arg): arg is Callback => typeof arg === "function");
    const args = given.filter((arg) => arg !== signal && arg !== onEvent);
    const unsent = given.slice(args.length).map((arg) => (arg === signal ? "signal" : "callback"));
    const to = (worker ??= start());
    const call = (last += 1);
    const stop = (): void => to.postMessage({ stop: call } satisfies Ask, []);
    to.ref();
    to.postMessage({ call, method, args, unsent } satisfies Ask, []);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        calls.set(call, { resolve, reject, onEvent });
      });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };

  const close = async (): Promise<void> => {
    if (worker === null) return;
    await ask("close", []);
    const closed = worker;
    lose(closed, null);
    await closed.terminate();
  };

  const methods = Object.getOwnPropertyNames(table.prototype).filter((name) => name !== "constructor");
  const forwarded = methods.map((method) => [
    method,
    (...args: readonly unknown[]) => ask(method as Method, args),
  ]);
  return { ...Object.fromEntries(forwarded), close } as Hosted<Table>;
}

/** As a source next to this file, or as built. */
function workerUrl(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./database-worker.ts", import.meta.url);
  return programUrl("database-worker.mjs");
}
