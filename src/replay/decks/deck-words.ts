// The words of a deck, in which a verdict can never be taken for another one, and no sentence loses what it is filled in with.

import { becomes, map, optional, text, Wrong, type Shape } from "#src/contract/text/shape.ts";
import { AUDIENCE_WORDS, MAY_LEAVE_OUT, type AudienceWord } from "#src/display/audience-words.ts";
import { hasHidden } from "#src/display/safe.ts";
import { VERDICT_KINDS } from "#src/display/verdict.ts";
import type { DeckWords } from "./deck.ts";

/** A text that fits on a small terminal. @param maxLength in characters */
export function line(maxLength: number, description: string): Shape<string> {
  return becomes(text(description, { maxLength }), (value) => value.trim() || new Wrong("must be a text"));
}

function word([key, english]: readonly [string, string]): Shape<string> {
  return becomes(line(80, english), (value) => {
    if (hasHidden(value)) return new Wrong("has a character that cannot be seen; write it without");
    const [kept, written] = [bracesOf(english), bracesOf(value)];
    const isLeftOut = written.length === 0 && MAY_LEAVE_OUT.has(key as AudienceWord);
    if (kept.join() === written.join() || isLeftOut) return value;
    return new Wrong(`must hold ${kept.join(" and ") || "nothing in braces"}, as in "${english}"`);
  });
}

/** They stand where the English ones do. */
export const WORDS = becomes(
  map(
    Object.fromEntries(Object.entries(AUDIENCE_WORDS).map((entry) => [entry[0], optional(word(entry))])),
    "What the audience reads in place of the program's English words.",
  ),
  (given): DeckWords | Wrong => {
    const words = new Map(Object.entries(given as Readonly<Record<string, string>>));
    for (const [key, others] of DISTINCT) {
      const wrong = mistakable(key, others, words);
      if (wrong !== null) return new Wrong(wrong, key);
    }
    return words;
  },
);

/** Words with those that they must not be. What is to be done may be the same for two verdicts, but never that of a pass. */
const DISTINCT: readonly (readonly [AudienceWord, readonly AudienceWord[]])[] = [
  ...VERDICT_KINDS.flatMap((kind): [AudienceWord, AudienceWord[]][] => [
    [kind, VERDICT_KINDS.filter((other) => other !== kind)],
    ...(kind === "pass"
      ? []
      : ([[`${kind}_reaction`, ["pass_reaction", "continue"]]] as [AudienceWord, AudienceWord[]][])),
  ]),
  ["final_block", ["pass_reaction", "continue"]],
  ["final_3ds", ["pass_reaction", "continue"]],
];

/** What is wrong with a word that is another one's, in the words of the deck or in English. */
function mistakable(key: AudienceWord, others: readonly AudienceWord[], words: DeckWords): string | null {
  const word = words.get(key);
  if (word === undefined) return null;
  const plain = plainly(word);
  if (plain === "") return "needs a letter or a digit";
  const same = others.find((other) =>
    [words.get(other), AUDIENCE_WORDS[other]].some((each) => each !== undefined && plainly(each) === plain),
  );
  if (same === undefined) return null;
  return `and ${same} must not be the same word, in the deck's or in the program's words`;
}

/** As one reads it from afar: letters and digits alone, large or small. */
function plainly(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function bracesOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted();
}
