// What a compiled condition says about its rule: values worth tracing, counts it reads, and what it cannot do without.

import { isCounterKey } from "./counter-keys.ts";
import type { CallSite, CompiledExpression, Params, Value, ValueType } from "./expression.ts";
import { missingFields, missingKey } from "./rule-functions.ts";
import type { CounterUse, TracedValue } from "./rule-set.ts";
import { fieldValue, type Situation } from "./situation.ts";

/** Functions whose results are counts. */
const COUNTERS = new Set(["velocity", "distinct", "spent"]);

/** The counts that a condition reads; those inside a macro have no value of their own. */
export function countsRead(expression: CompiledExpression<Situation>): CounterUse[] {
  return expression.calls.filter(({ host, evaluate }) => COUNTERS.has(host.name) && evaluate).map(counterUse);
}

/** Every call, field and single-valued parameter of a condition. */
export function tracedValues(
  expression: CompiledExpression<Situation>,
  types: Readonly<Record<string, ValueType>>,
): TracedValue[] {
  const calls = expression.calls.flatMap(({ source, evaluate }) =>
    evaluate ? [{ name: source, evaluate }] : [],
  );
  return [
    ...calls.map(({ name, evaluate }) => ({
      name,
      read: (situation: Situation, params: Params) => plainValue(evaluate(situation, params)),
    })),
    ...expression.fields.map((name) => ({
      name,
      read: (situation: Situation) => plainValue(fieldValue(situation, name)),
    })),
    ...expression.params
      .filter((name) => !types[name]!.startsWith("list"))
      .map((name) => ({ name, read: (_: Situation, params: Params) => plainValue(params[name]) })),
  ];
}

function plainValue(value: Value | undefined): string | number | boolean | null {
  if (typeof value === "bigint") return Number(value);
  return value === undefined || typeof value === "object" ? null : value;
}

function counterUse({ host, literals, source, limit }: CallSite<Situation>): CounterUse {
  const keys = literals.slice(0, -1);
  return {
    source,
    key: host.name === "spent" ? `spent per ${keys[0]}` : keys.join(" per "),
    window: literals.at(-1)!,
    limit(params) {
      if (limit === null) return null;
      return "value" in limit ? limit.value : Number(params[limit.param]);
    },
  };
}

/** A rule waits for every field and every piece of data that it could touch; `has(...)` is the way to do without. */
export function whatIsMissing(
  expression: CompiledExpression<Situation>,
  needs: readonly string[],
): (situation: Situation) => string | null {
  const keys = needs.filter(isCounterKey);
  const fields = [...new Set([...needs.filter((need) => !isCounterKey(need)), ...expression.requiredFields])];
  const checks = expression.calls.filter(({ host }) => host.missing !== undefined);
  return (situation) => {
    const missing = missingFields(situation, fields);
    if (missing !== null) return missing;
    for (const key of keys) {
      const reason = missingKey(situation, key);
      if (reason !== null) return reason;
    }
    for (const { host, literals } of checks) {
      const reason = host.missing?.(situation, literals) ?? null;
      if (reason !== null) return reason;
    }
    return null;
  };
}
