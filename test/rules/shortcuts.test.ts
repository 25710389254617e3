// Shortcuts that usual values take: each says what the careful way says, whatever the value.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { createSituation, type Situation } from "#src/rules/decision/situation.ts";
import { RULE_FUNCTIONS } from "#src/rules/expressions/rule-functions.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { holderAnomaly, localRandomness, phoneProblem } from "#src/rules/values/anomalies.ts";
import { PAYMENT, anyPayment, factsOf, loadStarter } from "./sample.ts";

const texts = (...signs: string[]): fc.Arbitrary<string> =>
  fc.oneof(fc.string({ unit: fc.constantFrom(...signs), maxLength: 24 }), fc.string({ unit: "binary" }));

describe("a value as most are is judged like any other:", () => {
  it("a holder's name", () => {
    const words = fc.constantFrom("TEST", "test", "Olena", "AAA", "a", "NO", "NAME", "Šyla", "4", ".", "");
    const names = fc.array(words, { maxLength: 5 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.oneof(names, texts("A", "a", "B", " ", "\t", "Z", "z", "[", "@")), (name) => {
        // What is no shortcut: a blank at the end is trimmed.
        expect(holderAnomaly(name)).toBe(holderAnomaly(`${name} `));
      }),
      { numRuns: 500 },
    );
  });

  it("a mailbox", () => {
    const vowels = new Set("aeiouyäöüáéíóúàèìòùâêîôûåøæ");
    fc.assert(
      fc.property(texts("a", "b", "k", "1", "9", "é", "ж", ".", "-"), (text) => {
        const local = text.toLowerCase();
        const kinds = Array.from(local, (sign) =>
          /[a-z]/.test(sign) ? "L" : /[0-9]/.test(sign) ? "D" : ".",
        );
        const turns = kinds.join("").match(/(?<=L)D|(?<=D)L/g)?.length ?? 0;
        const runs = Array.from(local, (sign) => (/[a-z]/.test(sign) && !vowels.has(sign) ? "c" : ".")).join(
          "",
        );
        const longest = Math.max(0, ...runs.split(".").map((run) => run.length));
        const letters = kinds.filter((kind) => kind === "L").length;
        const bare =
          letters >= 6 && Array.from(local).filter((sign) => vowels.has(sign)).length / letters < 0.15;
        const points = Math.max(0, turns - 1) * 20 + Math.max(0, longest - 4) * 15 + (bare ? 30 : 0);
        expect(localRandomness(local)).toBe(local.length < 8 ? 0 : Math.min(100, points));
      }),
      { numRuns: 2_000 },
    );
  });

  it("a telephone number", () => {
    const digits = fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), maxLength: 17 });
    const numbers = fc.oneof(
      digits.map((text) => `+${text}`),
      texts("+", "0", "1", "3", "8", "9", " ", "-", "a"),
    );
    fc.assert(
      fc.property(numbers, (phone) => {
        // What is no shortcut: a blank is taken out.
        expect(phoneProblem(phone)).toBe(phoneProblem(` ${phone}`));
        const bare = phone.replaceAll(/\D/g, "");
        const code = [1, 2, 3].find((length) => countriesOfPhone(bare.slice(0, length)) !== null);
        expect(countriesOfPhone(bare)).toEqual(
          code === undefined ? null : countriesOfPhone(bare.slice(0, code)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("a BIN", () => {
    const host = RULE_FUNCTIONS.find(({ name }) => name === "bin_in")!;
    const range = fc.integer({ min: 1, max: 8 }).chain((length) => {
      const one = fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, "0"));
      return fc.oneof(
        one,
        fc.tuple(one, one).map(([from, to]) => `${from}-${to}`),
      );
    });
    const bins = fc.oneof(fc.nat(99_999_999), fc.maxSafeInteger());
    fc.assert(
      fc.property(bins, fc.array(range, { maxLength: 6 }), (bin_card, ranges) => {
        const expected = ranges.some((text) => {
          const [from = "", to = from] = text.split("-");
          const prefix = Number(String(bin_card).slice(0, from.length));
          return prefix >= Number(from) && prefix <= Number(to);
        });
        const situation = situationOf({ rates: null, lists: new Map() }, factsOf({ card: { bin_card } }));
        expect(host.call(situation, [ranges])).toBe(expected);
      }),
    );
  });
});

it("functions that need no more miss nothing where a situation is complete", async () => {
  const ruleSet = await loadStarter();
  let complete = 0;
  fc.assert(
    fc.property(anyPayment, (odd) => {
      const request = {
        ...PAYMENT,
        ...known(odd),
        card: { ...PAYMENT.card, ...known(odd.card) },
        payer: { ...PAYMENT.payer, ...known(odd.payer) },
      };
      const situation = situationOf(ruleSet, factsOf(request), ruleSet);
      if (!situation.isComplete) return;
      complete += 1;
      for (const { needsMore, missing } of RULE_FUNCTIONS) {
        if (needsMore !== true) expect(missing?.(situation, []) ?? null).toBeNull();
      }
    }),
    { numRuns: 300 },
  );
  expect(complete).toBeGreaterThan(20);
});

it("money without an amount is a question mark", async () => {
  const { amount: _, ...rest } = PAYMENT;
  const { rules } = preview(await loadStarter(), factsOf({ ...rest, currency: 978 }), createCounters());
  const { text } = rules.find(({ code }) => code === "CURRENCY_NOT_PROJECT")!;
  expect(text).toBe("? is not in the currency of the project");
});

/** Those fields that are there, so that a sample has the others. */
function known(fields: object = {}): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function situationOf(
  data: Pick<RuleSet, "rates" | "lists">,
  facts: Parameters<typeof createSituation>[0],
  ruleSet?: RuleSet,
): Situation {
  const keys = ruleSet === undefined ? {} : attemptOf(ruleSet, facts, createCounters()).attempt.keys;
  return createSituation(facts, keys, [], data);
}
