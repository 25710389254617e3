// Templates of payments with fictitious data, each of which triggers one kind of rule.

import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { SAMPLE_PAYER } from "./sample-payer.ts";

export interface PaymentTemplate extends SavedPayload {
  /** One or two sentences about it. */
  readonly about: string;
}

const EUR = 978;
const UAH = 980;

/**
 * The templates, without order ids; the sender adds a new one.
 * @param now ms since the epoch, for the expiry of cards
 */
export function paymentTemplates(now: Milliseconds): readonly PaymentTemplate[] {
  const year = new Date(now).getUTCFullYear();
  const clean: CheckRequest = {
    operation: "payment",
    amount: 12_000,
    currency: UAH,
    description: "Order in the demo shop",
    terminal_id: "web-1",
    payer: SAMPLE_PAYER.payer,
    card: { ...SAMPLE_PAYER.card, expiration_year: (year + 3) % 100 },
  };
  const payer = (change: CheckRequest["payer"]): CheckRequest => ({
    ...clean,
    payer: { ...clean.payer, ...change },
  });
  const card = (change: CheckRequest["card"]): CheckRequest => ({
    ...clean,
    card: { ...clean.card, ...change },
  });
  const made = (
    name: string,
    expect: SavedPayload["expect"],
    tags: readonly string[],
    about: string,
    request: CheckRequest,
  ): PaymentTemplate => ({ name, expect, tags, about, request });
  return [
    made("clean-payment", "pass", ["basic"], "No rule has a hit.", clean),
    made(
      "velocity-burst",
      null,
      ["velocity"],
      "One card, many attempts: send it five times with a new order id each time, and the verdict changes.",
      {
        ...clean,
        amount: 4_990,
        payer: { ...clean.payer, payer_id: "c-burst" },
        card: { ...clean.card, cin_card: 1881 },
      },
    ),
    made(
      "card-testing",
      null,
      ["velocity"],
      "Amounts under 1.00, typical for tests of stolen cards: the third within an hour adds to the score.",
      { ...clean, amount: 50, payer: { ...clean.payer, payer_id: "c-tester", payer_ip: "91.198.36.77" } },
    ),
    made(
      "expired-card",
      "block",
      ["card"],
      "The card's last month is over.",
      card({ expiration_year: (year - 1) % 100 }),
    ),
    made(
      "unknown-scheme",
      null,
      ["card"],
      "The BIN belongs to no known card scheme, which adds a little to the score.",
      card({ bin_card: 123456 }),
    ),
    made("large-amount", "block", ["amount"], "12 000.00 EUR: over the limit for one transaction.", {
      ...clean,
      amount: 1_200_000,
      currency: EUR,
    }),
    made(
      "no-decimals",
      null,
      ["amount"],
      "12 000 yen: the currency has no decimals, so the amount 12000 means 12 000 yen.",
      {
        ...clean,
        currency: 392,
      },
    ),
    made(
      "disposable-address",
      "3ds_or_block",
      ["payer"],
      "The e-mail address is disposable.",
      payer({ email: "quick@mailinator.com" }),
    ),
    made(
      "private-address",
      null,
      ["payer"],
      "The payer's IP address is private, as from a shop behind a misconfigured proxy.",
      payer({ payer_ip: "10.0.0.7" }),
    ),
    made(
      "impossible-phone",
      null,
      ["payer"],
      "No subscriber has this telephone number.",
      payer({ number_phone: "+380000000000" }),
    ),
    made(
      "least-there-is",
      null,
      ["basic"],
      "Only the four required fields: most rules lack data and are not evaluated.",
      { operation: "payment", amount: clean.amount!, currency: UAH },
    ),
  ];
}
