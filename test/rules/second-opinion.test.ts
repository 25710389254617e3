// Every shipped condition judged by a second, independent engine: both must agree on any payment.

import {
  CelScalar,
  celEnv,
  celFunc,
  isCelError,
  isCelList,
  listType,
  parse,
  plan,
  type CelType,
} from "@bufbuild/cel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RISK_LEVELS } from "#src/contract/wire.ts";
import { createCounters } from "#src/rules/counters.ts";
import { traceRule } from "#src/rules/decide.ts";
import type { Params, Value, ValueType } from "#src/rules/expression.ts";
import { RULE_FUNCTIONS } from "#src/rules/rule-functions.ts";
import type { Rule } from "#src/rules/rule-set.ts";
import { createSituation, type Situation } from "#src/rules/situation.ts";
import { MINUTE, NOON, anyPayment, factsOf, loadStarter } from "./sample.ts";

const TYPES: Readonly<Record<ValueType, CelType>> = {
  int: CelScalar.INT,
  double: CelScalar.DOUBLE,
  bool: CelScalar.BOOL,
  string: CelScalar.STRING,
  "list<int>": listType(CelScalar.INT),
  "list<string>": listType(CelScalar.STRING),
};

let situation: Situation;

const funcs = RULE_FUNCTIONS.map((host) =>
  celFunc(
    host.name,
    host.parameters.map((type) => TYPES[type]),
    TYPES[host.result],
    (...args: readonly unknown[]) =>
      host.call(
        situation,
        args.map((arg) => (isCelList(arg) ? [...arg] : arg) as Value),
      ) as never,
  ),
);
const environment = celEnv({ funcs });
const plans = new Map<Rule, (bindings: Record<string, unknown>) => unknown>();

function secondOpinion(rule: Rule, params: Params): unknown {
  let run = plans.get(rule);
  if (!run) {
    run = plan(environment, parse(rule.expression.source)) as (bindings: Record<string, unknown>) => unknown;
    plans.set(rule, run);
  }
  const bindings = Object.entries({ ...situation.variables, ...params }).map(([name, value]) => [
    name,
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value).filter(([, field]) => field !== undefined))
      : value,
  ]);
  return run(Object.fromEntries(bindings));
}

describe("the second engine", () => {
  it("agrees on every rule that could be evaluated", async () => {
    const ruleSet = await loadStarter();
    const seen = new Map<string, Set<string>>(ruleSet.rules.map(({ code }) => [code, new Set()]));
    fc.assert(
      fc.property(
        fc.array(anyPayment, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...RISK_LEVELS),
        (payments, level) => {
          const counters = createCounters({ secret: "s" });
          for (const [i, request] of payments.entries()) {
            const facts = factsOf(request, level, NOON + i * MINUTE);
            const keys = counters.keysOf(request, "project-1");
            // Each payment is repeated, so that counts pass their limits.
            let counts = counters.record(facts.now, { keys, pairs: ruleSet.distinctPairs, eurCents: 50_000 });
            for (let n = 0; n < i; n++) {
              counts = counters.record(facts.now, { keys, pairs: ruleSet.distinctPairs, eurCents: 50_000 });
            }
            situation = createSituation(facts, keys, counts, ruleSet.rates);
            for (const rule of ruleSet.rules) {
              const { outcome } = traceRule(rule, situation);
              seen.get(rule.code)!.add(outcome);
              if (outcome === "not_evaluated") continue;
              const second = secondOpinion(rule, rule.params[level]);
              if (isCelError(second)) throw new Error(`${rule.code}: ${second.message}`);
              expect(second, rule.code).toBe(outcome === "hit");
            }
          }
        },
      ),
      { numRuns: 300 },
    );
    // Otherwise agreement would be cheap.
    for (const [code, outcomes] of seen) expect(outcomes, code).toContain("no_hit");
    const hit = [...seen].filter(([, outcomes]) => outcomes.has("hit")).map(([code]) => code);
    expect(hit).toEqual(
      expect.arrayContaining(["CARD_EXPIRED", "CARD_VELOCITY_1H", "DISPOSABLE_EMAIL", "IP_BOGON"]),
    );
    expect(hit.length).toBeGreaterThan(12);
  });
});
