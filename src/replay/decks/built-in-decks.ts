// The decks that are part of the program.

import threeDsOrBlock from "./3ds-or-block.yaml";
import { readDeck } from "./deck-reader.ts";
import type { Deck, DeckFiles } from "./deck.ts";
import oneCard from "./one-card.yaml";
import threeLevels from "./three-levels.yaml";
import tour from "./tour.yaml";

const TEXTS = {
  "one-card": oneCard,
  "three-levels": threeLevels,
  "3ds-or-block": threeDsOrBlock,
  tour,
} as const;

export type BuiltInDeck = keyof typeof TEXTS;

/** In the order of lists. */
export const BUILT_IN_DECKS: readonly BuiltInDeck[] = ["one-card", "three-levels", "3ds-or-block", "tour"];

export function isBuiltInDeck(name: string): name is BuiltInDeck {
  return Object.hasOwn(TEXTS, name);
}

/** Rule files of the decks, by their names in them. */
const RULES: Readonly<Record<string, string>> = {};

const FILES: DeckFiles = {
  rules: (name) => RULES[name]!,
  day: (name) => ({ inProgram: name }),
};

export function builtInDeck(name: BuiltInDeck): Deck {
  return readDeck(TEXTS[name], { file: `${name}.yaml`, name, files: FILES });
}
