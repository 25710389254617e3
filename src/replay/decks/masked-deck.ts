// What is said in a deck, without the data of any of its payers and cards. What is sent stays.

import { maskedWords } from "#src/display/masked-words.ts";
import type { Deck } from "./deck.ts";

/** Hides the data of everybody in a deck in a text. */
export function maskOf({ steps }: Pick<Deck, "steps">): (text: string) => string {
  const requests = steps.flatMap(({ checks }) => checks.map(({ request }) => request));
  return (text) => maskedWords(text, requests);
}

/** A deck as it is presented; its frames are masked as they are played. */
export function maskedDeck(deck: Deck): Deck {
  const mask = maskOf(deck);
  const steps = deck.steps.map((step) => ({ ...step, say: mask(step.say) }));
  return { ...deck, title: mask(deck.title), summary: mask(deck.summary), steps };
}
