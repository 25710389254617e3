// The files that a deck of the user names, beside the deck.

import { resolve } from "node:path";
import type { DeckFiles } from "#src/replay/decks/deck.ts";
import { readTextFile, requireReadable } from "./read-input.ts";

/** @param folder of the deck */
export function deckFiles(folder: string): DeckFiles {
  return {
    rules: (name) => ({ text: readTextFile(resolve(folder, name), "a rule file") }),
    day(name) {
      const path = resolve(folder, name);
      requireReadable(path);
      return { path };
    },
  };
}
