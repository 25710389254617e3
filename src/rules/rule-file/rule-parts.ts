// Derived from the compiled condition of a rule: traced values, counts, required fields and data.

import { isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { missingFields, missingKey, type Missing } from "#src/rules/decision/missing.ts";
import { fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import type { CompiledExpression } from "#src/rules/expressions/expression.ts";
import type { CallSite, HostFunction, Params, Value } from "#src/rules/expressions/host-function.ts";
import type { CounterUse } from "./rule-set.ts";
import type { TracedValue } from "./text-template.ts";

/** The name of a parameter that is no limit but the least count with which a rule begins. */
const FLOOR = "floor";

/** The counts that a condition reads; those inside a macro have no value of their own. */
export function countsRead(expression: CompiledExpression): CounterUse[] {
  return distinctCalls(expression).flatMap((site) => (site.evaluate === null ? [] : counterUse(site)));
}

/** Every call, field and single-valued parameter of a condition. */
export function tracedValues(expression: CompiledExpression): TracedValue[] {
  const calls = distinctCalls(expression).flatMap(({ source, evaluate }) =>
    evaluate ? [{ name: source, evaluate }] : [],
  );
  return [
    ...calls.map(({ name, evaluate }) => ({
      name,
      read: (situation: Situation, params: Params) => plainValue(evaluate(situation, params)),
    })),
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
export function whatIsMissing(expression: CompiledExpression, needs: readonly string[]): Missing {
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
