// Payments for the console on its own sandbox.

import { pasted } from "./stage.ts";

let payers = 0;

/** A payment whose payer and card nobody has seen before, so that no counter of the sandbox objects. */
export function payment(order_id: string) {
  const number = (payers += 1);
  return {
    operation: "payment",
    order_id,
    amount: 12_000,
    currency: 980,
    description: "Two books",
    payer: {
      payer_ip: `91.198.${number}.14`,
      email: `payer${number}@shop-customer.example`,
      payer_id: `c-${number}`,
    },
    card: {
      holder: `OLENA KOVALENKO ${"ABCDEFGHIJ"[number]}`,
      bin_card: 444433,
      cin_card: 1000 + number,
      expiration_month: 9,
      expiration_year: 40,
    },
  };
}

/** What the starter rules answer with 3-D Secure. */
export function challenged(order_id: string): object {
  const usual = payment(order_id);
  return { ...usual, payer: { ...usual.payer, email: "x@mailinator.com" } };
}

/** The payment as a marked paste. */
export function asPaste(request: object): string {
  return pasted(JSON.stringify(request, null, 2));
}
