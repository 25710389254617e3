// Finds one number of a rule file by its name, and writes another one in its place; every other character stays as it is.

import type { Node } from "yaml";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { Value } from "#src/rules/expressions/host-function.ts";
import { perLevel, type PerLevel, type RuleSet } from "./rule-set.ts";

export interface TunedNumber {
  /** `BIN_BURST.limit@high` */
  readonly name: string;
  /** Name of the file in messages. */
  readonly fileName: string;
  /** Null for a threshold. */
  readonly code: string | null;
  /** Null where the name has no level. */
  readonly level: RiskLevel | null;
  readonly present: PerLevel<number>;
  /**
   * The text of the file with another value: on the named level, else on these levels where the file has a value for each.
   * One value for all levels becomes one for each where a level is named.
   */
  written(value: number, levels: readonly RiskLevel[]): string;
}

const NAME = /^(\w+)\.(\w+)(?:@(\w+))?$/;
const THRESHOLDS = "thresholds";
const SCORE = "score";

/**
 * Finds `RULE.parameter`, `RULE.score`, `thresholds.block` or `thresholds.three_ds`, with `@high` for one risk level.
 * @param fileName in messages
 * @throws Fault("usage") for what is not there or no number, naming what there is; YamlFault for a value shared by `&` and `*`
 */
export function findNumber(ruleSet: RuleSet, fileName: string, word: string): TunedNumber {
  const [, owner = "", key = "", levelName] = NAME.exec(word) ?? [];
  const level = RISK_LEVELS.find((each) => each === levelName) ?? null;
  if (owner === "" || (levelName !== undefined && level === null)) {
    throw new Fault(
      "usage",
      `"${escapeText(word, 60)}" names no number of a rule file; write RULE.parameter, RULE.score, thresholds.block or thresholds.three_ds, and perhaps @low, @medium or @high behind it.`,
    );
  }
  const numbers = numbersOf(ruleSet, owner);
  const present = numbers.get(key);
  if (present === undefined) {
    const there = [...numbers.keys()].join(", ");
    throw new Fault(
      "usage",
      `${owner} has no number ${key} to tune; it has ${there === "" ? "none" : there}.`,
    );
  }
  const source = new YamlSource(ruleSet.text, fileName);
  source.subject = owner;
  const child = (node: Node | null, name: string): Node | null => {
    source.span(node);
    return source.entries(node, owner).get(name)?.value ?? null;
  };
  const levels = owner === THRESHOLDS ? child(source.root, THRESHOLDS) : null;
  const rule = owner === THRESHOLDS ? null : ruleNode(source, child(source.root, "rules"), owner);
  const whole = rule && (key === SCORE ? child(rule, SCORE) : child(child(rule, "params"), key));
  const isSplit = whole === null || source.isMap(whole);
  const nodeOf = (each: RiskLevel): Node | null =>
    whole === null ? child(child(levels, each), key) : isSplit ? child(whole, each) : whole;
  for (const each of RISK_LEVELS) source.span(nodeOf(each));

  /** `6.0` stays a number with a decimal, because its type is that of the parameter. */
  const literal = (value: number, node: Node | null): string =>
    source.scalar(node, key).isDouble && Number.isInteger(value) ? value.toFixed(1) : String(value);
  return {
    name: word,
    fileName,
    code: owner === THRESHOLDS ? null : owner,
    level,
    present,
    written(value, wanted) {
      const { text } = ruleSet;
      if (!isSplit) {
        const [start, end] = source.span(whole);
        const own = (each: RiskLevel): string =>
          each === level ? literal(value, whole) : text.slice(start, end);
        const words = RISK_LEVELS.map((each) => `${each}: ${own(each)}`);
        const put = level === null ? literal(value, whole) : `{ ${words.join(", ")} }`;
        return text.slice(0, start) + put + text.slice(end);
      }
      return (level === null ? wanted : [level])
        .map((each) => ({ span: source.span(nodeOf(each)), put: literal(value, nodeOf(each)) }))
        .toSorted((a, b) => b.span[0] - a.span[0])
        .reduce((all, { span, put }) => all.slice(0, span[0]) + put + all.slice(span[1]), text);
    },
  };
}

/** The numbers of a rule, or the thresholds, by name. */
function numbersOf({ thresholds, rules }: RuleSet, owner: string): ReadonlyMap<string, PerLevel<number>> {
  if (owner === THRESHOLDS) {
    return new Map([
      ["block", perLevel((level) => thresholds[level].block)],
      ["three_ds", perLevel((level) => thresholds[level].threeDs)],
    ]);
  }
  const rule = rules.find(({ code }) => code === owner);
  if (rule === undefined) {
    const codes = rules.map(({ code }) => code).join(", ");
    throw new Fault(
      "usage",
      `There is no rule ${escapeText(owner, 60)}; there are ${THRESHOLDS} and the rules ${codes}.`,
    );
  }
  const { params, weights } = rule;
  const isNumber = (values: PerLevel<Value>): values is PerLevel<number> =>
    RISK_LEVELS.every((level) => typeof values[level] === "number");
  const read = Object.keys(params.medium).map(
    (name) => [name, perLevel((level) => params[level][name]!)] as const,
  );
  return new Map([
    ...read.flatMap(([name, values]) => (isNumber(values) ? [[name, values] as const] : [])),
    ...(weights === null ? [] : [[SCORE, weights] as const]),
  ]);
}

function ruleNode(source: YamlSource, rules: Node | null, code: string): Node {
  source.span(rules);
  return source
    .list(rules, "rules")
    .find(
      (node) => source.text(source.entries(node, code).get("code")?.value ?? null, "code").value === code,
    )!;
}
