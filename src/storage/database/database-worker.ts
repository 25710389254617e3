// The worker thread that hosts a table, so that commits and searches do not block the main thread.

import { parentPort, workerData } from "node:worker_threads";

import type { FaultCode } from "#src/contract/fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { PruneOptions } from "./history-prune.ts";
import { HistoryTable } from "./history-table.ts";
import type { TableSearch } from "./history-table.ts";
import { RunTable } from "./run-table.ts";
import type { TableEvents } from "./table-database.ts";

export interface WorkerData {
  readonly table: "history" | "runs";
  /** File of the database. */
  readonly path: string;
}

export type Method = keyof HistoryTable | keyof RunTable;

/** Messages to the worker. `stop` ends the call of that number. */
export type Ask =
  | { readonly call: number; readonly method: Method; readonly args: readonly unknown[] }
  | { readonly stop: number };

export type Reply =
  | { readonly type: "result"; readonly call: number; readonly result: unknown }
  | {
      readonly type: "fault";
      readonly call: number;
      readonly code: FaultCode | null;
      readonly message: string;
    }
  | { readonly type: "event"; readonly call: number; readonly event: readonly unknown[] }
  | { readonly type: "problem"; readonly problem: StoreProblem }
  | { readonly type: "notice"; readonly sentence: string };

/** Idle time after which the log is checkpointed, because a flipped bit in a long log loses more. */
const IDLE_MS: Milliseconds = 1_000;

function serve({ table: name, path }: WorkerData, port: NonNullable<typeof parentPort>): void {
  const reply = (message: Reply): void => port.postMessage(message);
  const running = new Map<number, AbortController>();
  let idle: NodeJS.Timeout | undefined;
  const events: TableEvents = {
    onProblem: (problem) => reply({ type: "problem", problem }),
    onNotice: (sentence) => reply({ type: "notice", sentence }),
  };
  const table = name === "history" ? new HistoryTable(path, events) : new RunTable(path, events);

  const run = async (
    call: number,
    method: Method,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<unknown> => {
    const emit = (...event: readonly unknown[]): void => reply({ type: "event", call, event });
    if (table instanceof HistoryTable) {
      if (method === "search") return await table.search(args[0] as TableSearch, signal, emit);
      if (method === "prune") return await table.prune(args[0] as PruneOptions, signal, emit);
      if (method === "verify") return await table.verify(signal, emit);
      if (method === "salvage") return await table.salvage(args[0] as Milliseconds, emit);
    }
    const methods = table as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    return await methods[method]!(...args);
  };

  const take = async (ask: Ask): Promise<void> => {
    if ("stop" in ask) return running.get(ask.stop)?.abort();
    const { call, method, args } = ask;
    const signal = new AbortController();
    running.set(call, signal);
    try {
      reply({ type: "result", call, result: await run(call, method, args, signal.signal) });
    } catch (error) {
      const code = error instanceof Fault ? error.code : null;
      reply({ type: "fault", call, code, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(call);
      if (method === "commit") {
        clearTimeout(idle);
        // A failing disk is reported by the next call.
        idle = setTimeout(() => void table.rest().catch(() => undefined), IDLE_MS);
      }
    }
  };
  port.on("message", (ask: Ask) => void take(ask));
}

if (parentPort !== null) serve(workerData as WorkerData, parentPort);
