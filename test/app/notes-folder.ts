// What a second terminal is told of a deck, and where, for a home.

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deckNotes, type DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { builtInDeck } from "#src/replay/decks/built-in-decks.ts";

export function notesFolder({ state }: { readonly state: string }): string {
  const name = createHash("sha256").update(state).digest("hex").slice(0, 16);
  return join(tmpdir(), `verdict-notes-${name}`);
}

/** Of a deck that has not begun. */
export const OPENED_DECK: DeckNotes = deckNotes({
  deck: builtInDeck("one-card"),
  frames: [],
  checks: 8,
  at: 0,
  failed: null,
  startedAt: null,
  nextAt: null,
});
