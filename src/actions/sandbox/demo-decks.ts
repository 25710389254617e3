// The built-in decks for whoever may not read them from the replay room; loads the reader of YAML.

import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import type { Deck } from "#src/replay/decks/deck.ts";

/** In the order in which they are offered. */
export function demoDecks(): readonly Deck[] {
  return BUILT_IN_DECKS.map(builtInDeck);
}
