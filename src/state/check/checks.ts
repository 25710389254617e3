// The live checks: what was sent, what is under way, which row is selected, and which 3-D Secure answer is still open.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { check, type Checked } from "#src/actions/check/check.ts";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { finalAction } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { keyName } from "#src/display/key-name.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import { isOpened, vaultLocked, type Opener } from "#src/state/vault/vault-lock.ts";

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
  /** The row whose verdict is looked at: the last answer, or the row selected since; null before either. */
  readonly shownId: string | null;
  /** The row of the last check that was sent, while nothing else was loaded since: another one that is shown was selected. */
  readonly ownId: string | null;
  /** Stands in place of a verdict until the next check, selection or payload. */
  readonly failed: FailedSend | null;
  /** Why a verdict could not be written, by the id of its row: those must be shown as not saved. */
  readonly notSaved: ReadonlyMap<string, string>;
}

export interface Checks {
  readonly store: StoreApi<ChecksState>;
  /** Reads the newest rows from disk. */
  load(): Promise<void>;
  /**
   * Sends one check. Never rejects: what goes wrong before anything is sent is said as a toast.
   * @param repeats id of the row that is sent again
   * @returns the row with its outcome; null when nothing was sent or recorded
   */
  send(
    request: CheckRequest,
    warnings: readonly string[],
    repeats?: string | null,
  ): Promise<HistoryEntry | null>;
  /** Gives up waiting: the outcome becomes unknown, or not sent. False when nothing is under way. */
  cancel(): boolean;
  /** Records whether 3-D Secure can be forced for an open `3ds_or_block`. */
  decide(entryId: string, canForce: boolean): Promise<void>;
  /** Asks the question of a row that is open. False when it is not. */
  ask(entryId: string): boolean;
  /** Closes the question; its row stays open. */
  later(): void;
  select(move: number | "first" | "last"): void;
  /** Shows no verdict any more: what is composed now is another payment. */
  clearShown(): void;
}

/** Why a second check is not sent. */
export const underWay = (): string =>
  `A check is under way; wait for its answer, or press ${keyName("check.cancel", "Esc")} to cancel it.`;
/** Why nothing can be sent without a project. */
export const noProject = (): string =>
  `No project has a credential yet; press ${keyName("shell.register", "2")} to register one or ${keyName("shell.vault", "3")} to enter its credential.`;

/** Rows kept in memory; History finds the older ones. */
const ENTRY_LIMIT = 500;

/** True for a `3ds_or_block` whose final action nobody has said yet. */
export function isOpen(entry: HistoryEntry): boolean {
  return entry.result?.recommendation === "3ds_or_block" && entry.finalAction === null;
}

/** The row that is looked at, where its outcome is unknown and nothing was sent in its place since; else null. */
export function lostEntry({
  entries,
  shownId,
  inFlight,
}: Pick<ChecksState, "entries" | "shownId" | "inFlight">): HistoryEntry | null {
  const shown = entries.find((entry) => entry.id === shownId) ?? null;
  if (shown === null || inFlight !== null || verdictKind(shown.result) !== "unknown") return null;
  return entries.some((entry) => entry.repeats === shown.id) ? null : shown;
}

/** The selected row, or the newest. */
export function selectedEntry(state: Pick<ChecksState, "entries" | "selectedId">): HistoryEntry | null {
  return state.entries[selectedIndex(state)] ?? null;
}

/** Place of the selected row; 0 where it is none of the rows. */
export function selectedIndex(state: Pick<ChecksState, "entries" | "selectedId">): number {
  return Math.max(
    0,
    state.entries.findIndex((entry) => entry.id === state.selectedId),
  );
}

/** @param lock asked before anything is sent; the vault is taken for open without it */
export function createChecks(context: ActionContext, session: Session, lock?: Opener): Checks {
  const store = createStore<ChecksState>(() => ({
    entries: [],
    loaded: false,
    inFlight: null,
    latest: null,
    question: null,
    selectedId: null,
    following: true,
    shownId: null,
    ownId: null,
    failed: null,
    notSaved: new Map(),
  }));
  let sending: AbortController | null = null;
  const told = new Set<string>();

  const load = async (): Promise<void> => {
    await guarded(session, async () => {
      const { entries, problems } = await findHistory(context, undefined, ENTRY_LIMIT, context.profile.name);
      store.setState((state) => ({
        ...withEntries(
          state,
          entries.map((entry) => newer(state, entry)),
        ),
        loaded: true,
      }));
      for (const problem of problems) {
        // Read again after each change, and told once.
        if (!told.has(problem)) session.say(problem, "error");
        told.add(problem);
      }
    });
  };

  return {
    store,
    load,
    async send(request, warnings, repeats = null) {
      if (sending !== null) {
        session.say(underWay(), "note");
        return null;
      }
      const controller = new AbortController();
      sending = controller;
      // Nothing is under way while the passphrase is typed.
      if (lock?.isOpen() === false && !(await isOpened(lock))) {
        sending = null;
        store.setState({ shownId: null, ownId: null, failed: { request, message: vaultLocked() } });
        return null;
      }
      store.setState({
        inFlight: { id: null, startedAt: context.now(), request, cancelled: false },
        question: null,
        // No verdict of an earlier check may stand where the outcome of this one is looked for.
        shownId: null,
        ownId: null,
        failed: null,
      });
      const { project } = session.store.getState();
      let done: Checked | null;
      let failed: FailedSend | null = null;
      let recorded: string | null = null;
      try {
        done = await guarded(
          session,
          () =>
            check(
              context,
              {
                request,
                project: project ?? undefined,
                canForce3ds: null,
                warnings,
                repeats,
                record: true,
              },
              controller.signal,
              (event) => {
                if (event.type !== "recorded") return;
                recorded = event.entry.id;
                store.setState((state) => ({
                  ...withEntry(state, event.entry),
                  shownId: event.entry.id,
                  ownId: event.entry.id,
                  inFlight: state.inFlight && { ...state.inFlight, id: event.entry.id },
                }));
              },
            ),
          (fault) => {
            const message = consoleSentence(fault, project);
            failed = { request, message };
            return message;
          },
        );
      } finally {
        sending = null;
        // Whatever was selected meanwhile: the outcome is looked at, its row or what kept it from having one.
        store.setState({
          inFlight: null,
          shownId: recorded,
          failed: recorded === null ? failed : null,
        });
        session.unsay(underWay());
      }
      if (done === null) {
        // What became of the intent stands on disk alone.
        if (recorded !== null) await load();
        return null;
      }
      const { entry, notSaved } = done;
      store.setState((state) => ({
        ...withEntry(state, entry),
        latest: entry,
        question: isOpen(entry) ? entry : null,
        notSaved:
          notSaved === null ? state.notSaved : new Map([...state.notSaved, [entry.id, notSaved.message]]),
      }));
      if (notSaved !== null) session.say(`The verdict is not saved: ${notSaved.message}`, "error");
      return entry;
    },
    cancel() {
      if (sending === null || sending.signal.aborted) return false;
      sending.abort();
      store.setState(({ inFlight }) => ({ inFlight: inFlight && { ...inFlight, cancelled: true } }));
      return true;
    },
    async decide(entryId, canForce) {
      const open = store.getState().entries.find((entry) => entry.id === entryId);
      const action = open === undefined || !isOpen(open) ? null : finalAction("3ds_or_block", canForce);
      if (open === undefined || action === null) return;
      // Closed at once: a second answer while the first is being written must not be one.
      store.setState(({ question }) => ({ question: question?.id === entryId ? null : question }));
      await guarded(session, async () => {
        await (await context.history()).decide(entryId, action);
        const decided = store.getState().entries.find((entry) => entry.id === entryId) ?? open;
        const entry: HistoryEntry = { ...decided, finalAction: action };
        store.setState((state) => ({
          ...withEntry(state, entry),
          latest: state.latest?.id === entryId ? entry : state.latest,
        }));
      });
    },
    ask(entryId) {
      const entry = store.getState().entries.find((candidate) => candidate.id === entryId);
      if (entry === undefined || !isOpen(entry)) return false;
      store.setState({ question: entry, shownId: entryId, failed: null });
      return true;
    },
    later: () => store.setState({ question: null }),
    select(move) {
      store.setState((state) => {
        const last = state.entries.length - 1;
        const wanted = move === "first" ? 0 : move === "last" ? last : selectedIndex(state) + move;
        const index = Math.min(Math.max(0, wanted), last);
        const selectedId = state.entries[index]?.id ?? null;
        if (selectedId === null) return state;
        return {
          selectedId,
          shownId: selectedId,
          following: index <= 0,
          failed: null,
          // Keys must not answer a question that is no longer seen.
          question: state.question?.id === selectedId ? state.question : null,
        };
      });
    },
    clearShown() {
      // What is under way is shown until its outcome has been seen.
      if (sending === null) store.setState({ shownId: null, ownId: null, failed: null, question: null });
    },
  };
}

/** A fault as the console says it: where to go, and no command for a shell. */
function consoleSentence(fault: Fault, project: string | null): string {
  if (fault.code !== "credential_missing" || !fault.message.includes('"verdict ')) return fault.message;
  if (project === null) return noProject();
  return `The project ${escapeText(project, 80)} has no credential here; press ${keyName("shell.register", "2")} to fetch it or ${keyName("shell.vault", "3")} to enter it.`;
}

/** A new row on top, or a known one replaced where it stands. */
function withEntry(state: ChecksState, entry: HistoryEntry): ChecksState {
  const at = state.entries.findIndex((known) => known.id === entry.id);
  return withEntries(
    state,
    at < 0 ? [entry, ...state.entries].slice(0, ENTRY_LIMIT) : state.entries.with(at, entry),
  );
}

/** Other rows; the selection stays where it is, or on the newest row while it follows. */
function withEntries(state: ChecksState, entries: readonly HistoryEntry[]): ChecksState {
  const kept = !state.following && entries.some((known) => known.id === state.selectedId);
  if (kept) return { ...state, entries };
  // A selected row that has fallen off the end leaves the selection on the last one.
  const index = state.following ? 0 : entries.length - 1;
  return { ...state, entries, selectedId: entries[index]?.id ?? null };
}

/** The row as memory knows it where the disk knows less: its outcome came since, or could not be written. */
function newer(state: ChecksState, read: HistoryEntry): HistoryEntry {
  if (read.result !== null) return read;
  return state.entries.find((known) => known.id === read.id && known.result !== null) ?? read;
}
