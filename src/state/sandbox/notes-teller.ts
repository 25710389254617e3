// Tells those who follow a deck on a second terminal of each move.

import type { StoreApi } from "zustand/vanilla";
import { deckNotes } from "#src/actions/sandbox/deck-notes.ts";
import type { NotesSocket } from "#src/app/notes-socket.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { DemoState } from "./deck-run.ts";

/** What a move consists of. */
const TOLD = ["deck", "frames", "at", "failed", "nextAt"] as const;

/** Opens it in a program that knows where. */
export type OpenNotes = () => NotesSocket;

export function createNotesTeller(
  store: StoreApi<DemoState>,
  now: () => Milliseconds,
  openNotes: OpenNotes | undefined,
) {
  let socket: NotesSocket | null = null;
  let problem: string | null = null;
  let startedAt: Milliseconds | null = null;
  let isDue = false;

  function tell(): void {
    isDue = false;
    const { deck, ...state } = store.getState();
    if (socket === null || deck === null) return;
    if (state.at > 0) startedAt ??= now();
    socket.tell(deckNotes({ ...state, deck, startedAt }));
    problem ??= socket.problem();
  }

  /** What changes together is told as one move; a day that runs past draws ten times a second, which is none. */
  function tellSoon(): void {
    if (socket === null || isDue) return;
    isDue = true;
    queueMicrotask(tell);
  }

  store.subscribe((state, before) => {
    if (TOLD.some((key) => state[key] !== before[key])) tellSoon();
  });

  return {
    /** A deck begins, or begins again. */
    start() {
      startedAt = null;
      socket ??= openNotes?.() ?? null;
      tellSoon();
    },
    stop() {
      socket?.close();
      socket = null;
    },
    /** Why nobody could follow, in one sentence; null where one could. */
    problem: () => problem,
  };
}
