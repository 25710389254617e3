// Conditions of any form: prepared closures and the engine behind them against a second, independent engine.

import { celEnv, isCelError, parse, plan } from "@bufbuild/cel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSituation } from "#src/rules/decision/situation.ts";
import { createCountList } from "#src/rules/expressions/count-functions.ts";
import { holds } from "#src/rules/expressions/expression-closure.ts";
import type { ValueType } from "#src/rules/expressions/host-function.ts";
import { loadRuleLanguage } from "#src/rules/expressions/expression.ts";
import { factsOf, payment } from "./sample.ts";

const PARAM_TYPES: Readonly<Record<string, ValueType>> = { limit: "int", factor: "double", word: "string" };

/** Around zero, and around what a number holds exactly and what 64 bits do. */
const integer = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, 3_037_000_500),
);
const double = fc.oneof(fc.constantFrom(0.5, 1, 100), fc.double({ noNaN: true, min: -1e9, max: 1e9 }));

const written = (value: number, isDouble: boolean): string => {
  const text = isDouble && Number.isInteger(value) ? value.toFixed(1) : String(value);
  return value < 0 || Object.is(value, -0) ? `(${text})` : text;
};

const { condition } = fc.letrec<{ int: string; number: string; text: string; condition: string }>((tie) => {
  const both = (left: fc.Arbitrary<string>, ops: readonly string[], right = left): fc.Arbitrary<string> =>
    fc.tuple(left, fc.constantFrom(...ops), right).map(([a, op, b]) => `(${a} ${op} ${b})`);
  return {
    int: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom("amount", "limit", "card.cin_card", "months_to_expiry()"),
      integer.map((value) => written(value, false)),
      both(tie("int"), ["+", "-", "*", "/", "%"]),
    ),
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom("factor", "amount_eur()"),
      double.map((value) => written(value, true)),
      both(tie("number"), ["+", "-", "*", "/"]),
    ),
    text: fc.constantFrom('""', '"web"', "word", "terminal_id", "payer.email"),
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      both(tie("int"), ["<", "<=", ">", ">=", "==", "!="]),
      both(tie("number"), ["<", "<=", ">", ">=", "==", "!="]),
      both(tie("int"), ["<", "<=", ">", ">="], tie("number")),
      both(tie("text"), ["==", "!="]),
      both(tie("condition"), ["&&", "||"]),
      tie("condition").map((inner) => `!${inner}`),
    ),
  };
});

it("have the value that the second engine gives them, or none where it has none", async () => {
  const language = await loadRuleLanguage(createCountList());
  const seen = { true: 0, false: 0, none: 0 };
  const params = fc.record({ limit: integer, factor: double, word: fc.constantFrom("web", "") });
  fc.assert(
    fc.property(condition, params, fc.nat(1_000_000_000), (source, given, amount) => {
      const request = { ...payment(), amount, terminal_id: "web" };
      const situation = createSituation(factsOf(request), {}, [], { rates: null, lists: new Map() });
      const bound = language.compile(source, PARAM_TYPES).bind(given);
      let value: boolean | null;
      try {
        value = holds(bound, situation);
      } catch {
        value = null;
      }
      const months = language.compile("months_to_expiry() == 0", {}).calls[0]!.evaluate!(situation, {});
      const environment = celEnv();
      const text = source
        .replaceAll("months_to_expiry()", `(${String(months)})`)
        .replaceAll("amount_eur()", "0.0");
      const run = plan(environment, parse(text)) as (bindings: Record<string, unknown>) => unknown;
      const second = run({
        amount: BigInt(amount),
        terminal_id: "web",
        payer: new Map([["email", request.payer?.email]]),
        card: new Map([["cin_card", BigInt(request.card?.cin_card ?? 0)]]),
        ...given,
        limit: BigInt(given.limit),
      });
      seen[value === null ? "none" : value ? "true" : "false"] += 1;
      expect(value, source).toBe(isCelError(second) ? null : second);
    }),
    { numRuns: 2_000 },
  );
  for (const [value, times] of Object.entries(seen)) expect(times, value).toBeGreaterThan(20);
});

describe("what the engine computes differently", () => {
  it.each([
    ["texts are ordered by code points", "'\\uFFFD' < '\\U0001F600'", true],
    ["letters beyond ASCII keep their case", "regex('ÆB'.lowerAscii(), '^Æb$')", true],
    ["so they do in the other case", "'æb'.upperAscii() == 'æB'", true],
    ["the least integer has no opposite", "-((0 - 9007199254740992) * 1024) > 0", null],
    ["nor a quotient by minus one", "(0 - 9007199254740992) * 1024 / (0 - 1) > 0", null],
    ["the least integer is one", "-9223372036854775808 < 0", true],
    ["a double too large is no integer", "int(1e99) > 0", null],
    ["a double is cut off", "int(-1.9) == -1", true],
  ])("%s", async (_, source, expected) => {
    const language = await loadRuleLanguage(createCountList());
    const situation = createSituation(factsOf(payment()), {}, [], { rates: null, lists: new Map() });
    const judge = (): boolean => holds(language.compile(source, {}).bind({}), situation);
    if (expected === null) expect(judge).toThrow();
    else expect(judge()).toBe(expected);
  });
});
