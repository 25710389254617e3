// A record explains what the decision was, without the counters it was made with.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { explainRecord, type DecisionRecord } from "#src/rules/decision/decision-record.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { decide, decideForRecord } from "./decisions.ts";
import { imageText } from "./images.ts";
import { MINUTE, NOON, anyPayment, factsOf, loadStarter, payment, starterText } from "./sample.ts";

const starter = await loadStarter();
const secret = "s".repeat(32);

/** As it comes back from a file. */
function stored(record: DecisionRecord): DecisionRecord {
  return JSON.parse(JSON.stringify(record)) as DecisionRecord;
}

describe("a record", () => {
  it("is explained like the decision, and flips like it, whatever was counted since", () => {
    fc.assert(
      fc.property(
        fc.array(anyPayment, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }),
        fc.constantFrom(...RISK_LEVELS),
        (given, again, level) => {
          const [asked, told] = [createCounters({ secret }), createCounters({ secret })];
          // Some come more than once, so that an order has charges of its own from before.
          const earlier = [...given, ...again.map((i) => given[i % given.length]!)];
          for (const [i, request] of earlier.entries()) {
            const facts = factsOf(request, level, NOON + i * MINUTE);
            decide(starter, facts, asked);
            decide(starter, facts, told);
          }
          const facts = factsOf(given[0]!, level, NOON + 9 * MINUTE);
          const wanted = preview(starter, facts, asked, true);
          const { record } = decideForRecord(starter, facts, told);
          expect(decide(starter, facts, asked)).toEqual({ ...wanted, flips: undefined });
          for (const request of given) decide(starter, factsOf(request, level, NOON + 10 * MINUTE), told);
          const counted = imageText(told);
          expect(explainRecord(starter, stored(record), told.keysOf)).toEqual(wanted);
          expect(imageText(told)).toBe(counted);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("takes an order's earlier charge for what it is: the same amount again is no other charge", () => {
    const counters = createCounters({ secret });
    const at = (amount: number, minute: number) =>
      factsOf(payment({ request: { amount } }), "medium", NOON + minute * MINUTE);
    decide(starter, at(12_000, 0), counters);
    const wanted = preview(starter, at(12_000, 1), counters, true);
    const { record } = decideForRecord(starter, at(12_000, 1), counters);
    expect(explainRecord(starter, stored(record), counters.keysOf)).toEqual(wanted);
    expect(record.counts.charges.order).toHaveLength(3);
  });

  it("says what was decided, even where the rules would be read otherwise today", () => {
    const { record } = decideForRecord(starter, factsOf(payment()), createCounters({ secret }));
    const letters = record.outcomes.replaceAll("n", "h");
    const told = explainRecord(starter, { ...record, outcomes: letters }, createCounters({ secret }).keysOf);
    expect(told.recommendation).toBe(record.recommendation);
    expect(told.message).toBe(record.message);
    expect(told.rules.some(({ outcome }) => outcome === "no_hit")).toBe(false);
  });

  it("keeps no more of a request than rules can read", () => {
    const request = { ...payment(), note: "x".repeat(1_000) };
    const { record } = decideForRecord(starter, factsOf(request), createCounters({ secret }));
    expect(record.request).toEqual(payment());
  });

  it("leaves the amount alone where counts by charge would have to be guessed", async () => {
    const byCharge = starterText.replace(
      'when: distinct("charge", "order", "24h") > 1',
      'when: distinct("order", "charge", "24h") > 1',
    );
    expect(byCharge).not.toBe(starterText);
    const rules = await loadRules(
      byCharge.replace(/(code: DUPLICATE_ORDER[\s\S]*?)tests:[\s\S]*?\n\n/, "$1\n"),
      "x",
    );
    const large = factsOf(payment({ request: { amount: 25_000, currency: 978 } }));
    const flips = (ruleSet: typeof rules) =>
      preview(ruleSet, large, createCounters({ secret }), true).flips!.map(({ what }) => what);
    expect(flips(starter)).toContain("amount");
    expect(flips(rules)).not.toContain("amount");
  });
});
