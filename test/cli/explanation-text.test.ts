import { expect, it } from "vitest";
import { decisionLines } from "#src/cli/check/explanation-text.ts";
import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";
import { explanationOf, traceOf } from "../console/samples.ts";
import { createStyle } from "#src/display/style.ts";

const style = createStyle({ color: false, ascii: true });

const rule = (code: string, change: Partial<RuleTrace> = {}): RuleTrace =>
  traceOf({ code, text: `${code} in words`, ...change });

const explained = explanationOf({
  id: "dec-7-0a1b2c3d",
  message: "Block the transaction: too many attempts.",
  at: Date.UTC(2026, 2, 16, 12),
  orderId: "order-1",
  rules: [
    rule("HEAVY", { weight: 60, values: { 'velocity("card", "1h")': 6, limit: 3 } }),
    rule("LIGHT", { weight: 20, values: { "payer.email": "a\u202eb@example.com", list: "" } }),
    rule("TRIED", { mode: "shadow", weight: null, effect: "block" }),
    rule("BLIND", { outcome: "not_evaluated", missing: "payer.payer_ip" }),
    rule("QUIET", { outcome: "no_hit", values: { "amount_eur()": 50 / 3 } }),
  ],
  counters: [
    { key: "card", window: "1h", value: 6, limit: 3 },
    { key: "ip", window: "1h", value: 1, limit: null },
  ],
  ruleSetHash: "ab".repeat(32),
});

it("tells everything that is stored, in its order", () => {
  expect(decisionLines(explained, style).join("\n")).toBe(
    `x BLOCK  Block further processing of the transaction.
  Block the transaction: too many attempts.

  decision    dec-7-0a1b2c3d, 2026-03-16 12:00 UTC
  order       order-1
  project     p-1, risk level medium
  score       80; 3-D Secure from 35, block from 75
  decided by  the score
  rules       SHA-256 abababababab

Rules that hit
  HEAVY  +60  HEAVY in words
      velocity("card", "1h") = 6, limit = 3
  LIGHT  +20  LIGHT in words
      payer.email = a\\u202eb@example.com, list = none

Not evaluated
  BLIND  +40  missing: payer.payer_ip

In shadow: tried, and not counted
  TRIED  block  TRIED in words

Evaluated without a hit
  QUIET  +40  QUIET in words
      amount_eur() = 16.66666667

Counted, with this attempt
  COUNT                       WINDOW  VALUE  LIMIT
  attempts with this card     1 h         6      3  over
  attempts from this address  1 h         1      -`,
  );
});

it("tells what would flip it where somebody looked", () => {
  const text = "If the attempts with this card in 1 h were 2 instead of 6: Continue processing.";
  const flip = { what: 'velocity("card", "1h")', from: 6, to: 2, recommendation: "pass", text } as const;
  const last = (flips: Explanation["flips"]): string[] =>
    decisionLines({ ...explained, ...(flips === undefined ? {} : { flips }) }, style).slice(-2);
  expect(last([flip])).toEqual(["What would flip it", `  + PASS   ${text}`]);
  expect(last([])).toEqual([
    "  No single amount or count near these values would.",
    "  It would pass without HEAVY.",
  ]);
  expect(last(undefined).join()).not.toContain("flip");
});

it("says that no rule was hit, and that an answer was given again", () => {
  const lines = decisionLines({ ...explained, recommendation: "pass", rules: [], repeat: true }, style);
  expect(lines).toContain("No rule was hit");
  expect(lines.join("\n")).toContain("given again to an identical repeat");
});

it("shows a weight below zero with its own sign", () => {
  const lines = decisionLines({ ...explained, rules: [rule("TRUSTED", { weight: -10 })] }, style);
  expect(lines).toContain("  TRUSTED  -10  TRUSTED in words");
});
