// A history as it is after months: every verdict, long and wide texts, checks that never left and checks that never came back.

import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { finalAction, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { historyIn } from "../storage/open-history.ts";

const MINUTE = 60_000;

/** Who pays; holders and descriptions in several scripts, one of them wide. */
const PAYERS: readonly { readonly holder: string; readonly description: string; readonly email: string }[] = [
  { holder: "OLENA KOVALENKO", description: "Order in the demo shop", email: "olena@shop-customer.example" },
  {
    holder: "山田 太郎",
    description: "注文の支払い、送料込み",
    email: "yamada@shop-customer.example",
  },
  {
    holder: "MAXIMILIANE VON UND ZU HOHENSTEIN-WALDECK",
    description:
      "Subscription of the family plan for twelve months with the extended warranty and delivery to a parcel station",
    email: "maximiliane.von.und.zu.hohenstein-waldeck@a-customer-with-a-very-long-domain.example",
  },
  { holder: "Олена Коваленко", description: "Замовлення №17 🎁", email: "olena.k@shop-customer.example" },
];

const ORDERS = [
  (n: number) => `o-${10_000 + n}`,
  (n: number) => `注文-${n}`,
  (n: number) => `shop-of-the-northern-region/online/2026/week-42/order-${10_000 + n}`,
  (n: number) => `A${n}`,
] as const;

const MESSAGES: Readonly<Record<Recommendation, string>> = {
  pass: "Continue transaction processing",
  block:
    "Too many attempts with this card from several addresses within one hour; further attempts are blocked",
  "3ds_or_block": "The amount is unusual for this payer",
};

/** What becomes of the n-th check. */
const OUTCOMES: readonly (Recommendation | "unknown" | "lost" | "not_sent" | "refused" | "indeterminate")[] =
  [
    "pass",
    "3ds_or_block",
    "pass",
    "block",
    "pass",
    "unknown",
    "pass",
    "not_sent",
    "refused",
    "pass",
    "block",
    "indeterminate",
    "3ds_or_block",
    "lost",
    "pass",
  ];

/** Whose checks they are. */
export interface Owner {
  readonly profile: string;
  readonly project: string;
}

/**
 * Writes `count` checks that end at `now`, the oldest first.
 * @param dir folder of the journal
 * @param project key of the project that most of them were sent for
 */
export async function writeHistory(dir: string, count: number, of: Owner, now: number): Promise<void> {
  const history = historyIn(dir);
  // Many appends at once share their way to the disk.
  const batch = 1_000;
  for (let from = count - 1; from >= 0; from -= batch) {
    const entries = Array.from({ length: Math.min(batch, from + 1) }, (_, index) =>
      entryOf(from - index, of, now),
    );
    await Promise.all(entries.map((entry) => history.intend({ ...entry, result: null, finalAction: null })));
    await Promise.all(entries.filter(({ result }) => result !== null).map((entry) => history.settle(entry)));
  }
  await history.annotate(entryOf(3, of, now).id, "Called the customer: it was not them.");
  await history.close();
}

/** @param age number of checks after it; the newest is 0 */
export function entryOf(age: number, { profile, project }: Owner, now: number): HistoryEntry {
  const at = now - age * 17 * MINUTE - (age % 7) * 13_000;
  const payer = PAYERS[age % PAYERS.length]!;
  const order = ORDERS[(age + 1) % ORDERS.length]!(9_999 - age);
  const amount = [12_000, 98_050, 4_900_000, 99, 1_234_567_890][age % 5]!;
  const currency = [980, 978, 840, 392, 999][age % 5]!;
  const outcome = OUTCOMES[age % OUTCOMES.length]!;
  const result = resultOf(outcome, age);
  return {
    id: `${at.toString(36).padStart(9, "0")}${String(age).padStart(10, "0")}`,
    at,
    profile,
    project: age % 6 === 5 ? "shop-of-the-northern-region-with-a-long-name/high" : project,
    request: {
      operation: "payment",
      order_id: order,
      amount,
      currency,
      description: payer.description,
      terminal_id: "web-1",
      payer: {
        payer_ip: "91.198.36.14",
        email: payer.email,
        number_phone: "+380501234567",
        payer_id: `c-${1_000 + (age % 90)}`,
      },
      card: {
        holder: payer.holder,
        bin_card: 444_433,
        cin_card: 42,
        expiration_month: 9,
        expiration_year: 29,
      },
    },
    result,
    finalAction: finalAction(result?.recommendation ?? null, age % 2 === 0 ? null : age % 3 === 0),
    repeats: null,
    warnings: age % 9 === 1 ? ["payer.email has a host of one part; the service may not know it."] : [],
    explanation: result?.recommendation === "block" ? explanationOf(age, at, order) : null,
    note: null,
  };
}

function resultOf(outcome: (typeof OUTCOMES)[number], age: number): CheckResult | null {
  if (outcome === "lost") return null;
  const call = {
    reason: null,
    explanation: "The service answered.",
    httpStatus: 200,
    latencyMs: 3.4 + ((age * 37) % 290),
    attempts: 1,
    retryAfterS: null,
    serverDateMs: null,
    clockSkewS: null,
    virtualTimeMs: null,
    decisionId: null,
    recommendation: null,
    message: null,
    rawCode: null,
  };
  switch (outcome) {
    case "unknown":
      return {
        ...call,
        outcome: "unknown",
        reason: "deadline",
        explanation: "No answer came within 30 s; the request may have arrived.",
        httpStatus: null,
        latencyMs: 30_000,
        attempts: 2,
      };
    case "not_sent":
      return {
        ...call,
        outcome: "not_sent",
        reason: "connect_refused",
        explanation: "The service does not accept connections; check the address and try again.",
        httpStatus: null,
        latencyMs: null,
        attempts: 3,
      };
    case "refused":
      return {
        ...call,
        outcome: "refused",
        reason: "too_many_requests",
        explanation: "The service refused the request: too many requests; try again in 20 s.",
        httpStatus: 429,
        message: "Too many requests",
        retryAfterS: 20,
      };
    case "indeterminate":
      return {
        ...call,
        outcome: "indeterminate",
        reason: "bad_code",
        explanation: "The code of the answer is none of the three recommendations.",
        message: "pa\u200Bss \u001B[32mPASS",
        rawCode: '"PASS"',
      };
    default:
      return { ...call, outcome: "answered", recommendation: outcome, message: MESSAGES[outcome] };
  }
}

function explanationOf(age: number, at: number, orderId: string): Explanation {
  return {
    id: `d-${age}`,
    recommendation: "block",
    message: MESSAGES.block,
    at,
    projectId: "p-1",
    riskLevel: "medium",
    orderId,
    score: 85,
    thresholds: { threeDs: 40, block: 70 },
    decidedBy: "block_score",
    rules: [
      {
        code: "VEL_CARD_1H",
        text: "6 attempts with this card in 1 h (limit 3)",
        outcome: "hit",
        mode: "live",
        weight: 60,
        effect: "score",
        values: { 'velocity("card", "1h")': 6, limit: 3 },
      },
      {
        code: "AMOUNT_UNUSUAL",
        text: "The amount is 12 times the payer's median",
        outcome: "hit",
        mode: "live",
        weight: 25,
        effect: "score",
        values: { amount: 4_900_000, median: 408_000 },
      },
      {
        code: "IP_COUNTRY",
        text: "The address and the card are of different countries",
        outcome: "not_evaluated",
        mode: "live",
        weight: 20,
        effect: "score",
        values: {},
        missing: "payer.payer_ip",
      },
    ],
    counters: [
      { key: "card", window: "1h", value: 6, limit: 3 },
      { key: "ip", window: "24h", value: 9, limit: 20 },
    ],
    ruleSetHash: "0".repeat(64),
    repeat: false,
  };
}
