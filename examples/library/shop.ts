// What the shop does with an order: it asks for a recommendation, and ships only what it may ship.

import { type Client, finalAction, isPass } from "verdict/client";

export interface Order {
  readonly id: string;
  /** In kopiykas. */
  readonly amount: number;
  readonly email: string;
}

export async function decide(client: Client, order: Order): Promise<"ship" | "3ds" | "block"> {
  const result = await client.check({
    operation: "payment",
    order_id: order.id,
    amount: order.amount,
    currency: 980,
    payer: { email: order.email },
  });
  if (isPass(result)) return "ship";
  // The recommendation is null for every answer that cannot be trusted, and for none.
  return finalAction(result.recommendation, true) === "3ds" ? "3ds" : "block";
}
