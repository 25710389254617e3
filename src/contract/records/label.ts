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

/** True for a label that counts as of a time; null for any time. One that nobody has dated was always known. */
function isKnown({ at }: Pick<OrderLabel, "at">, asOf: Milliseconds | null): boolean {
  return asOf === null || at === null || at <= asOf;
}

/** The labels that count, by order id, which compare exactly. */
export interface LatestLabels {
  /** Takes the labels in the order in which they were written. */
  add(label: OrderLabel): void;
  readonly size: number;
  get(orderId: string): OrderLabel | undefined;
}

/**
 * Keeps for each order the label that counts: the latest that was known by then. One without a time counts as the earliest, and
 * the one that was added last among those of the same time.
 * @param asOf null for all
 */
export function latestLabels(asOf: Milliseconds | null): LatestLabels {
  const kept = new Map<string, OrderLabel>();
  return {
    add: (label) => {
      const before = kept.get(label.orderId);
      const isLatest = before === undefined || (label.at ?? -Infinity) >= (before.at ?? -Infinity);
      if (isKnown(label, asOf) && isLatest) kept.set(label.orderId, label);
    },
    get size() {
      return kept.size;
    },
    get: (orderId) => kept.get(orderId),
  };
}
