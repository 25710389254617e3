// What the replay of a form will be compared with: the run that was chosen, or the last finished one of the same payloads. Pure.

import type { RunInfo } from "#src/contract/records/run.ts";
import { choiceOf } from "#src/state/entry-form.ts";
import { LAST_OF_SAME, runLabel, setupInput, sourceWord } from "./replay-setup.ts";
import type { SetupState } from "./replays-state.ts";

/** Sources whose items bring the verdicts along that they had. */
const WITH_VERDICTS = /^(?:history|run):/;

/**
 * @param runs newest first
 * @param data folder of the saved payloads
 * @returns null for what the payloads carry
 */
export function chosenBaseline(
  { form, preflight }: SetupState,
  runs: readonly RunInfo[],
  data: string,
): RunInfo | null {
  const label = choiceOf(form, "baseline");
  if (label !== LAST_OF_SAME) return runs.find((run) => runLabel(run) === label) ?? null;
  const { source, onlyTags, skipTags } = setupInput(form);
  if (WITH_VERDICTS.test(source)) return null;
  const word = sourceWord(source, data);
  const items = preflight.state === "done" ? preflight.preflight.items : null;
  const isSame = (run: RunInfo): boolean =>
    run.state === "complete" &&
    run.shard === undefined &&
    JSON.stringify([run.sources, run.onlyTags, run.skipTags]) ===
      JSON.stringify([[word], onlyTags, skipTags]) &&
    (items === null || run.summary?.counts.total === items);
  return runs.find(isSame) ?? null;
}

/** What a replay will be compared with, as it is said of it. */
export interface Against {
  /** Id of the run; null for what the payloads carry. */
  readonly id: string | null;
  /** It was looked for, and not chosen. */
  readonly isSought: boolean;
  /** The run was sent to another place, or decided with other rules. */
  readonly isElsewhere: boolean;
}

/** Of the form itself: what an audience sees of it names neither sources nor rules. @param profile name of the one in use */
export function againstOf(
  setup: SetupState,
  runs: readonly RunInfo[],
  { data, profile }: { readonly data: string; readonly profile: string },
): Against {
  const { form, preflight } = setup;
  const run = chosenBaseline(setup, runs, data);
  const rules = preflight.state === "done" ? preflight.preflight.rules : undefined;
  const isElsewhere =
    run !== null &&
    (run.isolated !== rules ||
      run.project !== choiceOf(form, "project") ||
      (rules === undefined && run.profile !== profile));
  return { id: run?.id ?? null, isSought: choiceOf(form, "baseline") === LAST_OF_SAME, isElsewhere };
}
