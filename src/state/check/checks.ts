// The store of the live checks: loading rows, selecting one, and answering the 3-D Secure question.

import { createStore } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { finalAction } from "#src/contract/wire/recommendation.ts";
import { movedIndex, type ListMove } from "#src/state/list-selection.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { VaultGate } from "#src/state/vault/vault-lock.ts";
import { createCheckSending } from "./check-sending.ts";
import {
  ENTRY_LIMIT,
  ENTRY_REACH,
  isOpen,
  lastLost,
  selectedIndex,
  withEntries,
  withEntry,
  type ChecksState,
} from "./checks-state.ts";
import { createHistorySeen } from "./history-seen.ts";

/** @param lock asked before anything is sent; the vault is taken for open without it */
export function createChecks(context: ActionContext, session: Session, lock?: VaultGate) {
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
    seen: null,
    notSaved: new Map(),
  }));
  const reported = new Set<string>();
  const { read: readSeen } = createHistorySeen(context, (seen) => store.setState({ seen }));

  const load = async (): Promise<void> => {
    await reportFaults(session, async () => {
      const own = `profile=${JSON.stringify(context.profile.name)}`;
      const { entries, problems } = await findHistory(context, own, ENTRY_LIMIT, ENTRY_REACH);
      store.setState((state) => ({
        ...withEntries(
          state,
          entries.map((entry) => newer(state, entry)),
        ),
        loaded: true,
      }));
      for (const problem of problems) {
        // Loaded after each change; each problem is shown once.
        if (!reported.has(problem)) session.say(problem, "error");
        reported.add(problem);
      }
    });
  };

  return {
    ...createCheckSending(context, session, store, lock, load),
    store,
    /** Reads the newest rows from disk. */
    load,
    readSeen,
    /** Records whether 3-D Secure can be forced for an open `3ds_or_block`. */
    async decide(entryId: string, canForce: boolean) {
      const open = store.getState().entries.find((entry) => entry.id === entryId);
      const action = open === undefined || !isOpen(open) ? null : finalAction("3ds_or_block", canForce);
      if (open === undefined || action === null) return;
      // Closed at once: a second answer while the first is being written must not be one.
      store.setState(({ question }) => ({ question: question?.id === entryId ? null : question }));
      await reportFaults(session, async () => {
        await (await context.history()).decide(entryId, action);
        const decided = store.getState().entries.find((entry) => entry.id === entryId) ?? open;
        const entry: HistoryEntry = { ...decided, finalAction: action };
        store.setState((state) => ({
          ...withEntry(state, entry),
          latest: state.latest?.id === entryId ? entry : state.latest,
        }));
      });
    },
    /** Asks the question of a row that is open. False when it is not. */
    ask(entryId: string) {
      const entry = store.getState().entries.find((candidate) => candidate.id === entryId);
      if (entry === undefined || !isOpen(entry)) return false;
      store.setState({ question: entry, shownId: entryId, failed: null });
      return true;
    },
    /** Closes the question; its row stays open. */
    later: () => store.setState({ question: null }),
    /** Shows the last check where its outcome is unknown and nothing else is shown. */
    showLost() {
      const { shownId, inFlight, failed } = store.getState();
      const lost = lastLost(store.getState());
      if (lost === null || shownId !== null || inFlight !== null || failed !== null) return;
      store.setState({ shownId: lost.id, ownId: lost.id });
    },
    select(move: ListMove) {
      store.setState((state) => {
        const index = movedIndex(selectedIndex(state), move, state.entries.length);
        const selectedId = state.entries[index]?.id ?? null;
        if (selectedId === null) return state;
        return {
          selectedId,
          shownId: selectedId,
          following: index === 0,
          failed: null,
          // Keys must not answer a question that is no longer seen.
          question: state.question?.id === selectedId ? state.question : null,
        };
      });
    },
  };
}

export type Checks = ReturnType<typeof createChecks>;

/** The row as memory knows it where the disk knows less: its outcome came since, or could not be written. */
function newer(state: ChecksState, read: HistoryEntry): HistoryEntry {
  if (read.result !== null) return read;
  return state.entries.find((known) => known.id === read.id && known.result !== null) ?? read;
}
