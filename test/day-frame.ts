// A day of payments for tests of what runs past: card-testing among good customers, decided by two rule sets.

import type { DayPayment, StreamFrame } from "#src/actions/sandbox/demo.ts";
import type { ByVerdict, Outcomes, SideOutcomes } from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const START = Date.UTC(2025, 10, 18);
const HOUR = 3_600_000;

/** Payment n of a day: every eighth is a good customer whom only today's rules block, every fiftieth is fraud. */
function paymentAt(n: number, every: number): DayPayment {
  const bad = n % 50 === 49;
  const disturbed = !bad && n % 8 === 3;
  const today: Recommendation =
    disturbed || (bad && n % 100 !== 99) ? "block" : n % 4 === 2 ? "3ds_or_block" : "pass";
  const proposed: Recommendation = disturbed ? "pass" : today;
  return {
    at: START + n * every,
    request: {
      operation: "payment",
      order_id: `tx-${100_000 + n}`,
      amount: 4_500 + (n % 7) * 100,
      currency: 978,
      payer: { payer_ip: "203.0.113.77", email: "canary.bird@cage.example", payer_id: "payer-canary-17" },
      card: { bin_card: 444411, cin_card: 9173, holder: "CANARY KANARIENVOGEL" },
    },
    today,
    proposed,
    worth: bad ? "bad" : "good",
    eur: 45,
    why: disturbed
      ? "7 last fours of one BIN at this terminal in 6 h for canary.bird@cage.example (limit 6, proposed 20)"
      : null,
  };
}

const NONE: ByVerdict = {
  pass: { count: 0, eur: 0 },
  block: { count: 0, eur: 0 },
  "3ds_or_block": { count: 0, eur: 0 },
};
const SIDE: SideOutcomes = {
  labels: { fraud: NONE, chargeback: NONE, refund: NONE, good: NONE },
  unlabelled: NONE,
  curve: [],
  scores: [],
  marks: null,
};

/** A frame of two days with so many payments. */
export function dayFrame(count: number, changes: Partial<StreamFrame["day"]> = {}): StreamFrame {
  const every = (48 * HOUR) / Math.max(1, count);
  const payments = Array.from({ length: count }, (_, n) => paymentAt(n, every));
  const outcomes: Outcomes = {
    current: SIDE,
    proposed: SIDE,
    changes: [],
    causes: [],
    rules: [],
    spans: Array.from({ length: 48 }, (_, hour) => ({
      from: START + hour * HOUR,
      total: count / 48,
      current: { goodBlocked: 10 + (hour % 12) * 4, badPassed: 0 },
      proposed: { goodBlocked: hour % 3, badPassed: 0 },
    })),
    spanMs: HOUR,
    withoutRate: 0,
    unused: 0,
  };
  return {
    kind: "stream",
    index: 1,
    total: 2,
    say: "A day of payments runs past",
    note: "Wait for the first case.",
    seconds: null,
    overMs: 20_000,
    day: {
      today: "the 39 rules in force",
      proposed: "proposed.yaml",
      changes: ["BIN_BURST from 20 last fours instead of 6"],
      payments,
      stops: [],
      outcomes,
      sentences: [
        "1 240 good payments (124 500 EUR) are no longer blocked; nine fraudulent ones (5 000 EUR) are no longer blocked, four of them pass (134 EUR).",
      ],
      ...changes,
    },
  };
}
