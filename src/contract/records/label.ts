// What became of a payment, as people learn it afterwards: the outcome by which rules are judged.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/**
 * - `fraud`: known to be fraudulent
 * - `chargeback`: the card's holder disputed it
 * - `refund`: the merchant gave the money back to a good customer
 * - `good`: a good customer's
 */
export const LABELS = ["fraud", "chargeback", "refund", "good"] as const;
/** For sentences. */
export const LABEL_CHOICE = "fraud, chargeback, refund or good";
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

/** The label of an order that counts now, and all of its labels in the order in which they were written. */
export interface LabelledOrder extends OrderLabel {
  readonly known: readonly OrderLabel[];
}

/**
 * Which of two labels of an order counts: the latest that was known by then. One without a time was always known and counts as
 * the earliest, and the one that was written last counts among those of the same time.
 * @param asOf null for all
 */
export function laterLabel(
  before: OrderLabel | null,
  next: OrderLabel,
  asOf: Milliseconds | null,
): OrderLabel | null {
  const isKnown = asOf === null || next.at === null || next.at <= asOf;
  return isKnown && (next.at ?? -Infinity) >= (before?.at ?? -Infinity) ? next : before;
}
