// The action that a recommendation asks of the caller, in a few words (spec 1).

import type { Recommendation } from "#src/contract/wire/recommendation.ts";

export const ADVICE: Readonly<Record<Recommendation, string>> = {
  pass: "Continue processing",
  block: "Block the transaction",
  "3ds_or_block": "Send to 3-D Secure, or block if it cannot be forced",
};
