// How the nearest amount that flips a decision is searched for, with rules of which a pencil gives it.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { factsOf, payment } from "./sample.ts";

const rulesOf = (...rules: readonly string[]): Promise<RuleSet> =>
  loadRules(
    `name: mine
thresholds: { low: &t { three_ds: 35, block: 75 }, medium: *t, high: *t }
sample: { at: "2026-03-16T12:00:00Z", project_currency: 978, request: {} }
rules: [${rules.map((rule, at) => `{ code: RULE_${at}, text: rule ${at}, ${rule} }`).join(", ")}]`,
    "mine.yaml",
  );

function flipOf(ruleSet: RuleSet, amount: number, currency?: number): FlipPoint | undefined {
  const facts = factsOf({ ...payment({ request: { amount } }), currency });
  return preview(ruleSet, facts, createCounters(), true).flips![0];
}

it("finds a limit wherever it is", async () => {
  const size = fc.integer({ min: 0, max: 11 }).chain((digits) => fc.integer({ min: 0, max: 10 ** digits }));
  await fc.assert(
    fc.asyncProperty(size, size, async (limit, amount) => {
      const flip = flipOf(await rulesOf(`when: amount > ${limit}, effect: block`), amount);
      expect(flip?.to).toBe(amount > limit ? limit : limit + 1);
    }),
  );
});

it.each([
  ["a narrow stretch nearby", 500, 1_100, 1_700, 1_101],
  ["a narrow stretch of smaller amounts", 9_500, 3_100, 4_500, 4_500],
  ["a wide stretch far away", 500, 3_100_000, 12_400_000, 3_100_001],
  ["the neighbour above", 500, 500, 501, 501],
  ["the neighbour below", 500, 498, 499, 499],
  ["one round amount", 12_345, 69_999, 70_000, undefined],
  ["the next round amount", 12_345, 12_399, 12_400, 12_400],
  ["the round amount before", 12_345, 9_999, 10_000, 10_000],
  ["no amount at all", 150, -1, 0, 0],
])("finds %s of %i, from above %i up to %i: %s", async (_what, amount, low, high, to) => {
  const ruleSet = await rulesOf(`when: amount >= ${low + 1} && amount <= ${high}, effect: block`);
  expect(flipOf(ruleSet, amount)?.to).toBe(to);
});

/** A rule about the attempts with one card, of which the payment is the first. */
const count = (condition: string, effect: string = "effect: block"): string =>
  `when: '${condition.replaceAll("count", 'velocity("card", "1h")')}', ${effect}`;

it.each([
  [["count >= 1"], [0]],
  [["count >= 0"], []],
  [["count > 4"], [5]],
  [["count >= 7", "count >= 3"], [3]],
  [["count >= 3", "count >= 7"], [3]],
  // As many trials as there may be are spent on counts that flip nothing.
  [
    [...Array.from({ length: 20 }, (_, at) => `count >= ${at + 2} && count < ${at + 2}`), "count >= 99"],
    [99],
  ],
  [
    [...Array.from({ length: 400 }, (_, at) => `count >= ${at + 2} && count < ${at + 2}`), "count >= 999"],
    [],
  ],
])("of counts finds the nearest, and tries no more than it may: %#", async (conditions, found) => {
  const ruleSet = await rulesOf(...conditions.map((condition) => count(condition)));
  const { flips } = preview(ruleSet, factsOf(payment()), createCounters(), true);
  expect(flips!.map(({ to }) => to)).toEqual(found);
});

it("says an amount as it is where its currency is not known", async () => {
  const ruleSet = await rulesOf("when: amount > 250, effect: block");
  expect(flipOf(ruleSet, 250)?.text).toMatch(/^With 251 instead of 250: /);
});

it.each([
  ["what begins, where it gets stricter", ["when: amount > 250, effect: block"], 250, "RULE_0 now hits"],
  ["what ends, where it gets milder", ["when: amount > 250, effect: block"], 251, "RULE_0 no longer hits"],
  [
    "what is allowed, where nothing ends",
    ["when: amount >= 0, score: 80", "when: amount > 250, effect: allow"],
    250,
    "RULE_1 now hits",
  ],
  [
    "what begins, where something milder ends",
    ["when: amount <= 250, score: 20", "when: amount > 250, score: 40"],
    250,
    "RULE_1 now hits",
  ],
  [
    "what ends, where something milder begins",
    ["when: amount <= 250, score: 80", "when: amount > 250, score: 40"],
    250,
    "RULE_0 no longer hits",
  ],
])("names %s", async (_what, rules, amount, said) => {
  expect(flipOf(await rulesOf(...rules), amount)?.text).toContain(said);
});
