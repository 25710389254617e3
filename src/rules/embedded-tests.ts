// The tests that a rule file carries: each rule tried on small variations of the file's sample payment.

import { counterKeys } from "./counter-keys.ts";
import type { CounterView } from "./counters.ts";
import { traceRule } from "./decide.ts";
import { amountInEur } from "./eur-rates.ts";
import type { EmbeddedTest, RuleSet } from "./rule-set.ts";
import { createSituation } from "./situation.ts";

export interface RuleTestResult {
  /** Code of the rule. */
  readonly code: string;
  readonly name: string;
  readonly ok: boolean;
  /** What was expected and what came, in one sentence. */
  readonly message: string;
  /** Line of the test in the file. */
  readonly line: number;
}

/** Runs every embedded test, those of rules that are off left out. */
export function checkRules(ruleSet: RuleSet): RuleTestResult[] {
  return ruleSet.rules
    .filter(({ mode }) => mode !== "off")
    .flatMap((rule) =>
      rule.tests.map((test) => {
        const keys = counterKeys(test.request, test.project.projectId, "");
        const situation = createSituation(test, keys, givenCounts(test, ruleSet), ruleSet.rates);
        const { outcome, missing } = traceRule(rule, situation);
        const ok = outcome === test.expect;
        const came = missing === undefined ? outcome : `${outcome} (${missing})`;
        const message = `the test "${test.name}" ${ok ? "gave" : `expects ${test.expect} and got`} ${came}`;
        return { code: rule.code, name: test.name, ok, message, line: test.line };
      }),
    );
}

/** Counts of a test: as given, else those of a first attempt. */
function givenCounts({ counts, request }: EmbeddedTest, { rates }: RuleSet): CounterView {
  const eur = amountInEur(request.amount ?? 0, request.currency ?? 0, rates) ?? 0;
  return {
    velocity: (key, window) => counts.get(`velocity/${key}/${window.text}`) ?? 1,
    distinct: (of, key, window) => counts.get(`distinct/${of}/${key}/${window.text}`) ?? 1,
    spent: (key, window) => Math.round((counts.get(`spent/${key}/${window.text}`) ?? eur) * 100),
  };
}
