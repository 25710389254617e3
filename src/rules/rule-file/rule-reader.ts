// Reads one rule of a rule file: keys, parameters by risk level, compiled condition and texts; and what follows from its
// condition: traced values, counts, required fields and data.

import { dataOf, isDouble, placeAt, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import type { Of } from "#src/contract/text/shape.ts";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type CheckRequest } from "#src/contract/wire/wire.ts";
import { KEY_FIELDS, isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { RULE_FIELDS, type NamedLists, fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import { ExpressionError } from "#src/rules/expressions/expression-survey.ts";
import type { CompiledExpression, ExpressionLanguage } from "#src/rules/expressions/expression.ts";
import type {
  Params,
  Value,
  ValueType,
  CallSite,
  HostFunction,
} from "#src/rules/expressions/host-function.ts";
import { RULE_FUNCTIONS } from "#src/rules/expressions/rule-functions.ts";
import { missingFields, missingKey, type Missing } from "#src/rules/decision/missing.ts";
import { PARAM_LEVELS, RULE, type RuleTest, type SamplePayment } from "./rule-file-shape.ts";
import { perLevel, type CounterUse, type EmbeddedTest, type PerLevel, type Rule } from "./rule-set.ts";
import { compileTemplate, type TemplateWords, type TextTemplate, type TracedValue } from "./text-template.ts";

interface ReadParams {
  readonly types: Readonly<Record<string, ValueType>>;
  readonly values: PerLevel<Params>;
}

/** @returns reads one rule after another. @throws YamlFault (also what is returned) */
export function createRuleReader(
  source: Pick<YamlSource, "subject">,
  language: ExpressionLanguage,
  sample: SamplePayment,
  lists: NamedLists,
): (place: Place) => Rule {
  const codes = new Set<string>();

  function compile(when: string, place: Place, types: ReadParams["types"]): CompiledExpression {
    try {
      const expression = language.compile(when, types);
      for (const { host, literals, start } of expression.calls) {
        if (host.name !== "list_entry" || lists.has(literals[0]!)) continue;
        throw new ExpressionError(`"${literals[0]}" is not one of the lists of this file`, start);
      }
      return expression;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw place.faultInside(error.start, `in when: ${error.message}`);
    }
  }

  return (place) => {
    const written = placeAt(place, "code");
    source.subject = typeof written.scalar === "string" ? written.scalar : null;
    const read = readShape(RULE, place, "the rule");
    const { code, mode, score, effect = "score", when, needs } = read;
    if (codes.has(code)) throw written.fault("an earlier rule has this code");
    codes.add(code);

    const params = readParams(read.params);
    const expression = compile(when, placeAt(place, "when"), params.types);
    const unused = Object.keys(params.types).find((name) => !expression.params.has(name));
    if (unused !== undefined)
      throw placeAt(place, "params").fault(`the parameter ${unused} is not used in when`);
    const counters = countsRead(expression);
    const traced = tracedValues(expression);
    const words = templateWords(params.types, expression, counters, traced);
    const text = template(read.text, placeAt(place, "text"), "text", words);
    const rule: Rule = {
      code,
      mode,
      effect,
      weights:
        score === undefined ? null : perLevel((level) => (typeof score === "number" ? score : score[level])),
      params: params.values,
      expression,
      conditions: RISK_LEVELS.map((level) => expression.bind(params.values[level])),
      text,
      clear: read.clear === undefined ? text : template(read.clear, placeAt(place, "clear"), "clear", words),
      traced,
      counters,
      missing: whatIsMissing(expression, needed(needs, place)),
      hitsBy: JSON.stringify([mode, when, params, needs]),
      tests: read.tests.map((test) => embeddedTest(sample, test)),
    };
    source.subject = null;
    return rule;
  };
}

function readParams(params: Of<typeof RULE>["params"]): ReadParams {
  const types: Record<string, ValueType> = {};
  const values: PerLevel<Record<string, Value>> = { low: {}, medium: {}, high: {} };
  for (const [name, place] of Object.entries(params)) {
    const levels = place.kind === "map" ? readShape(PARAM_LEVELS, place, name) : null;
    const read = RISK_LEVELS.map((level) => readParam(levels?.[level] ?? place, name));
    const distinct = new Set(read.map(({ type }) => type));
    // 100 beside 2.5 is a double too.
    const type =
      distinct.size === 2 && distinct.has("int") && distinct.has("double") ? "double" : read[0]!.type;
    if (distinct.size > 1 && type !== "double")
      throw place.fault(`${name} must have the same type on every risk level`);
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

function readParam(place: Place, name: string): { type: ValueType; value: Value } {
  const value = dataOf(place);
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "string")) return { type: "list<string>", value };
    if (value.every((item) => Number.isSafeInteger(item))) return { type: "list<int>", value };
    throw place.fault(`${name} must be a list of texts or of integers; write a text such as 007 in quotes`);
  }
  if (typeof value === "string") return { type: "string", value };
  if (typeof value === "boolean") return { type: "bool", value };
  if (typeof value !== "number") throw place.fault(`${name} must be a number, text, true, false or a list`);
  return { type: Number.isSafeInteger(value) && !isDouble(place) ? "int" : "double", value };
}

function template(text: string, place: Place, what: string, words: TemplateWords): TextTemplate {
  try {
    return compileTemplate(text, words);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw place.fault(`in ${what}: ${error.message}`);
  }
}

function needed(needs: readonly string[], place: Place): readonly string[] {
  const unknown = needs.findIndex((need) => !isCounterKey(need) && !RULE_FIELDS.has(need));
  if (unknown < 0) return needs;
  throw placeAt(place, "needs", unknown).fault(
    `"${needs[unknown]}" is neither a field nor one of ${Object.keys(KEY_FIELDS).join(", ")}`,
  );
}

function templateWords(
  types: ReadParams["types"],
  expression: CompiledExpression,
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
    functions: RULE_FUNCTIONS,
    calls,
    traced,
  };
}

/** The sample payment, changed as a test says. */
function embeddedTest(sample: SamplePayment, test: RuleTest): EmbeddedTest {
  const { given, level, at = sample.at, ...kept } = test;
  const project = { projectId: "sample", riskLevel: level, currency: sample.project_currency };
  return { ...kept, request: merged(sample.request, given) as CheckRequest, project, now: at };
}

/** The change laid over the base, object by object; null removes a field. */
function merged(base: unknown, change: unknown): unknown {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  const result: Record<string, unknown> = { ...(base as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** The name of a parameter that is no limit but the least count with which a rule begins. */
const FLOOR = "floor";

/** The counts that a condition reads; those inside a macro have no value of their own. */
function countsRead(expression: CompiledExpression): CounterUse[] {
  return distinctCalls(expression).flatMap((site) => (site.evaluate === null ? [] : counterUse(site)));
}

/** Every call, field and single-valued parameter of a condition. */
function tracedValues(expression: CompiledExpression): TracedValue[] {
  return [
    ...distinctCalls(expression).flatMap(({ source: name, evaluate }) => {
      if (evaluate === null) return [];
      return [{ name, read: (...given: Parameters<typeof evaluate>) => plainValue(evaluate(...given)) }];
    }),
    ...expression.fields.map((name) => {
      const field = fieldReader(name);
      return { name, read: (situation: Situation) => plainValue(field(situation)) };
    }),
    ...Array.from(expression.params)
      .filter(([, type]) => !type.startsWith("list"))
      .map(([name]) => ({ name, read: (_: Situation, params: Params) => plainValue(params[name]) })),
  ];
}

/** Distinct calls, as written; of equal ones the first that is compared with something. */
function distinctCalls({ calls }: CompiledExpression): CallSite[] {
  const sites = new Map<string, CallSite>();
  for (const site of calls) {
    if (!(sites.get(site.source)?.limit ?? null)) sites.set(site.source, site);
  }
  return [...sites.values()];
}

function plainValue(value: Value | undefined): string | number | boolean | null {
  return value === undefined || typeof value === "object" ? null : value;
}

function counterUse({ host: { counter }, literals, source, limit }: CallSite): CounterUse[] {
  if (counter === undefined) return [];
  const keys = literals.slice(0, -1);
  const use: CounterUse = {
    source,
    key: counter.label === "" ? keys.join(" per ") : `${counter.label} ${keys[0] ?? "card"}`,
    window: literals.at(-1)!,
    maximumOf: counter.maximumOf(literals),
    isFloor: counter.isFloor || (limit !== null && "param" in limit && limit.param === FLOOR),
    limit(params) {
      if (limit === null) return null;
      return "value" in limit ? limit.value : Number(params[limit.param]);
    },
  };
  return [use];
}

/** A rule needs every field and all data that it could read; `has(...)` makes a field optional. */
function whatIsMissing(expression: CompiledExpression, needs: readonly string[]): Missing {
  const keys = needs.filter(isCounterKey);
  const fields = [...new Set([...needs.filter((need) => !isCounterKey(need)), ...expression.requiredFields])];
  const checksOf = (isAsked: (host: HostFunction) => boolean): Missing[] =>
    expression.calls.flatMap(({ host, literals }) =>
      host.missing === undefined || !isAsked(host) ? [] : (situation) => host.missing!(situation, literals),
    );
  const more = checksOf(({ needsMore }) => needsMore === true);
  const ofKeys = keys.map((key) => (situation: Situation) => missingKey(situation, key));
  const all = [missingFields(fields), ...ofKeys, ...checksOf(() => true)];
  return (situation) => {
    for (const check of situation.isComplete ? more : all) {
      const reason = check(situation);
      if (reason !== null) return reason;
    }
    return null;
  };
}
