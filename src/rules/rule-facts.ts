// A loaded rule set as plain data, for display.

import type { RuleFacts, RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { Value } from "#src/rules/expressions/host-function.ts";
import { perLevel, type Rule, type RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** Items of a list that are shown; some lists are hundreds long. */
const ITEMS_SHOWN = 12;

export function ruleSetFacts({ hash, thresholds, rules }: RuleSet): RuleSetFacts {
  return { hash, thresholds, rules: rules.map(ruleFacts) };
}

function ruleFacts({ code, mode, effect, weights, expression, params, text, tests }: Rule): RuleFacts {
  const names = Object.keys(params[RISK_LEVELS[0]]);
  return {
    code,
    mode,
    effect,
    weights,
    condition: expression.source,
    params: names.map((name) => ({ name, values: perLevel((level) => shown(params[level][name]!)) })),
    text: text.source,
    tests: tests.map(({ name, expect }) => ({ name, expect })),
  };
}

function shown(value: Value): string {
  if (typeof value !== "object") return String(value);
  const items = value.slice(0, ITEMS_SHOWN).map(String).join(", ");
  return value.length <= ITEMS_SHOWN ? items : `${items} and ${value.length - ITEMS_SHOWN} more`;
}
