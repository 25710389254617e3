// Access to the replay use cases, loaded on first use to keep them out of the first frame.

import { resolve } from "node:path";
import { keepRows, type KeptRows } from "#src/actions/replay/kept-rows.ts";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import type { Replayed, ReplayEvent, ReplayInput, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";

export type { Replayed, ReplayInput, Preflight };

export interface ReplayEngine {
  start(input: ReplayInput, signal: AbortSignal, onEvent: (event: ReplayEvent) => void): Promise<ReplayRun>;
  preflight(source: string, signal: AbortSignal): Promise<Preflight>;
  /** @param baseline null for what the items of the run carried */
  compare(run: string, baseline: string | null): Promise<Comparison>;
  list(): Promise<RunInfo[]>;
  rows(info: RunInfo): Promise<KeptRows>;
  remove(id: string): Promise<void>;
  /** @returns the path that was written. @throws Fault("usage") for a kind that is none, and for a file that is there */
  writeReport(file: string, info: RunInfo, comparison: Comparison | null): Promise<string>;
}

export function replayEngine(context: Context): ReplayEngine {
  return {
    async start(input, signal, onEvent) {
      const { startReplay } = await import("#src/actions/replay/running-replay.ts");
      return startReplay(context, input, signal, onEvent);
    },
    async preflight(source, signal) {
      const { preflightSources } = await import("#src/actions/replay/preflight.ts");
      return preflightSources(context, { sources: [source], strict: false, stdin: null }, signal);
    },
    async compare(run, baseline) {
      const { compareRuns } = await import("#src/actions/replay/compare-runs.ts");
      return compareRuns(context, { run, baseline });
    },
    list: async () => (await context.runs()).list(),
    rows: async (info) => keepRows((await context.runs()).rows(info.id), info.summary),
    remove: async (id) => (await context.runs()).remove(id),
    async writeReport(file, info, comparison) {
      const { writeReport } = await import("#src/actions/replay/write-report.ts");
      return resolve(await writeReport(context, { file, info, comparison }));
    },
  };
}
