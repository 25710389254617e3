// The decks that are part of the program.

import threeDsOrBlock from "./3ds-or-block.yaml";
import { readDeck } from "./deck-reader.ts";
import type { Deck, DeckFiles, DeckRules } from "./deck.ts";
import oneCard from "./one-card.yaml";
import ruleChanged from "./rule-changed.yaml";
import silent from "./silent.yaml";
import threeLevels from "./three-levels.yaml";
import tour from "./tour.yaml";

const TEXTS = {
  "one-card": oneCard,
  "three-levels": threeLevels,
  "3ds-or-block": threeDsOrBlock,
  "rule-changed": ruleChanged,
  silent,
  tour,
} as const;

export type BuiltInDeck = keyof typeof TEXTS;

/** In the order of lists. */
export const BUILT_IN_DECKS: readonly BuiltInDeck[] = [
  "one-card",
  "three-levels",
  "3ds-or-block",
  "rule-changed",
  "silent",
  "tour",
];

export function isBuiltInDeck(name: string): name is BuiltInDeck {
  return Object.hasOwn(TEXTS, name);
}

/** The rule of a shop that was attacked from one address, as it is today and as it is proposed. @param limit payments a day */
function addressRule(limit: number): Omit<DeckRules, "name"> {
  const text = `
  - code: ADDRESS_PER_DAY
    text: "{n} payments from this address in 24 h (limit {limit})"
    clear: "payments from this address in 24 h: {n} (limit {limit})"
    when: velocity("ip", "24h") > limit
    params: { limit: ${limit} }
    effect: block
    needs: [ip]
`;
  return { text, isAddition: true };
}

const RULES: Readonly<Record<string, Omit<DeckRules, "name">>> = {
  "three a day": addressRule(3),
  "ten a day": addressRule(10),
};

const FILES: DeckFiles = {
  rules: (name) => RULES[name]!,
  day: (name) => ({ inProgram: `${name}.ndjson.br` }),
};

export function builtInDeck(name: BuiltInDeck): Deck {
  return readDeck(TEXTS[name], { file: `${name}.yaml`, name, files: FILES });
}
