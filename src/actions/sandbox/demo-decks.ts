// Gives the console access to the built-in decks; loads the YAML reader.

import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import type { Deck } from "#src/replay/decks/deck.ts";

/** In the order of lists. */
export function demoDecks(): readonly Deck[] {
  return BUILT_IN_DECKS.map(builtInDeck);
}
