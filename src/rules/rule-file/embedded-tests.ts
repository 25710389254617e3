// Runs the embedded tests of a rule file: each rule on small variations of the file's sample payment.

import { type CounterView, readCounts } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS, counterKeys } from "#src/rules/counters/counter-keys.ts";
import { isMicro } from "#src/rules/decision/attempt.ts";
import { traceRule } from "#src/rules/decision/decide.ts";
import { createSituation } from "#src/rules/decision/situation.ts";
import { amountInEur } from "./eur-rates.ts";
import { createList } from "./lists.ts";
import type { EmbeddedTest, RuleSet } from "./rule-set.ts";

export interface RuleTestResult {
  /** Code of the rule. */
  readonly code: string;
  readonly name: string;
  readonly ok: boolean;
  /** Expected and actual outcome, in one sentence. */
  readonly message: string;
  /** Line of the test in the file. */
  readonly line: number;
}

/** Runs every embedded test, with empty lists where it names none; those of rules that are off are left out. */
export function checkRules(ruleSet: RuleSet): RuleTestResult[] {
  return [...eachTest(ruleSet)];
}

/** One test at a time, for callers that let others in between. */
export function* eachTest(ruleSet: RuleSet): Generator<RuleTestResult> {
  // The entries of lists change daily; a test of a rule must not depend on them.
  const emptyLists = Array.from(ruleSet.lists.keys(), (name) => [name, createList([])] as const);
  for (const rule of ruleSet.rules.filter(({ mode }) => mode !== "off")) {
    for (const test of rule.tests) {
      const keys = counterKeys(test.request, test.project.projectId, "");
      const data = { rates: ruleSet.rates, lists: new Map([...emptyLists, ...test.lists]) };
      const situation = createSituation(
        test,
        keys,
        readCounts(ruleSet.countReads, givenCounts(test, ruleSet)),
        data,
      );
      const { outcome, missing } = traceRule(rule, situation);
      const ok = outcome === test.expect;
      const came = missing === undefined ? outcome : `${outcome} (${missing})`;
      const message = `the test "${test.name}" ${ok ? "gave" : `expects ${test.expect} and got`} ${came}`;
      yield { code: rule.code, name: test.name, ok, message, line: test.line };
    }
  }
}

/** Counts of a test: as given, else those of a first attempt. */
function givenCounts({ counts, request }: EmbeddedTest, { rates }: RuleSet): CounterView {
  const eur = amountInEur(request.amount ?? 0, request.currency ?? 0, rates) ?? 0;
  const given = (name: string, first: number): number => counts.get(name) ?? first;
  return {
    sum(what, kind, { text }) {
      const first = { velocity: 1, spent: eur, valued: 1, micro: isMicro(request) ? 1 : 0 }[what];
      const sum = given(`${what}/${COUNTER_KEYS[kind]}/${text}`, first);
      return what === "spent" ? Math.round(sum * 100) : sum;
    },
    distinct: (of, kind, { text }) => given(`distinct/${COUNTER_KEYS[of]}/${COUNTER_KEYS[kind]}/${text}`, 1),
    run: ({ text }) => given(`run/${text}`, 1),
  };
}
