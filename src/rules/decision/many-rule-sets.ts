// Decides a payment by several rule sets at once: it is counted once, and a rule that they share is tried once.

import { randomBytes } from "node:crypto";
import { type AttemptView, readCounts } from "#src/rules/counters/attempt-view.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { attemptOf } from "./attempt.ts";
import { assessIn, type Assessment, type TriedBefore } from "./decide.ts";
import { createSituation, type DecisionInput, type RuleData, type Situation } from "./situation.ts";

/**
 * Counts from zero, in memory of its own. Payments come in the order of their time.
 * @param maxBytes of the counters of rule sets with the same rates
 * @returns counts a payment, and gives a function that decides it by each rule set, in their order
 */
export function decideByMany(
  sets: readonly RuleSet[],
  maxBytes: number,
): (input: DecisionInput) => () => Assessment[] {
  const secret = randomBytes(32).toString("hex");
  const firstWith = (of: (set: RuleSet) => string): number[] => {
    const all = sets.map(of);
    return all.map((text) => all.indexOf(text));
  };
  // What an attempt is worth is counted, too.
  const countedAs = firstWith(({ rates }) => ratesText(rates));
  const seenAs = firstWith((set) => dataText(set) + JSON.stringify(set.countReads.map(({ name }) => name)));
  const counting = sets.map((set, i) => {
    if (countedAs[i] !== i) return null;
    const pairs = sets.flatMap(({ distinctPairs }, j) => (countedAs[j] === i ? distinctPairs : []));
    const distinctPairs = [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
    return { counters: createCounters({ secret, maxBytes }), set: { ...set, distinctPairs } };
  });
  const triedBefore = sets.map((_, i) => sharedRules(sets, i));

  return (input) => {
    const views: (AttemptView | null)[] = [];
    const { keysOf } = counting[0]!.counters;
    const { attempt: first, address } = attemptOf(counting[0]!.set, input, { keysOf });
    for (const [i, own] of counting.entries()) {
      const attempt =
        i === 0 ? first : own && attemptOf(own.set, input, { keysOf: () => first.keys }).attempt;
      views.push(own && own.counters.record(input.now, attempt!));
    }
    const counts = sets.map(({ countReads }, i) =>
      seenAs[i] === i ? readCounts(countReads, views[countedAs[i]!]!) : [],
    );
    return () => {
      const situations: Situation[] = [];
      const assessments: Assessment[] = [];
      for (let i = 0; i < sets.length; i++) {
        const set = sets[i]!;
        const same = situations[seenAs[i]!];
        const situation = same ?? createSituation(input, first.keys, counts[i]!, set, address);
        situations.push(situation);
        assessments.push(assessIn(set, situation, triedBefore[i], assessments));
      }
      return assessments;
    };
  };
}

/** For each rule of a set where an earlier set has one that hits the same payments; null for none. */
function sharedRules(sets: readonly RuleSet[], index: number): TriedBefore {
  const data = dataText(sets[index]!);
  const earlier = new Map<string, { readonly set: number; readonly rule: number }>();
  for (const [set, { rules, ...ruleData }] of sets.slice(0, index).entries()) {
    if (dataText(ruleData) !== data) continue;
    for (const [rule, { hitsBy }] of rules.entries())
      if (!earlier.has(hitsBy)) earlier.set(hitsBy, { set, rule });
  }
  return sets[index]!.rules.map(({ hitsBy }) => earlier.get(hitsBy) ?? null);
}

/** Equal for data by which the same conditions hit the same payments. */
function dataText({ rates, lists }: RuleData): string {
  return ratesText(rates) + JSON.stringify(Array.from(lists, ([name, { entries }]) => [name, entries]));
}

function ratesText(rates: RuleData["rates"]): string {
  return JSON.stringify(rates === null ? null : [...rates.byCurrency]);
}
