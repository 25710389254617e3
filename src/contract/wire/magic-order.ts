// Magic order ids, which force an answer of the sandbox. There are no magic amounts, as every amount is a possible payment.

import type { Recommendation } from "./recommendation.ts";
import type { FaultEffect } from "./sandbox-fault.ts";
import type { MagicValue } from "./sandbox-wire.ts";

/** A forced recommendation, or a fault in the answer. */
export type Magic = MagicValue &
  ({ readonly recommendation: Recommendation } | { readonly effect: FaultEffect });

export const MAGIC_VALUES: readonly Magic[] = [
  {
    prefix: "force-pass",
    what: "recommends pass; the rules are shown what they would have said, nothing is counted",
    recommendation: "pass",
  },
  { prefix: "force-block", what: "recommends block; otherwise like force-pass", recommendation: "block" },
  {
    prefix: "force-3ds",
    what: "recommends 3ds_or_block; otherwise like force-pass",
    recommendation: "3ds_or_block",
  },
  {
    prefix: "force-500",
    what: "answers with status 500; nothing is decided",
    effect: { do: "status", status: 500, retryAfterS: null },
  },
  {
    prefix: "force-timeout",
    what: "decides, and then never answers",
    effect: { do: "timeout" },
  },
  {
    prefix: "force-garbage",
    what: "decides, and answers status 200 with a body that is not JSON",
    effect: { do: "garbage" },
  },
  {
    prefix: "force-truncated",
    what: "decides, and cuts the connection in the middle of the answer",
    effect: { do: "truncated" },
  },
];

/** The forced answer of a magic order id; null for other ids. */
export function magicOf(orderId: unknown): Magic | null {
  if (typeof orderId !== "string" || !orderId.startsWith("force-")) return null;
  return MAGIC_VALUES.find(({ prefix }) => orderId.startsWith(prefix)) ?? null;
}
