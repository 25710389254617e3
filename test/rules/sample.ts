// A clean payment and the ways in which tests vary it.

import fc from "fast-check";
import type { CheckRequest, RiskLevel } from "#src/contract/wire/wire.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import starter from "#src/rules/rule-file/starter-rules.yaml";

export const NOON = Date.parse("2026-03-16T12:00:00Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const starterText: string = starter;

export function loadStarter(): Promise<RuleSet> {
  return loadRules(starterText, "starter-rules.yaml");
}

export const PAYMENT: CheckRequest = {
  operation: "payment",
  order_id: "order-1",
  amount: 12_000,
  currency: 980,
  description: "Order",
  terminal_id: "terminal-1",
  payer: {
    payer_ip: "203.0.113.10",
    email: "olena@example.com",
    number_phone: "+380501234567",
    payer_id: "payer-1",
  },
  card: {
    holder: "OLENA SAMPLE",
    bin_card: 411_111,
    cin_card: 42,
    expiration_month: 12,
    expiration_year: 29,
  },
};

export interface Variation {
  readonly request?: CheckRequest;
  readonly payer?: NonNullable<CheckRequest["payer"]>;
  readonly card?: NonNullable<CheckRequest["card"]>;
}

export function payment({ request, payer, card }: Variation = {}): CheckRequest {
  return {
    ...PAYMENT,
    ...request,
    payer: { ...PAYMENT.payer, ...payer },
    card: { ...PAYMENT.card, ...card },
  };
}

export function factsOf(
  request: CheckRequest,
  riskLevel: RiskLevel = "medium",
  now: number = NOON,
): DecisionInput {
  return { request, project: { projectId: "project-1", riskLevel, currency: 980 }, now };
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** Payments of every kind: plausible, odd, and with fields missing. */
export const anyPayment: fc.Arbitrary<CheckRequest> = fc.record({
  operation: maybe(fc.string()),
  order_id: maybe(fc.string()),
  amount: maybe(
    fc.oneof(
      fc.integer({ min: 0, max: 3_000_000 }),
      fc.integer({ min: 0, max: 300 }).map((n) => n * 10_000),
    ),
  ),
  currency: maybe(fc.constantFrom(980, 978, 840, 392, 414, 8, 959, 999_999)),
  terminal_id: maybe(fc.oneof(fc.string(), fc.constant("terminal-1"))),
  payer: maybe(
    fc.record({
      payer_ip: maybe(
        fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("10.0.0.1", "203.0.113.7", "not an address")),
      ),
      email: maybe(
        fc.oneof(
          fc.emailAddress(),
          fc.constantFrom("k3x9q2w7z@example.com", "a@mailinator.com", "b@x.YOPMAIL.com", "none", "@"),
        ),
      ),
      number_phone: maybe(
        fc.oneof(
          fc.string(),
          fc.constantFrom("+380501234567", "+2101234567", "+12125551234", "+77012345678"),
        ),
      ),
      payer_id: maybe(fc.constantFrom("payer-1", "payer-2", "payer-3", "")),
    }),
  ),
  card: maybe(
    fc.record({
      holder: maybe(fc.oneof(fc.string(), fc.constantFrom("OLENA SAMPLE", "Ivan Šyla", "TEST", "A1"))),
      bin_card: maybe(
        fc.oneof(fc.integer({ min: 100_000, max: 999_999 }), fc.constantFrom(411_111, 41_111_111)),
      ),
      cin_card: maybe(fc.integer({ min: 0, max: 5 })),
      expiration_month: maybe(fc.integer({ min: 0, max: 13 })),
      expiration_year: maybe(fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom(2027, 2090))),
    }),
  ),
});
