// The worker that hosts the history of a console: no commit and no search ever stops the drawing.

import { parentPort, workerData } from "node:worker_threads";

import type { FaultCode } from "#src/contract/fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { PruneOptions } from "./history-prune.ts";
import { HistoryTable } from "./history-table.ts";
import type { TableSearch } from "./history-table.ts";

export interface WorkerData {
  readonly path: string;
  readonly earlier: string;
}

/** What the worker is asked. `stop` ends the call of that number; 0 stops a take-over. */
export type Ask =
  | { readonly call: number; readonly method: keyof HistoryTable; readonly args: readonly unknown[] }
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
  | { readonly type: "take_over"; readonly done: number; readonly all: number };

/** A log that is not checkpointed may lose more to one flipped bit; this long after a write nobody waits for it. */
const IDLE_MS: Milliseconds = 1_000;

function serve({ path, earlier }: WorkerData, port: NonNullable<typeof parentPort>): void {
  const reply = (message: Reply): void => port.postMessage(message);
  const stop = new AbortController();
  const running = new Map<number, AbortController>();
  let idle: NodeJS.Timeout | undefined;
  const table = new HistoryTable(path, earlier, {
    onProblem: (problem) => reply({ type: "problem", problem }),
    onTakeOver: (done, all) => reply({ type: "take_over", done, all }),
    signal: stop.signal,
  });

  const run = async (
    call: number,
    method: keyof HistoryTable,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<unknown> => {
    const emit = (...event: readonly unknown[]): void => reply({ type: "event", call, event });
    if (method === "search") return await table.search(args[0] as TableSearch, signal, emit);
    if (method === "prune") return await table.prune(args[0] as PruneOptions, signal, emit);
    if (method === "verify") return await table.verify(signal, emit);
    if (method === "salvage") return await table.salvage(args[0] as Milliseconds, emit);
    return await (table[method] as (...given: readonly unknown[]) => Promise<unknown>).apply(table, [
      ...args,
    ]);
  };

  const take = async (ask: Ask): Promise<void> => {
    if ("stop" in ask) return (ask.stop === 0 ? stop : running.get(ask.stop))?.abort();
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
        // What is wrong with the disk is said by the next call that needs it.
        idle = setTimeout(() => void table.rest().catch(() => undefined), IDLE_MS);
      }
    }
  };
  port.on("message", (ask: Ask) => void take(ask));
}

if (parentPort !== null) serve(workerData as WorkerData, parentPort);
