// A fictitious payer and card for the tour, and for the console on the sandbox.

import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** Plausible in every field; the card is valid through September 2029. */
export const SAMPLE_PAYER = {
  payer: {
    payer_ip: "91.198.36.14",
    email: "olena.kovalenko@shop-customer.example",
    number_phone: "+380501234567",
    payer_id: "c-1001",
  },
  card: {
    holder: "OLENA KOVALENKO",
    bin_card: 444433,
    cin_card: 42,
    expiration_month: 9,
    expiration_year: 29,
  },
} as const satisfies Pick<CheckRequest, "payer" | "card">;
