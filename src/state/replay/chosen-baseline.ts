// What the replay of a form will be compared with: the run that was chosen, or the last finished one of the same payloads. Pure.

import type { Profile } from "#src/contract/records/profile.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { choiceOf, type EntryForm } from "#src/state/entry-form.ts";
import { isIsolated, LAST_OF_SAME, runLabel, setupInput, sourceWord } from "./replay-setup.ts";
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
  if (WITH_VERDICTS.test(setupInput(form).source)) return null;
  const items = preflight.state === "done" ? preflight.preflight.items : null;
  const isSame = (run: RunInfo): boolean =>
    run.state === "complete" &&
    run.shard === undefined &&
    (items === null || run.summary?.counts.total === items);
  return runs.filter(isSame).find(ofSource(form, data)) ?? null;
}

/** Whether the payloads of a run came from the source of the form, chosen by the same tags. */
function ofSource(form: EntryForm, data: string): (run: RunInfo) => boolean {
  const { source, onlyTags, skipTags } = setupInput(form);
  const wanted = JSON.stringify([[sourceWord(source, data)], onlyTags, skipTags]);
  return (run) => JSON.stringify([run.sources, run.onlyTags, run.skipTags]) === wanted;
}

/** What a replay will be compared with, as it is said of it. */
export interface Against {
  /** Id of the run; null for what the payloads carry. */
  readonly id: string | null;
  /** It was looked for, and not chosen. */
  readonly isSought: boolean;
  /** The run was sent to another place, or decided with other rules. */
  readonly isElsewhere: boolean;
  /** The sandbox has the counts of the same payloads from an earlier replay. */
  readonly isCounted: boolean;
}

/** Of the form itself: what an audience sees of it names neither sources nor rules. @param profile the one in use */
export function againstOf(
  setup: SetupState,
  runs: readonly RunInfo[],
  { data, profile }: { readonly data: string; readonly profile: Pick<Profile, "name" | "environment"> },
): Against {
  const { form, preflight } = setup;
  const run = chosenBaseline(setup, runs, data);
  const rules = preflight.state === "done" ? preflight.preflight.rules : undefined;
  const isElsewhere =
    run !== null &&
    (run.isolated !== rules ||
      run.project !== choiceOf(form, "project") ||
      (rules === undefined && run.profile !== profile.name));
  const isCounted =
    profile.environment === "SANDBOX" &&
    !isIsolated(form) &&
    runs
      .filter(({ isolated, copyOf }) => isolated === undefined && copyOf === undefined)
      .filter((each) => each.profile === profile.name)
      .some(ofSource(form, data));
  const isSought = choiceOf(form, "baseline") === LAST_OF_SAME;
  return { id: run?.id ?? null, isSought, isElsewhere, isCounted };
}
