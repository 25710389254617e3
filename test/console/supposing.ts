// What a sandbox would say in tests: 3-D Secure over 250.00, block from 2 000.00 on.

import type { RuleTrace } from "#src/contract/wire/explanation.ts";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

function hit(code: string, text: string, effect: RuleTrace["effect"]): RuleTrace {
  return {
    code,
    text,
    outcome: "hit",
    mode: "live",
    weight: effect === "score" ? 10 : null,
    effect,
    values: {},
  };
}

export function supposing({ amount = 0 }: CheckRequest): WhatIf {
  const rules = [
    ...(amount >= 200_000 ? [hit("AMOUNT_LIMIT", "over the limit for one transaction", "block")] : []),
    ...(amount > 25_000 ? [hit("AMOUNT_NEEDS_3DS", "3-D Secure is required over 250", "3ds")] : []),
  ];
  const recommendation = amount >= 200_000 ? "block" : amount > 25_000 ? "3ds_or_block" : "pass";
  return {
    magic: null,
    decision: {
      recommendation,
      message: "As the rules say.",
      at: 0,
      projectId: "project-1",
      riskLevel: "medium",
      orderId: null,
      score: 0,
      thresholds: { threeDs: 35, block: 75 },
      decidedBy: amount >= 200_000 ? "hard_block" : amount > 25_000 ? "require_3ds" : "pass",
      rules,
      counters: [],
      flips: [
        {
          what: "amount",
          from: amount,
          to: 25_001,
          recommendation: "3ds_or_block",
          text: "With 250.01 EUR: 3-D Secure.",
          parts: { what: "amount", now: "120.00 UAH", needed: "250.01 EUR", rule: "AMOUNT_NEEDS_3DS" },
        },
      ],
      ruleSetHash: "aa",
      repeat: false,
    },
  };
}
