// State of the live checks: the rows, the check in flight and the verdict shown; and questions about them.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { keptRow, selectedAt } from "#src/state/list-selection.ts";

/** A check that was started and has no outcome yet. */
export interface InFlight {
  /** Id of its row; null until its intent is on disk. */
  readonly id: string | null;
  /** ms since the epoch */
  readonly startedAt: Milliseconds;
  readonly request: CheckRequest;
  /** Esc was pressed; the outcome is about to come as unknown or not sent. */
  readonly cancelled: boolean;
}

/** A check that failed before there was a row of it: nothing was sent. */
export interface FailedSend {
  readonly request: CheckRequest;
  /** One sentence: what is wrong, and what to do. */
  readonly message: string;
}

export interface ChecksState {
  /** Those of the profile in use, newest first, the newest `ENTRY_LIMIT`. */
  readonly entries: readonly HistoryEntry[];
  /** False until the history has been read for the first time. */
  readonly loaded: boolean;
  readonly inFlight: InFlight | null;
  /** The last outcome of this session. */
  readonly latest: HistoryEntry | null;
  /** The `3ds_or_block` whose final action is being asked for. */
  readonly question: HistoryEntry | null;
  /** The selected row; null while there is none. */
  readonly selectedId: string | null;
  /** The selection stays on the newest row. */
  readonly following: boolean;
  /** The row whose verdict is shown: the last answer, or the row selected since; null before either. */
  readonly shownId: string | null;
  /** The row of the last check that was sent, while nothing else was loaded since: another one that is shown was selected. */
  readonly ownId: string | null;
  /** Stands in place of a verdict until the next check, selection or payload. */
  readonly failed: FailedSend | null;
  /** What was before the row that is shown, by its id; null while that is not known. */
  readonly seen: SeenBefore | null;
  /** Why a verdict could not be written, by the id of its row: those must be shown as not saved. */
  readonly notSaved: ReadonlyMap<string, string>;
}

/** Why a second check is not sent. */
export const underWay = (keyName: KeyName): string =>
  `A check is under way; wait for its answer, or press ${keyName("check.cancel")} to cancel it.`;
/** What lets a profile that is read-only send again. */
export const liftKeys = (keyName: KeyName): string =>
  `${keyName("shell.profiles")}, then ${keyName("profiles.readOnly")},`;
/** Why nothing can be sent without a project. */
export const noProject = (keyName: KeyName): string =>
  `No project has a credential yet; press ${keyName("shell.register")} to register one or ${keyName("shell.vault")} to enter its credential.`;

/** Rows kept in memory; History finds the older ones. */
export const ENTRY_LIMIT = 500;
/** The newest entries, which are searched for those of a profile: one without recent entries must not scan the whole history. */
export const ENTRY_REACH = 10_000;

/** The row that keys are about: the one whose verdict is shown, or the selected one. */
export function entryInView(state: ChecksState): HistoryEntry | null {
  return state.entries.find((entry) => entry.id === state.shownId) ?? selectedEntry(state);
}

/** The tenant that the project's last answer named; null for none. */
export function tenantOf({ entries }: ChecksState, project: string | null): string | null {
  const answered = entries.find((entry) => entry.project === project && entry.result?.httpStatus != null);
  return answered?.result?.tenant ?? null;
}

/** True for a `3ds_or_block` whose final action is not decided yet. */
export function isOpen(entry: HistoryEntry): boolean {
  return entry.result?.recommendation === "3ds_or_block" && entry.finalAction === null;
}

/** Asks for the final action of an open entry; names the project where another one is in use. */
export function forceQuestion(entry: HistoryEntry, project: string | null): string {
  const of = entry.project === project ? "" : ` of ${safe(entry.project, { max: 60 })}`;
  return `Can 3-D Secure be forced for this payment${of}?`;
}

/** The row that is shown, where its outcome is unknown and it was not sent again; else null. */
export function lostEntry({
  entries,
  shownId,
  inFlight,
}: Pick<ChecksState, "entries" | "shownId" | "inFlight">): HistoryEntry | null {
  const shown = entries.find((entry) => entry.id === shownId) ?? null;
  if (shown === null || inFlight !== null || verdictKind(shown.result) !== "unknown") return null;
  return entries.some((entry) => entry.repeats === shown.id) ? null : shown;
}

/** The newest row, where its outcome is unknown: a console may have ended while it was under way. */
export function lastLost({ entries }: Pick<ChecksState, "entries">): HistoryEntry | null {
  return lostEntry({ entries, shownId: entries[0]?.id ?? null, inFlight: null });
}

/** The selected row, or the newest. */
export function selectedEntry(state: Pick<ChecksState, "entries" | "selectedId">): HistoryEntry | null {
  return state.entries[selectedIndex(state)] ?? null;
}

/** Place of the selected row; 0 where it is none of the rows. */
export function selectedIndex(state: Pick<ChecksState, "entries" | "selectedId">): number {
  return selectedAt(state.entries, (entry) => entry.id === state.selectedId);
}

/** A new row on top, or a known one replaced where it stands. */
export function withEntry(state: ChecksState, entry: HistoryEntry): ChecksState {
  const at = state.entries.findIndex((known) => known.id === entry.id);
  return withEntries(
    state,
    at < 0 ? [entry, ...state.entries].slice(0, ENTRY_LIMIT) : state.entries.with(at, entry),
  );
}

/** Other rows; the selection stays where it is, or on the newest row while it follows. */
export function withEntries(state: ChecksState, entries: readonly HistoryEntry[]): ChecksState {
  const selected = state.following
    ? entries[0]
    : keptRow(entries, state.entries, ({ id }) => id === state.selectedId);
  const isSettled = entries.some((entry) => entry.id === state.question?.id && !isOpen(entry));
  return {
    ...state,
    entries,
    selectedId: selected?.id ?? null,
    question: isSettled ? null : state.question,
  };
}
