// The worker thread that hosts a table, so that commits and searches do not block the main thread.

import { parentPort, workerData } from "node:worker_threads";

import type { FaultCode } from "#src/contract/fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { HistoryTable } from "./history-table.ts";
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
  | {
      readonly call: number;
      readonly method: Method;
      readonly args: readonly unknown[];
      /** The last arguments, which cannot be sent: `stop` and events take their places. */
      readonly unsent: readonly ("signal" | "callback")[];
    }
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

  const methods = table as unknown as Record<Method, (...given: readonly unknown[]) => Promise<unknown>>;

  const take = async (ask: Ask): Promise<void> => {
    if ("stop" in ask) return running.get(ask.stop)?.abort();
    const { call, method, args, unsent } = ask;
    const stop = new AbortController();
    running.set(call, stop);
    const callback = (...event: readonly unknown[]): void => reply({ type: "event", call, event });
    const own = { signal: stop.signal, callback };
    try {
      const result = await methods[method](...args, ...unsent.map((each) => own[each]));
      reply({ type: "result", call, result });
    } catch (error) {
      const code = error instanceof Fault ? error.code : null;
      reply({ type: "fault", call, code, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(call);
      if (method === "commit") {
        clearTimeout(idle);
        idle = setTimeout(() => table.rest(), IDLE_MS);
      }
    }
  };
  port.on("message", (ask: Ask) => void take(ask));
}

if (parentPort !== null) serve(workerData as WorkerData, parentPort);
