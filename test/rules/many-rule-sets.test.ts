// Several rule sets at once decide as each of them does by itself, whatever they have in common.

import fc from "fast-check";
import { expect, it } from "vitest";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { assessRecorded, type Assessment } from "#src/rules/decision/decide.ts";
import { decideByMany } from "#src/rules/decision/many-rule-sets.ts";
import { loadRulesUntested, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { anyPayment, factsOf, HOUR, loadStarter, NOON, starterText } from "./sample.ts";

function changed(...changes: readonly (readonly [string, string])[]): Promise<RuleSet> {
  let text = starterText;
  for (const [before, after] of changes) {
    expect(text.includes(before), before).toBe(true);
    text = text.replace(before, after);
  }
  return loadRulesUntested(text, "changed.yaml");
}

const starter = await loadStarter();
const FIRST = "rules:\n";
const SHADOW = `${FIRST}  - { code: MORE, mode: shadow, text: "many", when: 'distinct("email", "ip", "3h") > 1 || velocity("card", "2h") > 1', score: 5, needs: [ip] }\n`;
const SETS: readonly RuleSet[] = [
  starter,
  await changed(["block: 75 }", "block: 50 }"]),
  await changed(['velocity("card", "1h") > limit', 'velocity("card", "2h") > limit']),
  // Counts and pairs that no other one reads, in other places of the list.
  await changed([FIRST, SHADOW]),
  await changed(["    UAH: 49.0", "    UAH: 4.9"]),
  await changed(["  blocked: []", "  blocked: [{ email: b@x.yopmail.com }, { payer: payer-1 }]"]),
  await changed([
    "  blocked: []",
    `  blocked: [{ email: b@x.yopmail.com }, { payer: payer-1, until: "2026-03-16T13:00:00Z" }]`,
  ]),
  { ...starter, rules: starter.rules.toReversed() },
  { ...starter, rules: starter.rules.slice(5, 20) },
];

const payments = fc.array(
  fc.record({
    request: anyPayment,
    level: fc.constantFrom(...RISK_LEVELS),
    gap: fc.constantFrom(0, 1_000, 600_000, 5 * HOUR),
  }),
  { maxLength: 25 },
);

/** All but the situation, which holds functions. */
function told({ outcomes, missing, recommendation, decidedBy, score, reason }: Assessment) {
  return { outcomes, missing, recommendation, decidedBy, score, reason };
}

it("decides by each as if it were alone, with the same reasons", () => {
  fc.assert(
    fc.property(payments, fc.shuffledSubarray([...SETS], { minLength: 1 }), (list, sets) => {
      const decide = decideByMany(sets, 1_000_000);
      const alone = sets.map((set) => ({ set, counters: createCounters() }));
      let now = NOON;
      for (const { request, level, gap } of list) {
        now += gap;
        const input = factsOf(request, level, now);
        const together = decide(input)().map(told);
        const expected = alone.map(({ set, counters }) => told(assessRecorded(set, input, counters)));
        expect(together).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});
