// Access to the replay use cases, loaded on first use to keep them out of the first frame.

import { resolve } from "node:path";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import type { Replayed, ReplayEvent, ReplayInput, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import type { OpenEphemeral } from "#src/app/ephemeral.ts";
import { readTestedRules, type RuleText } from "#src/app/named-rules.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { KeptRows, RunInfo } from "#src/contract/records/run.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";

import type { SetupInput } from "./replay-setup.ts";

export type { Replayed, ReplayInput, Preflight };

/** What of a form says which items are sent, and by which rules of a sandbox of its own. */
export type Preflighted = Pick<SetupInput, "source" | "isolated" | "onlyTags" | "skipTags">;

export interface SetupPreflight extends Preflight {
  /** Name of the rules of a sandbox of its own; absent where none is wanted. */
  readonly rules?: string;
}
/** Rows of each kind that are kept in memory. */
export const ROWS_KEPT = 1_000;

export interface ReplayEngine {
  /** @param isolated rules of a sandbox of its own, which ends with the run, as `SetupInput` has them */
  start(
    input: ReplayInput,
    isolated: string | null,
    signal: AbortSignal,
    onEvent: (event: ReplayEvent) => void,
  ): Promise<ReplayRun>;
  /** Rules of a sandbox of its own are read and tested as well, once they are named. */
  preflight(wanted: Preflighted, signal: AbortSignal): Promise<SetupPreflight>;
  /** @param baseline null for what the items of the run carried */
  compare(info: RunInfo, baseline: string | null): Promise<Comparison>;
  list(): Promise<RunInfo[]>;
  rows(info: RunInfo): Promise<KeptRows>;
  /** Null where nobody knows what became of any of its payments. */
  outcomes(info: RunInfo): Promise<RunOutcomes | null>;
  remove(id: string): Promise<void>;
  /** @returns the path that was written. @throws Fault("usage") for a kind that is none, and for a file that is there */
  writeReport(file: string, info: RunInfo, comparison: Comparison | null): Promise<string>;
}

export function replayEngine(context: Context, openEphemeral: OpenEphemeral): ReplayEngine {
  const rulesOf = (word: string, signal: AbortSignal): Promise<RuleText> =>
    readTestedRules({ home: context.home, signal }, word);
  return {
    async start(input, isolated, signal, onEvent) {
      const { startReplay } = await import("#src/actions/replay/running-replay.ts");
      if (isolated === null) return startReplay(context, input, signal, onEvent);
      const { ISOLATED_PROJECT, openIsolated } = await import("#src/app/isolated.ts");
      const projects = [input.project ?? ISOLATED_PROJECT];
      const rules = await rulesOf(isolated, signal);
      const own = await openIsolated(context, openEphemeral, { projects, rules }, signal);
      const run = startReplay(own.context, input, signal, onEvent);
      const ended = async (): Promise<Replayed> => {
        try {
          return await run.ended;
        } finally {
          await own.end();
        }
      };
      const [pause, resume] = [() => run.pause(), () => run.resume()];
      return { pause, resume, progress: () => run.progress(), ended: ended() };
    },
    async preflight({ source, isolated, ...choice }, signal) {
      const { preflightSources } = await import("#src/actions/replay/preflight.ts");
      const rules = isolated === null || isolated === "" ? null : await rulesOf(isolated, signal);
      const input = { ...choice, sources: [source], strict: false, stdin: null };
      const found = await preflightSources(context, input, signal);
      return rules === null ? found : { ...found, rules: rules.name };
    },
    async compare(info, baseline) {
      const { openSide } = await import("#src/actions/replay/compare-runs.ts");
      const side = await openSide(await context.runs(), baseline);
      return (await side.compare(info)).comparison;
    },
    list: async () => (await context.runs()).list(),
    rows: async (info) =>
      (await context.runs()).kept(info.id, { unexpected: ROWS_KEPT, noVerdict: ROWS_KEPT, items: ROWS_KEPT }),
    async outcomes(info) {
      const { readRunOutcomes } = await import("#src/actions/replay/run-outcomes.ts");
      return readRunOutcomes(context, info);
    },
    remove: async (id) => (await context.runs()).remove(id),
    async writeReport(file, info, comparison) {
      const { writeReport } = await import("#src/actions/replay/write-report.ts");
      return resolve(await writeReport(context, { file, info, comparison }));
    },
  };
}
