// Reads one rule of a rule file: keys, parameters by risk level, compiled condition and texts.

import type { Node, Scalar } from "yaml";
import type { KnownKeys, YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { KEY_FIELDS, isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { RULE_FIELDS, type NamedLists, type Situation } from "#src/rules/decision/situation.ts";
import { ExpressionError } from "#src/rules/expressions/expression-survey.ts";
import type { CompiledExpression, ExpressionLanguage } from "#src/rules/expressions/expression.ts";
import type { Params, Value, ValueType } from "#src/rules/expressions/host-function.ts";
import { RULE_FUNCTIONS } from "#src/rules/expressions/rule-functions.ts";
import { isOwnName, PARAM_LEVELS, RULE, SCORE_LEVELS, WEIGHT } from "./rule-file-shape.ts";
import { countsRead, needsNoMore, tracedValues, whatIsMissing } from "./rule-parts.ts";
import { perLevel } from "./rule-set.ts";
import type { CounterUse, PerLevel, Rule, RuleEffect } from "./rule-set.ts";
import { readRuleTest, type SamplePayment } from "./rule-test-reader.ts";
import { compileTemplate, type TemplateWords, type TextTemplate, type TracedValue } from "./text-template.ts";

interface ReadParams {
  readonly types: Readonly<Record<string, ValueType>>;
  readonly values: PerLevel<Params>;
}

export class RuleReader {
  readonly #source: YamlSource;
  readonly #language: ExpressionLanguage<Situation>;
  readonly #sample: SamplePayment;
  readonly #lists: NamedLists;
  readonly #codes = new Set<string>();

  constructor(
    source: YamlSource,
    language: ExpressionLanguage<Situation>,
    sample: SamplePayment,
    lists: NamedLists,
  ) {
    this.#lists = lists;
    this.#source = source;
    this.#language = language;
    this.#sample = sample;
  }

  /** @throws YamlFault */
  read(node: Node): Rule {
    const source = this.#source;
    source.subject = null;
    const codeNode = source.entries(node, "a rule").get("code")?.value ?? node;
    source.subject = source.text(codeNode, "code").value;
    const code = source.formed(codeNode, "code", RULE.properties.code);
    if (this.#codes.has(code)) throw source.fault(codeNode, "an earlier rule has this code");
    this.#codes.add(code);

    const keys = source.map(node, "the rule", RULE);
    const params = this.#params(keys.get("params") ?? null);
    const expression = this.#expression(source.text(keys.at("when"), "when"), params.types);
    const unused = Object.keys(params.types).find((name) => !expression.params.has(name));
    if (unused !== undefined)
      throw source.fault(keys.get("params") ?? node, `the parameter ${unused} is not used in when`);
    const counters = countsRead(expression);
    const traced = tracedValues(expression);
    const words = templateWords(params.types, expression, counters, traced);
    const text = this.#template(keys.get("text") ?? node, "text", words);
    const { effect, weights } = this.#consequence(node, keys);
    const rule: Rule = {
      code,
      mode: keys.has("mode") ? keys.choice("mode") : "live",
      effect,
      weights,
      params: params.values,
      expression,
      conditions: RISK_LEVELS.map((level) => expression.bind(params.values[level])),
      text,
      clear: keys.has("clear") ? this.#template(keys.get("clear") ?? node, "clear", words) : text,
      traced,
      counters,
      needsNoMore: needsNoMore(expression),
      missing: whatIsMissing(expression, this.#needs(keys.get("needs") ?? null)),
      tests: keys.has("tests")
        ? source.list(keys.at("tests"), "tests").map((test) => readRuleTest(source, this.#sample, test))
        : [],
    };
    source.subject = null;
    return rule;
  }

  #consequence(
    node: Node,
    keys: KnownKeys<(typeof RULE)["properties"]>,
  ): { effect: RuleEffect; weights: Rule["weights"] } {
    const source = this.#source;
    if (keys.has("score") === keys.has("effect")) {
      throw source.fault(node, "a rule has either score or effect (block, 3ds or allow)");
    }
    if (keys.has("effect")) {
      return { effect: keys.choice("effect"), weights: null };
    }
    const score = keys.at("score");
    const levels = source.isMap(score) ? source.map(score, "score", SCORE_LEVELS) : null;
    const weight = (level: RiskLevel): number =>
      source.number(levels?.at(level) ?? score, `score of ${level}`, WEIGHT);
    return { effect: "score", weights: perLevel(weight) };
  }

  #params(node: Node | null): ReadParams {
    const types: Record<string, ValueType> = {};
    const values: PerLevel<Record<string, Value>> = { low: {}, medium: {}, high: {} };
    if (node === null) return { types, values };
    for (const [name, { keyNode, value }] of this.#source.entries(node, "params")) {
      if (!isOwnName(name) || name === "n") {
        throw this.#source.fault(
          keyNode,
          `a parameter cannot be called "${name}"; use small letters, digits and _`,
        );
      }
      const levels = this.#source.isMap(value) ? this.#source.map(value, name, PARAM_LEVELS) : null;
      const read = RISK_LEVELS.map((level) => this.#param(levels?.at(level) ?? value, name));
      const distinct = new Set(read.map(({ type }) => type));
      // 100 beside 2.5 is a double too.
      const type =
        distinct.size === 2 && distinct.has("int") && distinct.has("double") ? "double" : read[0]!.type;
      if (distinct.size > 1 && type !== "double") {
        throw this.#source.fault(value, `${name} must have the same type on every risk level`);
      }
      types[name] = type;
      for (const [i, level] of RISK_LEVELS.entries()) {
        const one = read[i]!.value;
        values[level][name] = type === "double" ? Number(one) : one;
      }
      // A parameter without levels shares one array, so that its lookup is cached once.
      if (!levels) values.low[name] = values.high[name] = values.medium[name]!;
    }
    return { types, values };
  }

  #param(node: Node | null, name: string): { type: ValueType; value: Value } {
    const source = this.#source;
    if (source.isList(node)) {
      const items = source.list(node, name).map((item) => source.scalar(item, `an item of ${name}`).value);
      if (items.every((item) => typeof item === "string")) return { type: "list<string>", value: items };
      if (items.every((item) => Number.isSafeInteger(item))) {
        return { type: "list<int>", value: items as number[] };
      }
      throw source.fault(
        node,
        `${name} must be a list of texts or of integers; write a text such as 007 in quotes`,
      );
    }
    const { value, isDouble } = source.scalar(node, name);
    if (typeof value === "string") return { type: "string", value };
    if (typeof value === "boolean") return { type: "bool", value };
    if (typeof value !== "number")
      throw source.fault(node, `${name} must be a number, text, true, false or a list`);
    if (Number.isSafeInteger(value) && !isDouble) return { type: "int", value };
    return { type: "double", value };
  }

  #expression(scalar: Scalar<string>, types: ReadParams["types"]): CompiledExpression<Situation> {
    try {
      const expression = this.#language.compile(scalar.value, types);
      for (const { host, literals, start } of expression.calls) {
        if (host.name !== "list_entry" || this.#lists.has(literals[0]!)) continue;
        throw new ExpressionError(`"${literals[0]}" is not one of the lists of this file`, start);
      }
      return expression;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw this.#source.faultInside(scalar, error.start, `in when: ${error.message}`);
    }
  }

  #template(node: Node, what: string, words: TemplateWords): TextTemplate {
    const scalar = this.#source.text(node, what);
    try {
      return compileTemplate(scalar.value, words);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.#source.fault(node, `in ${what}: ${error.message}`);
    }
  }

  #needs(node: Node | null): string[] {
    if (node === null) return [];
    return this.#source.list(node, "needs").map((item) => {
      const { value } = this.#source.text(item, "an item of needs");
      if (isCounterKey(value) || RULE_FIELDS.has(value)) return value;
      throw this.#source.fault(
        item,
        `"${value}" is neither a field nor one of ${Object.keys(KEY_FIELDS).join(", ")}`,
      );
    });
  }
}

function templateWords(
  types: ReadParams["types"],
  expression: CompiledExpression<Situation>,
  counters: readonly CounterUse[],
  traced: readonly TracedValue[],
): TemplateWords {
  const calls = new Map<string, string>();
  for (const { host, source, evaluate } of expression.calls) {
    if (evaluate !== null && !calls.has(host.name)) calls.set(host.name, source);
  }
  if (counters[0] !== undefined) calls.set("n", counters[0].source);
  return {
    params: Object.keys(types).filter((name) => !types[name]!.startsWith("list")),
    fields: RULE_FIELDS,
    functions: RULE_FUNCTIONS,
    calls,
    traced,
  };
}
