// The rules of a deck: read and tested before anything of it is shown.

import { badInput, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { STARTER_RULES, type Deck, type DeckRules } from "#src/replay/decks/deck.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** By their texts. */
export type TestedRules = ReadonlyMap<DeckRules["text"], RuleSet>;

/**
 * Loads all rules of a deck and runs their embedded tests.
 * @throws Fault("bad_input") for rules that are wrong, with line and column, and for a counter to watch that they do not have
 */
export async function testedRules(deck: Deck): Promise<TestedRules> {
  const { loadRules } = await import("#src/rules/rule-file/rule-file.ts");
  const tested = new Map<DeckRules["text"], RuleSet>();
  let inForce = STARTER_RULES;
  for (const [index, { rules, sides, stream, watch }] of deck.steps.entries()) {
    inForce = rules ?? inForce;
    const ofSides = sides.flatMap((side) => side.rules ?? []);
    const shown = ofSides.length > 0 ? ofSides : [inForce];
    const ofDay =
      stream === null ? [] : [stream.today, ...(stream.proposed === null ? [] : [stream.proposed])];
    for (const each of stream === null ? shown : ofDay) {
      if (tested.has(each.text)) continue;
      tested.set(each.text, await loadRules(await wholeText(each), escapeText(each.name)));
    }
    const counted = new Set(
      shown.flatMap(({ text }) => (watch === null ? [] : countersOf(tested.get(text)!))),
    );
    const missing = watch?.map(({ key, window }) => `${key}/${window}`).find((each) => !counted.has(each));
    if (missing === undefined) continue;
    const names = shown.map(({ name }) => escapeText(name)).join(" and ");
    throw badInput`Step ${index + 1} watches ${missing}, but the rules ${names} have no such counter; their counters are ${whole([...counted].toSorted().join(", "))}.`;
  }
  return tested;
}

function countersOf({ rules }: RuleSet): string[] {
  return rules.flatMap(({ mode, counters }) =>
    mode === "off" ? [] : counters.map(({ key, window }) => `${key}/${window}`),
  );
}

/** The rules as a file. */
export async function wholeText({ text, isAddition }: DeckRules): Promise<string> {
  if (text !== null && isAddition !== true) return text;
  const { default: starter } = await import("#src/rules/rule-file/starter-rules.yaml");
  return starter + (text ?? "");
}
