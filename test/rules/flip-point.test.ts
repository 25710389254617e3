// What would flip a decision: every answer must hold when it is tried.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RISK_LEVELS } from "#src/contract/wire.ts";
import { createCounters } from "#src/rules/counters.ts";
import { decide, preview } from "#src/rules/decide.ts";
import { decideWithFlips, flipPoints, previewWithFlips } from "#src/rules/flip-point.ts";
import { MINUTE, NOON, anyPayment, factsOf, loadStarter, payment } from "./sample.ts";

const starter = await loadStarter();

describe("flipPoints", () => {
  it("names the amount from which 3-D Secure is asked for, to the cent", () => {
    const [amount] = flipPoints(
      starter,
      factsOf(payment({ request: { amount: 25_000, currency: 978 } })),
      createCounters(),
    );
    expect(amount).toEqual({
      what: "amount",
      from: 25_000,
      to: 25_001,
      recommendation: "3ds_or_block",
      text: "With 250.01 EUR instead of 250.00 EUR: Send to 3-D Secure, or block if it cannot be forced.",
    });
  });

  it("names the count that is one too many", () => {
    const counters = createCounters();
    for (let i = 0; i < 3; i++) {
      decide(
        starter,
        factsOf(payment({ request: { order_id: `o-${i}` } }), "medium", NOON + i * MINUTE),
        counters,
      );
    }
    const facts = factsOf(payment({ request: { order_id: "o-3" } }), "medium", NOON + 3 * MINUTE);
    const explained = decideWithFlips(starter, facts, counters);
    expect(explained.recommendation).toBe("3ds_or_block");
    expect(explained.flips).toContainEqual({
      what: 'velocity("card", "1h")',
      from: 4,
      to: 3,
      recommendation: "pass",
      text: "With 3 for card in 1h instead of 4: Continue processing.",
    });
  });

  it("finds nothing near for a card that has expired, and says nothing without an amount", () => {
    const expired = payment({ card: { expiration_year: 20 } });
    expect(flipPoints(starter, factsOf(expired), createCounters())).toEqual([]);
    expect(flipPoints(starter, factsOf({}), createCounters())).toEqual([]);
  });

  it("tells amounts that hold when they are tried, with neighbours that do not flip, and counts nothing", () => {
    fc.assert(
      fc.property(
        fc.array(anyPayment, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...RISK_LEVELS),
        (given, level) => {
          const counters = createCounters();
          for (const [i, request] of given.slice(1).entries()) {
            decide(starter, factsOf(request, level, NOON + i * MINUTE), counters);
          }
          const facts = factsOf(given[0]!, level, NOON + given.length * MINUTE);
          const before = JSON.stringify(counters.snapshot());
          const { flips, recommendation } = previewWithFlips(starter, facts, counters);
          expect(JSON.stringify(counters.snapshot())).toBe(before);
          for (const flip of flips!) expect(flip.recommendation).not.toBe(recommendation);
          for (const { from, to, recommendation: flipped } of flips!.filter(
            ({ what }) => what === "amount",
          )) {
            const tried = (amount: number): string =>
              preview(starter, { ...facts, request: { ...facts.request, amount } }, counters).recommendation;
            expect(tried(to)).toBe(flipped);
            expect(tried(to + Math.sign(from - to))).toBe(recommendation);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
