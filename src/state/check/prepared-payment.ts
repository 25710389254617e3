// What the composer holds on the sandbox before anything was typed.

import { SAMPLE_PAYER } from "#src/actions/check/sample-payer.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** A payment by nobody who exists, without an order id: sensible in every field, its card valid for years. */
export function preparedPayment(now: Milliseconds): CheckRequest {
  return {
    operation: "payment",
    amount: 12_000,
    currency: 980,
    description: "Order in the demo shop",
    terminal_id: "web-1",
    payer: SAMPLE_PAYER.payer,
    card: {
      ...SAMPLE_PAYER.card,
      expiration_year: (new Date(now).getUTCFullYear() + 3) % 100,
    },
  };
}
