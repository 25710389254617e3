// Reads the words of a deck, in which a verdict can never be taken for another one, and no sentence loses what it is filled in with.

import type { Node } from "yaml";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { AUDIENCE_WORDS, MAY_LEAVE_OUT, type AudienceWord } from "#src/display/audience-words.ts";
import { hasHidden } from "#src/display/safe.ts";
import { VERDICT_KINDS } from "#src/display/verdict.ts";
import { WORDS } from "./deck-shape.ts";
import type { DeckWords } from "./deck.ts";

/** @throws YamlFault for an unknown word, and for one that would say something else than the program's */
export function readWords(source: YamlSource, node: Node | null): DeckWords {
  const keys = source.map(node, "words", WORDS);
  const words = new Map<AudienceWord, string>();
  for (const key of keys.keys() as MapIterator<AudienceWord>) {
    const place = keys.at(key);
    const text = source.text(place, key).value.trim();
    const { maxLength } = WORDS.properties[key];
    if (text === "") throw source.fault(place, `${key} must be a text`);
    if (Array.from(text).length > maxLength)
      throw source.fault(
        place,
        `${key} has more than ${maxLength} characters, which is all there is room for`,
      );
    if (hasHidden(text))
      throw source.fault(place, `${key} has a character that cannot be seen; write it without`);
    const [kept, written] = [bracesOf(AUDIENCE_WORDS[key]), bracesOf(text)];
    const isLeftOut = written.length === 0 && MAY_LEAVE_OUT.has(key);
    if (kept.join() !== written.join() && !isLeftOut)
      throw source.fault(
        place,
        `${key} must hold ${kept.join(" and ") || "nothing in braces"}, as in "${AUDIENCE_WORDS[key]}"`,
      );
    words.set(key, text);
  }
  for (const kind of VERDICT_KINDS) {
    const others = VERDICT_KINDS.filter((other) => other !== kind);
    requireOther(kind, others);
    // What is to be done may be the same for two of them, but never that of a pass.
    if (kind !== "pass") requireOther(`${kind}_reaction`, ["pass_reaction", "continue"]);
  }
  for (const action of ["final_block", "final_3ds"] as const)
    requireOther(action, ["pass_reaction", "continue"]);
  return words;

  /** @throws YamlFault for a word that is another one's, in the words of the deck or in English */
  function requireOther(key: AudienceWord, others: readonly AudienceWord[]): void {
    const word = words.get(key);
    if (word === undefined) return;
    const plain = plainly(word);
    if (plain === "") throw source.fault(keys.at(key), `${key} needs a letter or a digit`);
    const same = others.find((other) =>
      [words.get(other), AUDIENCE_WORDS[other]].some((each) => each !== undefined && plainly(each) === plain),
    );
    if (same !== undefined)
      throw source.fault(
        keys.at(key),
        `${key} and ${same} must not be the same word, in the deck's or in the program's words`,
      );
  }
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
