// A loaded rule set as plain data, for display; and what a rule file changes of another one, in words: marks, rules, modes,
// scores, limits and conditions.

import type { RuleFacts, RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
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

/** A phrase each, such as `block mark at medium from 75 to 60`; rules in the order of the proposed file. */
export function ruleChanges(current: RuleSet, proposed: RuleSet): string[] {
  if (current.hash === proposed.hash) return [];
  const [before, after] = [ruleSetFacts(current), ruleSetFacts(proposed)];
  const old = new Map(before.rules.map((rule) => [rule.code, rule]));
  const kept = new Set(after.rules.map(({ code }) => code));
  const changes = [
    ...moved("3-D Secure mark", (level) => [
      before.thresholds[level].threeDs,
      after.thresholds[level].threeDs,
    ]),
    ...moved("block mark", (level) => [before.thresholds[level].block, after.thresholds[level].block]),
    ...after.rules.flatMap((rule) => {
      const was = old.get(rule.code);
      return was === undefined ? `${rule.code} is new` : changesOf(was, rule);
    }),
    ...before.rules.flatMap(({ code }) => (kept.has(code) ? [] : `${code} is gone`)),
  ];
  return changes.length > 0 ? changes : ["lists, rates, texts, tests or comments"];
}

function changesOf(was: RuleFacts, now: RuleFacts): string[] {
  const { code } = now;
  const old = new Map(was.params.map(({ name, values }) => [name, values]));
  return [
    ...(was.mode === now.mode ? [] : [`${code} from ${was.mode} to ${now.mode}`]),
    ...(was.effect === now.effect ? [] : [`a hit of ${code} from ${was.effect} to ${now.effect}`]),
    ...(was.condition === now.condition ? [] : [`another condition of ${code}`]),
    ...(was.weights === null || now.weights === null
      ? []
      : moved(`score of ${code}`, (level) => [was.weights![level], now.weights![level]])),
    ...now.params.flatMap(({ name, values }) => {
      const before = old.get(name);
      return before === undefined
        ? []
        : moved(`${name} of ${code}`, (level) => [before[level], values[level]]);
    }),
  ];
}

/** Once for levels that move alike. */
function moved(
  what: string,
  values: (level: RiskLevel) => readonly [before: string | number, after: string | number],
): string[] {
  const levels = new Map<string, RiskLevel[]>();
  for (const level of RISK_LEVELS) {
    const [before, after] = values(level);
    if (before === after) continue;
    const move = `from ${before} to ${after}`;
    levels.set(move, [...(levels.get(move) ?? []), level]);
  }
  return Array.from(levels, ([move, on]) => {
    const where = on.length === RISK_LEVELS.length ? "" : ` at ${on.join(" and ")}`;
    return `${what}${where} ${move}`;
  });
}
