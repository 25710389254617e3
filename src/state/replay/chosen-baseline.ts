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

/** Whether it was found by itself. */
export function isFound({ form }: SetupState): boolean {
  return choiceOf(form, "baseline") === LAST_OF_SAME;
}
