// What would flip a decision: every answer must hold when it is tried.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rulesAgainstPass, type FlipPoint } from "#src/contract/wire/explanation.ts";
import { RISK_LEVELS, type CheckRequest } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { decide } from "./decisions.ts";
import { imageText } from "./images.ts";
import { MINUTE, NOON, anyPayment, factsOf, loadStarter, payment } from "./sample.ts";

const starter = await loadStarter();

function flipsOfFirst(request: CheckRequest): readonly FlipPoint[] {
  return preview(starter, factsOf(request), createCounters(), true).flips!;
}

describe("what would flip a decision", () => {
  it("names the amount from which 3-D Secure is asked for, to the cent", () => {
    const [amount] = flipsOfFirst(payment({ request: { amount: 25_000, currency: 978 } }));
    expect(amount).toEqual({
      what: "amount",
      from: 25_000,
      to: 25_001,
      recommendation: "3ds_or_block",
      text: "With 250.01 EUR instead of 250.00 EUR: Send to 3-D Secure, or block if it cannot be forced; AMOUNT_NEEDS_3DS now hits, 250.01 EUR is over 250 EUR, which needs 3-D Secure.",
      parts: { what: "amount", now: "250.00 EUR", needed: "250.01 EUR", rule: "AMOUNT_NEEDS_3DS" },
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
    const explained = preview(starter, facts, counters, true);
    expect(explained.recommendation).toBe("3ds_or_block");
    expect(explained.flips).toContainEqual({
      what: 'velocity("card", "1h")',
      from: 4,
      to: 3,
      recommendation: "pass",
      text: "If the attempts with this card in 1 h were 3 instead of 4: Continue processing; CARD_VELOCITY_1H no longer hits.",
      parts: { what: "attempts with this card in 1 h", now: "4", needed: "3", rule: "CARD_VELOCITY_1H" },
    });
  });

  it("names every count by which a rule that hit would not, also where three others are nearer", () => {
    const counters = createCounters();
    const attempt = (i: number) =>
      factsOf(payment({ request: { order_id: `o-${i}` } }), "medium", NOON + i * MINUTE);
    for (let i = 0; i < 5; i++) decide(starter, attempt(i), counters);
    const { flips, recommendation } = preview(starter, attempt(5), counters, true);
    expect(recommendation).toBe("block");
    expect(
      flips!.map(({ parts, from, to, recommendation }) => [parts?.rule, from, to, recommendation]),
    ).toEqual([
      ["IP_VELOCITY_1H", 6, 5, "3ds_or_block"],
      ["EMAIL_VELOCITY_1H", 6, 5, "3ds_or_block"],
      ["PAYER_FREQ_90M", 6, 5, "3ds_or_block"],
      ["CARD_VELOCITY_1H", 6, 3, "3ds_or_block"],
    ]);
  });

  it("names an amount far away, where a limit is, also for a decision that the score made", () => {
    const counters = createCounters();
    const attempt = (i: number) =>
      factsOf(payment({ request: { order_id: `o-${i}` } }), "medium", NOON + i * MINUTE);
    for (let i = 0; i < 3; i++) decide(starter, attempt(i), counters);
    const { flips, recommendation } = preview(starter, attempt(3), counters, true);
    expect(recommendation).toBe("3ds_or_block");
    // 35 for the card, 10 for the large amount and 20 for 5,000 EUR in 24 h are no block: the limit of 10,000 EUR is.
    const [amount] = flips!;
    expect(amount).toMatchObject({ what: "amount", from: 12_000, to: 49_000_001, recommendation: "block" });
  });

  it("names a round amount that is one reason too many", () => {
    // An expiry too far away is 30 of the 35 that 3-D Secure starts from, a round amount 5.
    const [amount] = flipsOfFirst(payment({ request: { amount: 12_345 }, card: { expiration_year: 45 } }));
    expect(amount).toMatchObject({ from: 12_345, to: 10_000, recommendation: "3ds_or_block" });
  });

  it("finds nothing near for a card that has expired, and says nothing without an amount", () => {
    const expired = payment({ card: { expiration_year: 20 } });
    expect(flipsOfFirst(expired)).toEqual([]);
    expect(flipsOfFirst({})).toEqual([]);
  });

  it("names the fewest rules without which a payment passes", () => {
    let refused = 0;
    const laden = fc.tuple(anyPayment, fc.nat({ max: 8 }), fc.constantFrom(...RISK_LEVELS));
    const tried = fc.property(laden, ([request, repeats, level]) => {
      const counters = createCounters();
      for (let i = 0; i < repeats; i++)
        decide(starter, factsOf({ ...request, order_id: `o-${i}` }, level, NOON + i * MINUTE), counters);
      const facts = factsOf(request, level, NOON + repeats * MINUTE);
      const explained = preview(starter, facts, counters);
      const named = rulesAgainstPass({ ...explained, orderId: null, repeat: false }).map(({ code }) => code);
      const without = (codes: readonly string[]): string => {
        const rules = starter.rules.map((rule) =>
          codes.includes(rule.code) ? { ...rule, mode: "shadow" as const } : rule,
        );
        return preview({ ...starter, rules }, facts, counters).recommendation;
      };
      expect(without(named)).toBe("pass");
      for (const left of named) expect(without(named.filter((code) => code !== left))).not.toBe("pass");
      if (named.length > 0) refused += 1;
    });
    fc.assert(tried, { numRuns: 60 });
    expect(refused).toBeGreaterThan(10);
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
          const before = imageText(counters);
          const { flips, recommendation } = preview(starter, facts, counters, true);
          expect(imageText(counters)).toBe(before);
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
