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
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { type CounterView, readCounts } from "#src/rules/counters/attempt-view.ts";
import { counterKeys } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { traceRule } from "#src/rules/decision/decide.ts";
import {
  FIELD_GROUPS,
  PLAIN_FIELDS,
  createSituation,
  fieldReader,
  type DecisionInput,
  type NamedLists,
  type Situation,
} from "#src/rules/decision/situation.ts";
import { createCountFunctions, createCountList } from "#src/rules/expressions/count-functions.ts";
import type { Params, Value, ValueType } from "#src/rules/expressions/host-function.ts";
import { RULE_FUNCTIONS } from "#src/rules/expressions/rule-functions.ts";
import { createList } from "#src/rules/rule-file/lists.ts";
import type { Rule, RuleSet } from "#src/rules/rule-file/rule-set.ts";
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

/** As engines take it: integers apart from doubles. */
function asTyped(value: Value | undefined, type: ValueType): unknown {
  return type === "int" && typeof value === "number" ? BigInt(value) : value;
}

function environmentFor({ countReads }: RuleSet): ReturnType<typeof celEnv> {
  const counting = createCountFunctions(createCountList([...countReads]));
  const funcs = [...counting, ...RULE_FUNCTIONS].map((host) =>
    celFunc(
      host.name,
      host.parameters.map((type) => TYPES[type]),
      TYPES[host.result],
      (...args: readonly unknown[]) => {
        const given = args.map((arg) => (isCelList(arg) ? [...arg] : arg) as Value);
        return asTyped(host.call(situation, given), host.result) as never;
      },
    ),
  );
  return celEnv({ funcs });
}

/** Fields and groups of fields by name, without those that are missing. */
function fieldsOf(given: Situation): Record<string, unknown> {
  const named = (fields: Readonly<Record<string, ValueType>>, start: string): [string, unknown][] =>
    Object.entries(fields).map(([name, type]) => [name, asTyped(fieldReader(start + name)(given), type)]);
  const groups = Object.entries(FIELD_GROUPS).map(([group, { fields }]): [string, unknown] => [
    group,
    new Map(named(fields, `${group}.`).filter(([, value]) => value !== undefined)),
  ]);
  return Object.fromEntries([...named(PLAIN_FIELDS, ""), ...groups]);
}

const plans = new Map<Rule, (bindings: Record<string, unknown>) => unknown>();

function secondOpinion(ruleSet: RuleSet, rule: Rule, params: Params): unknown {
  let run = plans.get(rule);
  if (!run) {
    run = plan(environmentFor(ruleSet), parse(rule.expression.source)) as (
      bindings: Record<string, unknown>,
    ) => unknown;
    plans.set(rule, run);
  }
  const given = Array.from(rule.expression.params, ([name, type]) => [name, asTyped(params[name], type)]);
  return run({ ...fieldsOf(situation), ...Object.fromEntries(given) });
}

const LISTS: NamedLists = new Map([
  [
    "blocked",
    createList([
      { type: "payer", text: "payer-3" },
      { type: "domain", text: "yopmail.com" },
    ]),
  ],
  ["allowed", createList([{ type: "ip", text: "203.0.113.0/24" }])],
  ["force_3ds", createList([{ type: "bin", text: "411111" }])],
]);

/** Judges one payment by both engines. */
function compare(
  ruleSet: RuleSet,
  facts: DecisionInput,
  counts: CounterView,
  seen: Map<string, Set<string>>,
): void {
  const keys = counterKeys(facts.request, "project-1", "s");
  situation = createSituation(facts, keys, readCounts(ruleSet.countReads, counts), {
    rates: ruleSet.rates,
    lists: LISTS,
  });
  for (const rule of ruleSet.rules) {
    const { outcome } = traceRule(rule, situation);
    seen.get(rule.code)!.add(outcome);
    if (outcome === "not_evaluated") continue;
    const second = secondOpinion(ruleSet, rule, rule.params[facts.project.riskLevel]);
    if (isCelError(second)) throw new Error(`${rule.code}: ${second.message}`);
    expect(second, rule.code).toBe(outcome === "hit");
  }
}

describe("the second engine", () => {
  const level = fc.constantFrom(...RISK_LEVELS);

  it("agrees on every rule that could be evaluated, by real counters", async () => {
    const ruleSet = await loadStarter();
    const seen = new Map<string, Set<string>>(ruleSet.rules.map(({ code }) => [code, new Set()]));
    const payments = fc.array(anyPayment, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(payments, level, (given, riskLevel) => {
        const counters = createCounters({ secret: "s" });
        for (const [i, request] of given.entries()) {
          const facts = factsOf(request, riskLevel, NOON + i * MINUTE);
          const { attempt } = attemptOf(ruleSet, facts, counters);
          // Each payment is repeated, so that counts pass their limits.
          let counts = counters.record(facts.now, attempt);
          for (let n = 0; n < i; n++) counts = counters.record(facts.now, attempt);
          compare(ruleSet, facts, counts, seen);
        }
      }),
      { numRuns: 60 },
    );
    for (const [code, outcomes] of seen) expect(outcomes, code).toContain("no_hit");
  });

  it("agrees by any counts, on every outcome of every rule", async () => {
    const ruleSet = await loadStarter();
    const seen = new Map<string, Set<string>>(ruleSet.rules.map(({ code }) => [code, new Set()]));
    const counts = fc.func(fc.oneof(fc.nat(4), fc.nat(60), fc.nat(4_000))).map((count): CounterView => ({
      // Over 60 days one or two, because a card that is new is asked for by itself alone.
      sum(what, key, { text }) {
        const counted = count(what, key, text);
        if (what === "velocity") return 1 + (counted % (text === "60d" ? 2 : Infinity));
        return what === "spent" ? counted * 100 : what === "valued" ? 1 + counted : counted;
      },
      distinct: (of, key, { text }) => 1 + count("distinct", of, key, text),
      run: ({ text }) => 1 + count("run", text),
    }));
    const agreement = fc.property(anyPayment, level, counts, (request, riskLevel, view) =>
      compare(ruleSet, factsOf(request, riskLevel), view, seen),
    );
    // A rare hit is missing in one run of some hundreds.
    const isPartial = (): boolean => [...seen.values()].some(({ size }) => size < 3);
    for (let run = 0; run < 10 && (run === 0 || isPartial()); run += 1) {
      fc.assert(agreement, { numRuns: 2_500 });
    }
    // Otherwise agreement would be cheap.
    for (const [code, outcomes] of seen) {
      expect([...outcomes].toSorted(), code).toEqual(["hit", "no_hit", "not_evaluated"]);
    }
  });
});
