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

/** Each rule file by the name that it gives itself, for the audience, where that tells all of them apart. */
export function withRuleNames(deck: Deck, tested: TestedRules): Deck {
  const nameOf = ({ text, isAddition }: DeckRules): string | null =>
    text === null || isAddition === true ? null : (tested.get(text)?.name ?? null);
  const named = deck.steps.flatMap(({ rules, sides, stream }) =>
    [rules, ...sides.map((side) => side.rules), stream?.today, stream?.proposed].flatMap((each) =>
      each == null ? [] : [each],
    ),
  );
  const texts = new Map(named.map((rules) => [rules.text, nameOf(rules) ?? rules.name]));
  if (new Set(texts.values()).size < texts.size) return deck;
  const renamed = <T extends DeckRules | null>(rules: T): T =>
    rules === null ? rules : { ...rules, name: texts.get(rules.text)! };
  return {
    ...deck,
    steps: deck.steps.map(({ rules, sides, stream, ...step }) => ({
      ...step,
      rules: renamed(rules),
      sides: sides.map((side) => ({ ...side, title: renamed(side.rules)?.name ?? side.title })),
      stream: stream && { ...stream, today: renamed(stream.today), proposed: renamed(stream.proposed) },
    })),
  };
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
