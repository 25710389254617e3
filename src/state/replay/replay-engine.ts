// Access to the replay use cases, loaded on first use to keep them out of the first frame.

import { resolve } from "node:path";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import type { Replayed, ReplayEvent, ReplayInput, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import type { OpenEphemeral } from "#src/app/ephemeral.ts";
import { readTestedRules, type TestedRules } from "#src/app/named-rules.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import type { SetupInput } from "./replay-setup.ts";

export type { Replayed, ReplayInput, Preflight };

/** What of a form says which items are sent, and by which rules of a sandbox of its own. */
export type Preflighted = Pick<SetupInput, "source" | "isolated" | "onlyTags" | "skipTags">;

export interface SetupPreflight extends Preflight {
  /** Name of the rules of a sandbox of its own; absent where none is wanted. */
  readonly rules?: string;
}

/** Rows of each kind, and flips, that are read at first, and at most. */
export const ROWS_KEPT = 1_000;
export const MOST_ROWS = 32_000;

export function replayEngine(context: Context, openEphemeral: OpenEphemeral) {
  const rulesOf = (word: string, signal: AbortSignal): Promise<TestedRules> =>
    readTestedRules({ home: context.home, signal }, word);
  return {
    /** @param isolated rules of a sandbox of its own, which ends with the run, as `SetupInput` has them */
    async start(
      input: ReplayInput,
      isolated: string | null,
      signal: AbortSignal,
      onEvent: (event: ReplayEvent) => void,
    ): Promise<ReplayRun> {
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
      return {
        pause: () => run.pause(),
        resume: () => run.resume(),
        progress: () => run.progress(),
        ended: ended(),
      };
    },
    /** Rules of a sandbox of its own are read and tested as well, once they are named. */
    async preflight(
      { source, isolated, ...choice }: Preflighted,
      signal: AbortSignal,
    ): Promise<SetupPreflight> {
      const { preflightSources } = await import("#src/actions/replay/preflight.ts");
      const rules = isolated === null || isolated === "" ? null : await rulesOf(isolated, signal);
      const input = { ...choice, sources: [source], strict: false, stdin: null };
      const found = await preflightSources(context, input, signal);
      return rules === null ? found : { ...found, rules: rules.name };
    },
    /** @param baseline null for what the items of the run carried @param most flips, as many as at first by default */
    async compare(info: RunInfo, baseline: string | null, most: number = ROWS_KEPT): Promise<Comparison> {
      const { openSide } = await import("#src/actions/replay/compare-runs.ts");
      const side = await openSide(await context.runs(), baseline);
      return (await side.compare(info, most)).comparison;
    },
    list: async () => (await context.runs()).list(),
    /** @param baseline null for what the items of the run carried @param most rows of each kind */
    async rows(info: RunInfo, baseline: string | null, most: number) {
      const { keptAgainst } = await import("#src/actions/replay/compare-runs.ts");
      return keptAgainst(await context.runs(), info.id, baseline, most);
    },
    /** Null where nobody knows what became of any of its payments. */
    async outcomes(info: RunInfo) {
      const { readRunOutcomes } = await import("#src/actions/replay/run-outcomes.ts");
      return readRunOutcomes(context, info);
    },
    remove: async (id: string) => (await context.runs()).remove(id),
    /** @returns the path that was written. @throws Fault("usage") for a kind that is none, and for a file that is there */
    async writeReport(file: string, info: RunInfo, comparison: Comparison | null) {
      const { writeReport } = await import("#src/actions/replay/write-report.ts");
      return resolve(await writeReport(context, { file, info, comparison }));
    },
  };
}

export type ReplayEngine = ReturnType<typeof replayEngine>;
