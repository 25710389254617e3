// Finds one number of a rule file by its name, and writes another one in its place; every other character stays as it is.

import type { Node } from "yaml";
import { usage, whole } from "#src/contract/fault.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { Value } from "#src/rules/expressions/host-function.ts";
import { perLevel, type PerLevel, type RuleSet } from "./rule-set.ts";

export interface TunedNumber {
  /** `BIN_BURST.limit` */
  readonly name: string;
  /** Name of the file in messages. */
  readonly fileName: string;
  /** Null for a threshold. */
  readonly code: string | null;
  readonly present: PerLevel<number>;
  /** The text of the file with another value: on these levels where the file has a value for each. */
  written(value: number, levels: readonly RiskLevel[]): string;
}

const NAME = /^(\w+)\.(\w+)$/;
const THRESHOLDS = "thresholds";
const SCORE = "score";

/**
 * Finds `RULE.parameter`, `RULE.score`, `thresholds.block` or `thresholds.three_ds`.
 * @param fileName in messages
 * @throws Fault("usage") for what is not there or no number, naming what there is; YamlFault for a value shared by `&` and `*`
 */
export function findNumber(ruleSet: RuleSet, fileName: string, word: string): TunedNumber {
  const [, owner, key] = NAME.exec(word) ?? [];
  if (owner === undefined || key === undefined) {
    throw usage`"${word}" names no number of a rule file; write RULE.parameter, RULE.score, thresholds.block or thresholds.three_ds.`;
  }
  const numbers = numbersOf(ruleSet, owner);
  const present = numbers.get(key);
  if (present === undefined) {
    const there = [...numbers.keys()].join(", ") || "none";
    throw usage`${owner} has no number ${key} to tune; it has ${whole(there)}.`;
  }
  const source = new YamlSource(ruleSet.text, fileName);
  source.subject = owner;
  const child = (node: Node | null, name: string): Node | null => {
    source.span(node);
    return source.entries(node, owner).get(name)?.value ?? null;
  };
  const nodeOf = (level: RiskLevel): Node | null => {
    if (owner === THRESHOLDS) return child(child(child(source.root, THRESHOLDS), level), key);
    const rule = ruleNode(source, child(source.root, "rules"), owner);
    const node = child(key === SCORE ? rule : child(rule, "params"), key);
    return source.isMap(node) ? child(node, level) : node;
  };
  const places = perLevel((level) => ({ node: nodeOf(level), span: source.span(nodeOf(level)) }));
  return {
    name: word,
    fileName,
    code: owner === THRESHOLDS ? null : owner,
    present,
    written(value, levels) {
      // The last one first, and one of all levels once.
      const wanted = new Map(levels.map((level) => [places[level].span[0], places[level]]));
      return [...wanted.values()]
        .toSorted((a, b) => b.span[0] - a.span[0])
        .reduce((text, { node, span: [start, end] }) => {
          // `6.0` stays a number with a decimal, because its type is that of the parameter.
          const { isDouble } = source.scalar(node, key);
          const put = isDouble && Number.isInteger(value) ? value.toFixed(1) : String(value);
          return text.slice(0, start) + put + text.slice(end);
        }, ruleSet.text);
    },
  };
}

/** All names that `findNumber` takes of a rule set. */
export function numberNames(ruleSet: RuleSet): string[] {
  const owners = [THRESHOLDS, ...ruleSet.rules.map(({ code }) => code)];
  return owners.flatMap((owner) =>
    Array.from(numbersOf(ruleSet, owner).keys(), (name) => `${owner}.${name}`),
  );
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
    throw usage`There is no rule ${owner}; there are ${THRESHOLDS} and the rules ${whole(codes)}.`;
  }
  const { params, weights } = rule;
  const isNumber = (values: PerLevel<Value>): values is PerLevel<number> =>
    RISK_LEVELS.every((level) => typeof values[level] === "number");
  const numbers = new Map<string, PerLevel<number>>();
  for (const name of Object.keys(params.medium)) {
    const values = perLevel((level) => params[level][name]!);
    if (isNumber(values)) numbers.set(name, values);
  }
  return weights === null ? numbers : numbers.set(SCORE, weights);
}

function ruleNode(source: YamlSource, rules: Node | null, code: string): Node {
  source.span(rules);
  return source
    .list(rules, "rules")
    .find(
      (node) => source.scalar(source.entries(node, code).get("code")?.value ?? null, "code").value === code,
    )!;
}
