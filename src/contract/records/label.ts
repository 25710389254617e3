// What became of a payment, as people learn it afterwards: the outcome by which rules are judged.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/**
 * - `fraud`: known to be fraudulent
 * - `chargeback`: the card's holder disputed it
 * - `refund`: the merchant gave the money back to a good customer
 * - `good`: a good customer's
 */
export const LABELS = ["fraud", "chargeback", "refund", "good"] as const;
export type Label = (typeof LABELS)[number];

export function isLabel(value: unknown): value is Label {
  return LABELS.includes(value as Label);
}

/** True for what rules should stop: fraud and chargebacks. A refund is a good customer's. */
export function isBad(label: Label): boolean {
  return label === "fraud" || label === "chargeback";
}

/** The label of the payment with this order id. */
export interface OrderLabel {
  readonly orderId: string;
  readonly label: Label;
  /** When it became known; null where nobody says. */
  readonly at: Milliseconds | null;
}
