// The payments of the tour: each one is something that happens in a shop, and shows one reason for a verdict.

import { SAMPLE_PAYER } from "#src/actions/sample-payer.ts";
import type { CheckRequest } from "#src/contract/wire.ts";

export interface TourStep {
  /** What happens, for somebody who does not read JSON. */
  readonly story: string;
  readonly request: CheckRequest;
  /** How far the virtual clock moves before it, in ms. */
  readonly later: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const MARCO = {
  payer: {
    payer_ip: "91.198.36.77",
    email: "marco@shop-customer.example",
    number_phone: "+393331234567",
    payer_id: "c-1002",
  },
  card: { holder: "MARCO ROSSI", bin_card: 555544, cin_card: 1881, expiration_month: 3, expiration_year: 28 },
} as const;

function payment(
  order: string,
  amount: number,
  currency: number,
  who: Pick<CheckRequest, "payer" | "card">,
): CheckRequest {
  return {
    operation: "payment",
    order_id: order,
    amount,
    currency,
    description: "Order in the demo shop",
    terminal_id: "web-1",
    ...who,
  };
}

/** Virtual time at which the tour starts: inside the validity of its cards, on every day it is run. */
export const TOUR_START = Date.UTC(2026, 0, 15, 10, 0, 0);

export const TOUR_STEPS: readonly TourStep[] = [
  { story: "A regular customer pays", request: payment("t-01", 12_000, 980, SAMPLE_PAYER), later: 0 },
  {
    story: "The same customer, a large amount",
    request: payment("t-02", 4_900_000, 980, SAMPLE_PAYER),
    later: 12 * MINUTE,
  },
  {
    story: "A throw-away e-mail address",
    request: payment("t-03", 45_000, 980, {
      payer: { ...MARCO.payer, email: "k3j9x@mailinator.com" },
      card: MARCO.card,
    }),
    later: 7 * MINUTE,
  },
  {
    story: "A card that has expired",
    request: payment("t-04", 12_000, 980, {
      payer: {
        ...MARCO.payer,
        payer_id: "c-1003",
        email: "anna@shop-customer.example",
        payer_ip: "91.198.37.5",
      },
      card: {
        holder: "ANNA NOWAK",
        bin_card: 400000,
        cin_card: 77,
        expiration_month: 11,
        expiration_year: 25,
      },
    }),
    later: 5 * MINUTE,
  },
  ...[1, 2, 3, 4, 5, 6].map((attempt): TourStep => ({
    story: `One card, attempt ${attempt} of 6 in minutes`,
    request: payment(`t-${String(4 + attempt).padStart(2, "0")}`, 18_750 + attempt * 130, 980, {
      payer: {
        payer_ip: "91.198.40.9",
        email: "night.owl@shop-customer.example",
        number_phone: "+380671112233",
        payer_id: "c-1004",
      },
      card: {
        holder: "PAVLO BONDAR",
        bin_card: 444411,
        cin_card: 9090,
        expiration_month: 6,
        expiration_year: 27,
      },
    }),
    later: attempt === 1 ? 60 * MINUTE : MINUTE,
  })),
  {
    story: "The same card, two days later",
    request: payment("t-11", 20_470, 980, {
      payer: {
        payer_ip: "91.198.40.9",
        email: "night.owl@shop-customer.example",
        number_phone: "+380671112233",
        payer_id: "c-1004",
      },
      card: {
        holder: "PAVLO BONDAR",
        bin_card: 444411,
        cin_card: 9090,
        expiration_month: 6,
        expiration_year: 27,
      },
    }),
    later: 2 * DAY,
  },
];
