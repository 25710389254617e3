// Decisions: the demonstrations people will try first, precedence, and rules that cannot be evaluated.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { RISK_LEVELS, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import type { DecisionDraft } from "#src/rules/decision/decide.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { decide } from "./decisions.ts";
import { imageText } from "./images.ts";
import { DAY, HOUR, MINUTE, NOON, anyPayment, factsOf, loadStarter, payment, starterText } from "./sample.ts";

const starter = await loadStarter();
const first = (request: CheckRequest, level: RiskLevel = "medium"): DecisionDraft =>
  decide(starter, factsOf(request, level), createCounters());
const rule = (decision: DecisionDraft, code: string): Explanation["rules"][number] =>
  decision.rules.find((trace) => trace.code === code)!;

/** The words for each attempt, `gap` apart. */
function attempts(requests: readonly CheckRequest[], level: RiskLevel, gap: number): string[] {
  const counters = createCounters();
  return requests.map(
    (request, i) => decide(starter, factsOf(request, level, NOON + i * gap), counters).recommendation,
  );
}

describe("a clean payment", () => {
  it.each(RISK_LEVELS)("passes on %s", (level) => {
    const decision = first(payment(), level);
    expect(decision).toMatchObject({ recommendation: "pass", score: 0, decidedBy: "pass", riskLevel: level });
    expect(decision.message).toBe("Continue processing: no rule had an objection.");
    const others = decision.rules.filter(({ outcome }) => outcome !== "no_hit");
    // A note about the test card.
    expect(others.map(({ code, mode, outcome }) => [code, mode, outcome])).toEqual([
      ["TEST_BIN", "shadow", "hit"],
    ]);
  });

  it("passes again the next day and the next", () => {
    expect(attempts([payment(), payment(), payment()], "high", DAY)).toEqual(["pass", "pass", "pass"]);
  });
});

describe("one card again and again within the hour", () => {
  const twelve = (vary: (i: number) => CheckRequest): CheckRequest[] =>
    Array.from({ length: 12 }, (_, i) => vary(i));

  it("goes from pass over 3-D Secure to block", () => {
    const words = attempts(
      twelve(() => payment()),
      "medium",
      4 * MINUTE,
    );
    expect(words.slice(0, 6)).toEqual(["pass", "pass", "pass", "3ds_or_block", "3ds_or_block", "block"]);
    expect(words.slice(5).every((word) => word === "block")).toBe(true);
  });

  it("is blocked by the sixteenth at the latest, whatever else changes", () => {
    const words = attempts(
      Array.from({ length: 16 }, (_, i) =>
        payment({
          // Up and down: amounts that only rise would be a reason of their own.
          request: { order_id: `order-${i}`, amount: 12_000 + (i % 2 === 0 ? i : i + 5) },
          payer: { payer_ip: `203.0.113.${i}`, email: `payer${i}@example.com`, payer_id: "payer-1" },
        }),
      ),
      "medium",
      4 * MINUTE,
    );
    expect(words.slice(0, 4)).toEqual(["pass", "pass", "pass", "3ds_or_block"]);
    expect(words.slice(14)).toEqual(["3ds_or_block", "block"]);
  });

  it("is forgotten an hour later", () => {
    const counters = createCounters();
    for (let i = 0; i < 4; i++) decide(starter, factsOf(payment(), "medium", NOON + i * MINUTE), counters);
    expect(
      decide(starter, factsOf(payment(), "medium", NOON + 3 * MINUTE + HOUR), counters).recommendation,
    ).toBe("pass");
  });

  it("is stricter on high and milder on low", () => {
    const requests = Array.from({ length: 5 }, () => payment());
    expect(attempts(requests, "high", MINUTE)[2]).toBe("3ds_or_block");
    expect(attempts(requests, "low", MINUTE)).toEqual(["pass", "pass", "pass", "pass", "pass"]);
  });

  it("counts one project apart from another", () => {
    const counters = createCounters();
    const facts = factsOf(payment());
    for (let i = 0; i < 10; i++) decide(starter, facts, counters);
    const other = { ...facts, project: { ...facts.project, projectId: "project-2" } };
    expect(decide(starter, other, counters).recommendation).toBe("pass");
  });
});

describe("what the counters tell", () => {
  const tried = (requests: readonly CheckRequest[], gap: number = MINUTE): DecisionDraft => {
    const counters = createCounters();
    const decisions = requests.map((request, i) =>
      decide(starter, factsOf(request, "medium", NOON + i * gap), counters),
    );
    return decisions.at(-1)!;
  };
  const hits = (decision: DecisionDraft): string[] =>
    decision.rules
      .filter(({ outcome, mode }) => outcome === "hit" && mode === "live")
      .map(({ code }) => code);
  const order = (i: number, more: CheckRequest = {}): CheckRequest => ({ order_id: `order-${i}`, ...more });
  const seven = Array.from({ length: 7 }, (_, i) => i);

  it("another name of the holder with the same card", () => {
    const named = (holder: string, i: number): CheckRequest =>
      payment({ request: order(i), card: { holder } });
    expect(hits(tried([named("OLENA SAMPLE", 1), named("Sample, Olena", 2)]))).toEqual([]);
    expect(hits(tried([named("OLENA SAMPLE", 1), named("IVAN SAMPLE", 2)]))).toEqual(["HOLDERS_PER_CARD"]);
  });

  it("one BIN with many last fours at one terminal", () => {
    const spread = (terminal: (i: number) => string): DecisionDraft =>
      tried(
        seven.map((i) =>
          payment({
            request: order(i, { terminal_id: terminal(i) }),
            card: { cin_card: i, holder: `HOLDER ${"ABCDEFG"[i]}B` },
            payer: { payer_ip: `203.0.${i}.10`, email: `p${i}@example.com`, payer_id: `p-${i}` },
          }),
        ),
      );
    expect(hits(spread(() => "terminal-1"))).toEqual(["BIN_BURST"]);
    expect(hits(spread((i) => `terminal-${i}`))).toEqual([]);
  });

  it("tiny amounts by one payer from anywhere, and what comes after them", () => {
    const small = (i: number, amount: number): CheckRequest =>
      payment({ request: order(i, { amount }), payer: { payer_ip: `203.0.${i}.10` } });
    expect(hits(tried([small(1, 99), small(2, 50), small(3, 99)]))).toEqual(["MICRO_AMOUNT_BURST"]);
    expect(hits(tried([small(1, 99), small(2, 50), small(3, 100)]))).toEqual([]);
    expect(hits(tried([small(1, 99), small(2, 50), small(3, 99), small(4, 70_050)]))).toContain(
      "MICRO_AMOUNT_BURST",
    );
  });

  it("an amount far above what the payer spends", () => {
    const bought = (amounts: readonly number[]): DecisionDraft =>
      tried(
        amounts.map((amount, i) => payment({ request: order(i, { amount }) })),
        10 * DAY,
      );
    const usual = [12_010, 11_990, 12_020, 11_980, 12_030];
    expect(hits(bought([...usual, 48_510]))).toEqual(["AMOUNT_VS_HISTORY", "AMOUNT_ABOVE_USUAL"]);
    expect(hits(bought([...usual, 47_510]))).toEqual(["AMOUNT_ABOVE_USUAL"]);
    expect(hits(bought([...usual, 24_010]))).toEqual([]);
    expect(hits(bought([...usual.slice(1), 48_510]))).toEqual([]);
  });

  it("amounts that feel their way up or down, in one currency", () => {
    const run = (...amounts: number[]): string[] =>
      hits(tried(amounts.map((amount, i) => payment({ request: order(i, { amount }) }))));
    expect(run(10_010, 10_020, 10_030, 10_040)).toContain("MONOTONE_SEQUENCE");
    expect(run(10_040, 10_030, 10_020, 10_010)).toContain("MONOTONE_SEQUENCE");
    expect(run(10_010, 10_020, 10_030)).toEqual([]);
    expect(run(10_010, 10_020, 10_040, 10_030)).not.toContain("MONOTONE_SEQUENCE");
    expect(run(10_010, 10_020, 10_030, 10_030)).not.toContain("MONOTONE_SEQUENCE");
    const first = payment({ request: order(1, { amount: 10 }) });
    const others = [payment({ request: order(2) }), payment({ request: order(3, { amount: 12_500 }) })];
    expect(
      hits(tried([first, ...others, payment({ request: order(4, { amount: 13_010, currency: 978 }) })])),
    ).not.toContain("MONOTONE_SEQUENCE");
    expect(
      hits(
        tried(
          [10_010, 10_020, 10_030, 10_040].map((amount, i) => payment({ request: order(i, { amount }) })),
          HOUR,
        ),
      ),
    ).toEqual([]);
  });

  it("one order with another card or amount", () => {
    const again = payment({ request: { amount: 12_010 } });
    expect(hits(tried([payment(), again]))).toEqual(["DUPLICATE_ORDER"]);
    expect(hits(tried([payment(), payment({ card: { cin_card: 43 } })]))).toEqual(["DUPLICATE_ORDER"]);
    expect(hits(tried([payment(), payment()]))).toEqual([]);
  });
});

describe("single reasons", () => {
  it("an expired card is blocked on every level", () => {
    for (const level of RISK_LEVELS) {
      const decision = first(payment({ card: { expiration_year: 20, expiration_month: 1 } }), level);
      expect(decision).toMatchObject({ recommendation: "block", decidedBy: "hard_block" });
      expect(decision.message).toBe("Block the transaction: the card expired at the end of 01/2020.");
    }
  });

  it("a disposable address goes to 3-D Secure, and is blocked on high", () => {
    const request = payment({ payer: { email: "quick@mailinator.com" } });
    expect(first(request, "low").recommendation).toBe("3ds_or_block");
    expect(first(request).recommendation).toBe("3ds_or_block");
    expect(first(request, "high").recommendation).toBe("block");
    expect(first(request).message).toBe(
      "Send to 3-D Secure, or block if it cannot be forced: the e-mail domain mailinator.com gives out disposable addresses.",
    );
  });

  it("a large amount starts 3-D Secure: over 250 EUR on medium, earlier on high, later on low", () => {
    const large = { amount: 2_000_100, currency: 980 };
    const verdict = { recommendation: "3ds_or_block", decidedBy: "require_3ds" };
    expect(first(payment({ request: large }))).toMatchObject({ ...verdict, score: 12 });
    expect(first(payment({ request: large }), "low").recommendation).toBe("pass");
    const smaller = { amount: 600_000, currency: 980 };
    expect(first(payment({ request: smaller })).recommendation).toBe("pass");
    expect(first(payment({ request: smaller }), "high")).toMatchObject(verdict);
    const fromNowhere = payment({ request: large, payer: { payer_ip: "10.0.0.7" } });
    expect(first(fromNowhere)).toMatchObject({ recommendation: "3ds_or_block", score: 42 });
  });

  it("more than 10,000 EUR is blocked", () => {
    expect(first(payment({ request: { amount: 49_000_100 } })).decidedBy).toBe("hard_block");
    expect(first(payment({ request: { amount: 48_999_900 } })).decidedBy).not.toBe("hard_block");
  });

  it("names the strongest of the minor reasons of a pass", () => {
    const { message } = first(payment({ request: { amount: 50_000 } }));
    expect(message).toBe(
      "Continue processing: strongest of the minor reasons: 500.00 UAH is a round amount.",
    );
  });
});

describe("what cannot be evaluated", () => {
  it("says which field is missing, and does not look like fine", () => {
    const decision = first(payment({ card: { cin_card: undefined }, payer: { email: undefined } }));
    expect(rule(decision, "CARD_VELOCITY_1H")).toMatchObject({
      outcome: "not_evaluated",
      missing: "card.cin_card is missing",
      values: {},
    });
    expect(rule(decision, "DISPOSABLE_EMAIL").missing).toBe("payer.email is missing");
    expect(decision.message).toMatch(/; \d+ rules not evaluated for lack of data\.$/);
  });

  it("includes a currency without a rate", () => {
    const decision = first(payment({ request: { currency: 8 } }));
    expect(rule(decision, "AMOUNT_LIMIT").missing).toBe("no EUR rate for ALL");
    expect(rule(decision, "ROUND_AMOUNT").outcome).not.toBe("not_evaluated");
    expect(rule(first(payment({ request: { currency: 804 } })), "ROUND_AMOUNT").missing).toBe(
      "currency is not in ISO 4217",
    );
  });

  it("holds for an empty request without a fault", () => {
    const decision = first({});
    expect(decision.recommendation).toBe("pass");
    // Nothing is on an empty list, whatever the attempt is.
    const evaluated = decision.rules.filter(({ outcome }) => outcome !== "not_evaluated");
    expect(evaluated.map(({ code, outcome }) => [code, outcome])).toEqual([
      ["LIST_BLOCK", "no_hit"],
      ["LIST_ALLOW", "no_hit"],
      ["LIST_3DS", "no_hit"],
    ]);
  });
});

describe("the explanation", () => {
  it("carries every compared value, the counts with their limits, and the hash", () => {
    const counters = createCounters();
    for (let i = 0; i < 3; i++) decide(starter, factsOf(payment()), counters);
    const decision = decide(starter, factsOf(payment()), counters);
    expect(decision.rules[0]).toEqual({
      code: "CARD_VELOCITY_1H",
      text: "4 attempts with this card in 1 h (limit 3)",
      outcome: "hit",
      mode: "live",
      weight: 35,
      effect: "score",
      values: { 'velocity("card", "1h")': 4, limit: 3 },
    });
    expect(decision.counters).toContainEqual({ key: "card", window: "1h", value: 4, limit: 3 });
    expect(decision.counters).toContainEqual({ key: "card per payer", window: "24h", value: 1, limit: 4 });
    // What a rule needs before it begins is no limit.
    expect(decision.counters).toContainEqual({ key: "terminal", window: "1h", value: 4, limit: null });
    // What several rules read stands there once without a limit, and not at all beside one with a limit.
    const named = (isLimited: boolean): string[] =>
      decision.counters
        .filter(({ limit }) => (limit !== null) === isLimited)
        .map(({ key, window }) => `${key} ${window}`);
    expect(named(false)).toContain("card 30d");
    expect(named(false).filter((name, i, all) => all.indexOf(name) !== i)).toEqual([]);
    expect(named(false).filter((name) => named(true).includes(name))).toEqual([]);
    expect(decision.ruleSetHash).toBe(starter.hash);
    expect(decision.at).toBe(NOON);
  });

  it("is plain JSON, in order, and adds up, for any payment", () => {
    fc.assert(
      fc.property(
        fc.array(anyPayment, { maxLength: 8 }),
        fc.constantFrom(...RISK_LEVELS),
        (payments, level) => {
          const counters = createCounters();
          for (const request of payments) {
            const decision = decide(starter, factsOf(request, level), counters);
            expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
            expect(decision.rules).toHaveLength(starter.rules.length);
            const order = decision.rules.map(({ outcome }) =>
              ["hit", "not_evaluated", "no_hit"].indexOf(outcome),
            );
            expect(order).toEqual(order.toSorted((a, b) => a - b));
            const hits = decision.rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live");
            expect(decision.score).toBe(hits.reduce((sum, { weight }) => sum + (weight ?? 0), 0));
            const blocked =
              hits.some(({ effect }) => effect === "block") || decision.score >= decision.thresholds.block;
            expect(decision.recommendation === "block").toBe(blocked);
          }
        },
      ),
    );
  });

  it("writes amounts and limits as money is written, and codes as they are", async () => {
    const decision = first(payment({ request: { amount: 60_000_000 } }));
    const texts = decision.rules.map(({ text }) => text).join("\n");
    expect(texts).toContain("600 000.00 UAH is over the limit of 490 000 UAH for one transaction");
    expect(texts).toMatch(/600 000\.00 UAH or about 12 \d{3}(\.\d\d)? EUR/);
    expect(
      first(payment({ request: { amount: 18_990, currency: 978 } })).rules.map(({ text }) => text),
    ).toContain("189.90 EUR is not over 250 EUR, which would need 3-D Secure");
    expect(texts).toContain("BIN 411111");
  });

  it.each([
    [1_225_000, "12 250.00 UAH or about 250 EUR is not over 250 EUR"],
    [1_225_001, "12 250.01 UAH or about 250.0002 EUR is over 250 EUR"],
    [1_224_999, "12 249.99 UAH or about 249.9998 EUR is not over 250 EUR"],
    [1_225_100, "12 251.00 UAH or about 250.02 EUR is over 250 EUR"],
  ])("rounds no amount on to the limit that it is over or below: %i", (amount, expected) => {
    const texts = first(payment({ request: { amount } })).rules.map(({ text }) => text);
    expect(texts.find((text) => text.includes("over 250 EUR"))).toContain(expected);
  });

  it("escapes what comes from the request", () => {
    const decision = first(payment({ payer: { email: "a@mailinator.com\u001b[2J" } }));
    expect(JSON.stringify(decision.rules.map(({ text }) => text))).not.toContain("\\u001b");
  });
});

describe("preview", () => {
  it("says what decide would say and counts nothing", () => {
    fc.assert(
      fc.property(fc.array(anyPayment, { minLength: 1, maxLength: 8 }), (payments) => {
        const counters = createCounters();
        for (const request of payments) {
          const facts = factsOf(request);
          const before = imageText(counters);
          const previewed = preview(starter, facts, counters);
          expect(imageText(counters)).toBe(before);
          expect(decide(starter, facts, counters)).toEqual(previewed);
        }
      }),
    );
  });
});

describe("precedence", () => {
  const RULES: Readonly<Record<string, string>> = {
    hard_block: "{ code: HARD, text: hard, when: amount > 0, effect: block }",
    allow_list: "{ code: ALLOW, text: allow, when: amount > 0, effect: allow }",
    block_score: "{ code: HEAVY, text: heavy, when: amount > 0, score: 80 }",
    require_3ds: "{ code: REQUIRE, text: require, when: amount > 0, effect: 3ds }",
    "3ds_score": "{ code: LIGHT, text: light, when: amount > 0, score: 40 }",
  };
  const ORDER = Object.keys(RULES);
  const WORDS = ["block", "pass", "block", "3ds_or_block", "3ds_or_block"];
  const load = (rules: readonly string[]): Promise<RuleSet> =>
    loadRules(
      `name: mine
thresholds: { low: &t { three_ds: 35, block: 75 }, medium: *t, high: *t }
sample: { at: "2026-03-16T12:00:00Z", project_currency: 978, request: {} }
rules: [${rules.join(", ")}]`,
      "mine.yaml",
    );

  it.each(ORDER)("%s beats everything after it", async (kind) => {
    const at = ORDER.indexOf(kind);
    // Scores add up, so a light rule beside a heavy one changes nothing.
    const ruleSet = await load(
      ORDER.slice(at)
        .toReversed()
        .map((name) => RULES[name]!),
    );
    const decision = decide(ruleSet, factsOf(payment()), createCounters());
    expect([decision.decidedBy, decision.recommendation]).toEqual([kind, WORDS[at]]);
    // The explanation begins with what decided, wherever its rule stands in the file.
    expect(decision.rules[0]!.code).toBe(/code: (\w+)/.exec(RULES[kind]!)![1]);
  });

  it("a list of allowed passes what the score would stop, and a hard block stops what is allowed", async () => {
    const listed = (lists: string): Promise<RuleSet> =>
      loadRules(starterText.replace("  blocked: []\n  allowed: []\n", lists), "mine.yaml");
    const allowed = await listed("  blocked: []\n  allowed: [{ payer: payer-1, note: the owner }]\n");
    const risky = payment({ payer: { email: "a@mailinator.com", payer_ip: "10.0.0.1" } });
    expect(first(risky).recommendation).toBe("block");
    const passed = decide(allowed, factsOf(risky), createCounters());
    expect(passed).toMatchObject({ recommendation: "pass", decidedBy: "allow_list", score: 90 });
    expect(passed.message).toBe("Continue processing: payer payer-1 is on the allow list.");
    const both = await listed("  blocked: [{ domain: mailinator.com }]\n  allowed: [{ payer: payer-1 }]\n");
    const blocked = decide(both, factsOf(risky), createCounters());
    expect(blocked).toMatchObject({ recommendation: "block", decidedBy: "hard_block" });
    expect(blocked.message).toContain("domain mailinator.com is on the block list");
  });

  it("a shadow rule is shown and does not count; one that is off is not tried", async () => {
    const mode = (name: string, value: string): string => RULES[name]!.replace(" }", `, mode: ${value} }`);
    const ruleSet = await load([mode("hard_block", "shadow"), mode("block_score", "off")]);
    const decision = decide(ruleSet, factsOf(payment()), createCounters());
    expect(decision).toMatchObject({ recommendation: "pass", score: 0 });
    expect(decision.rules.map(({ code, outcome }) => [code, outcome])).toEqual([
      ["HARD", "hit"],
      ["HEAVY", "not_evaluated"],
    ]);
    expect(decision.rules[1]!.missing).toBe("the rule is off");
    expect(decision.message).toBe("Continue processing: no rule had an objection.");
  });

  it("a condition without a value is not evaluated", async () => {
    const ruleSet = await load(["{ code: DIVIDES, text: t, when: 100 / (amount - amount) > 1, score: 80 }"]);
    const [trace] = decide(ruleSet, factsOf(payment()), createCounters()).rules;
    expect(trace).toMatchObject({
      outcome: "not_evaluated",
      missing: "the condition has no value for this attempt",
    });
  });

  it("has() lets a rule do without a field", async () => {
    const condition = `'has(payer.email) ? payer.email.endsWith("x") : true'`;
    const ruleSet = await load([`{ code: NO_EMAIL, text: t, when: ${condition}, score: 80 }`]);
    const outcome = (email: string | undefined): string =>
      decide(ruleSet, factsOf(payment({ payer: { email } })), createCounters()).rules[0]!.outcome;
    expect([outcome(undefined), outcome("a@b.x"), outcome("a@b.c")]).toEqual(["hit", "hit", "no_hit"]);
  });

  it("a hostile pattern against a hostile text takes no time to speak of", async () => {
    const ruleSet = await load([`{ code: EVIL, text: t, when: 'regex(description, "^(a+)+$")', score: 80 }`]);
    const started = performance.now();
    const request = payment({ request: { description: `${"a".repeat(5_000)}!` } });
    expect(decide(ruleSet, factsOf(request), createCounters()).rules[0]!.outcome).toBe("no_hit");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
