// Derived from the compiled condition of a rule: traced values, counts, required fields and data.

import { overridable } from "#src/rules/counters/count-override.ts";
import { isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { missingFields, missingKey } from "#src/rules/decision/missing.ts";
import { fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import type { CompiledExpression } from "#src/rules/expressions/expression.ts";
import type { CallSite, Params, Value } from "#src/rules/expressions/host-function.ts";
import type { CounterUse } from "./rule-set.ts";
import type { TracedValue } from "./text-template.ts";

/** Functions whose results are counts. */
const COUNTERS = new Set(["velocity", "distinct", "spent", "micro", "valued_before", "amount_run"]);

/** Labels of counts other than numbers of attempts or companions. */
const COUNTED_AS: Readonly<Record<string, string>> = {
  spent: "spent per",
  micro: "tiny amounts per",
  valued_before: "earlier attempts per",
  amount_run: "amounts in a row per",
};

/** The name of a parameter that is no limit but the least count with which a rule begins. */
const FLOOR = "floor";

/** The counts that a condition reads; those inside a macro have no value of their own. */
export function countsRead(expression: CompiledExpression<Situation>): CounterUse[] {
  const reads = distinctCalls(expression).filter(({ host, evaluate }) => COUNTERS.has(host.name) && evaluate);
  return reads.map(counterUse);
}

/** Every call, field and single-valued parameter of a condition. */
export function tracedValues(expression: CompiledExpression<Situation>): TracedValue[] {
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
function distinctCalls({ calls }: CompiledExpression<Situation>): CallSite<Situation>[] {
  const sites = new Map<string, CallSite<Situation>>();
  for (const site of calls) {
    if (!(sites.get(site.source)?.limit ?? null)) sites.set(site.source, site);
  }
  return [...sites.values()];
}

function plainValue(value: Value | undefined): string | number | boolean | null {
  return value === undefined || typeof value === "object" ? null : value;
}

function counterUse({ host, literals, source, limit }: CallSite<Situation>): CounterUse {
  const keys = literals.slice(0, -1);
  const named = COUNTED_AS[host.name];
  return {
    source,
    key: named === undefined ? keys.join(" per ") : `${named} ${keys[0] ?? "card"}`,
    window: literals.at(-1)!,
    override: overridable(host.name, literals),
    isFloor: host.name === "valued_before" || (limit !== null && "param" in limit && limit.param === FLOOR),
    limit(params) {
      if (limit === null) return null;
      return "value" in limit ? limit.value : Number(params[limit.param]);
    },
  };
}

/** Whether a complete situation has everything that a condition needs. */
export function needsNoMore({ calls }: CompiledExpression<Situation>): boolean {
  return calls.every(({ host }) => host.missing === undefined || host.needsNoMore === true);
}

/** A rule needs every field and all data that it could read; `has(...)` makes a field optional. */
export function whatIsMissing(
  expression: CompiledExpression<Situation>,
  needs: readonly string[],
): (situation: Situation) => string | null {
  const keys = needs.filter(isCounterKey);
  const fields = [...new Set([...needs.filter((need) => !isCounterKey(need)), ...expression.requiredFields])];
  const checks = expression.calls.flatMap(({ host: { missing, needsNoMore }, literals }): Check[] =>
    missing === undefined ? [] : [{ missing, literals, needsNoMore: needsNoMore === true }],
  );
  const others = checks.filter(({ needsNoMore }) => !needsNoMore);
  const missing = missingFields(fields);
  return (situation) => {
    // Fast path: most attempts are complete, and most functions need nothing else.
    if (situation.isComplete) return missingFor(others, situation);
    const reason = missing(situation);
    if (reason !== null) return reason;
    for (const key of keys) {
      if (situation.keys[key] === undefined) return missingKey(situation, key);
    }
    return missingFor(checks, situation);
  };
}

interface Check {
  readonly missing: (situation: Situation, literals: readonly string[]) => string | null;
  readonly literals: readonly string[];
  readonly needsNoMore: boolean;
}

function missingFor(checks: readonly Check[], situation: Situation): string | null {
  for (let i = 0; i < checks.length; i++) {
    const { missing, literals } = checks[i]!;
    const reason = missing(situation, literals);
    if (reason !== null) return reason;
  }
  return null;
}
