// State of the Replay screen, and questions about it.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { ReplayProgress } from "#src/actions/replay/replay.ts";
import { placeOf, type RejectedLine, type RunHeader, type RunInfo } from "#src/contract/records/run.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { rulesText } from "#src/display/run-lines.ts";
import { formatDateTime } from "#src/display/time.ts";
import type { EntryForm } from "#src/state/entry-form.ts";
import { matching } from "#src/state/listing.ts";
import type { ReplayResult } from "./replay-result.ts";
import { againWords } from "./replay-setup.ts";
import type { PreflightState } from "./source-preflight.ts";

/** What is known of the replay under way. */
export interface LiveReplay {
  /** The user wants it to pause, maybe before there is anything to pause. */
  readonly isPaused: boolean;
  /** Null until the run has been begun on disk. */
  readonly header: RunHeader | null;
  /** Id of the run that it goes on with; null for a new one. */
  readonly continues: string | null;
  /** True on a sandbox of its own. */
  readonly isIsolated: boolean;
  /** Items that earlier sessions of the run have sent. */
  readonly alreadySent: number;
  /** Null until the first poll. */
  readonly progress: ReplayProgress | null;
  /** The first bad lines. */
  readonly rejected: readonly RejectedLine[];
  /** By what time and in which order the payments are sent, a sentence each. */
  readonly notes: readonly string[];
  /** Why it stops by itself, in one sentence; null while it does not. */
  readonly tripped: string | null;
}

export interface SetupState {
  readonly form: EntryForm;
  readonly preflight: PreflightState;
}

export interface ReplaysState {
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  /** Words of the runs that are listed; empty for all. */
  readonly filter: string;
  /** False until the runs have been read for the first time. */
  readonly loaded: boolean;
  /** Why the runs could not be read. */
  readonly fault: string | null;
  /** Flips of the runs that were compared in this session, each with its own baseline. */
  readonly flips: ReadonlyMap<string, number>;
  readonly selectedId: string | null;
  /** The run that another one is to be compared with. */
  readonly markedId: string | null;
  /** The run that the next replay is compared with. */
  readonly baselineId: string | null;
  /** The form of a new replay; null while it is not open. */
  readonly setup: SetupState | null;
  readonly live: LiveReplay | null;
  /** The run that is shown; null for the list. */
  readonly result: ReplayResult | null;
}

export function createReplaysStore(): StoreApi<ReplaysState> {
  return createStore(() => ({
    runs: [],
    filter: "",
    loaded: false,
    fault: null,
    flips: new Map(),
    selectedId: null,
    markedId: null,
    baselineId: null,
    setup: null,
    live: null,
    result: null,
  }));
}

/** The runs that the filter lets through, newest first. */
export function listedRuns({ runs, filter }: ReplaysState): readonly RunInfo[] {
  return matching(runs, filter, (run) =>
    [run.id, formatDateTime(run.at), ...run.sources, placeOf(run), rulesText(run) ?? "", run.state].join(" "),
  );
}

/** What the screen shows: a replay under way, the form of a new one, a run by its id, or the list. */
export function shownThing({ live, setup, result }: ReplaysState): string {
  if (live !== null) return "live";
  return setup !== null ? "form" : (result?.info.id ?? "list");
}

/** Whether what is shown stays whole: a pane of it alone would hide a form, or half of a comparison. */
export function isWhole({ live, setup, result }: ReplaysState): boolean {
  return live !== null || setup !== null || result?.opened != null;
}

/** The run that keys act on: the one that is shown, else the selected one. */
export function chosenRun({ result, runs, selectedId }: ReplaysState): RunInfo | null {
  return result?.info ?? runs.find(({ id }) => id === selectedId) ?? null;
}

/** Why no items of the chosen run can be sent again by themselves; null when some can. */
export function whyNotAgain(state: ReplaysState): string | null {
  const run = chosenRun(state);
  return run !== null && againWords(run, state.flips.get(run.id)).length > 0 ? null : NONE_AGAIN;
}

export const NONE_AGAIN = "Nothing in the run failed or changed.";

/** Why the chosen run cannot be gone on with; null when it can. */
export function whyNotGoOn(state: ReplaysState, profile: string, keyName: KeyName): string | null {
  const run = chosenRun(state);
  if (run === null) return "There is no run to continue.";
  const begins = `${keyName("replay.new")} begins a new one.`;
  if (run.state === "complete") return `The run is complete; ${begins}`;
  if (run.copyOf !== undefined) return `The run is a copy, which cannot go on; ${begins}`;
  if (run.isolated !== undefined) return `The sandbox of the run is gone; ${begins}`;
  return run.profile === profile
    ? null
    : "The run belongs to another profile; open the console with that one.";
}
