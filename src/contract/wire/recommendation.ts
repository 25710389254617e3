// The three recommendations of the service and the caller's required reaction to each (spec section 1).

export const RECOMMENDATIONS = ["pass", "block", "3ds_or_block"] as const;

/** Recommendation code of a check answer (spec 2.4 `code`). */
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** As tables and sums list them: from the mildest to the strictest. */
export const MILDEST_FIRST = ["pass", "3ds_or_block", "block"] as const;

/** The caller's required reaction to each code (spec section 1). */
export const REQUIRED_REACTION: Readonly<Record<Recommendation, string>> = {
  pass: "Continue processing the transaction.",
  block: "Block further processing of the transaction.",
  "3ds_or_block":
    "Send the transaction to 3-D Secure; if 3-D Secure cannot be forced, block further processing.",
};

/** The caller's final action; open after `3ds_or_block` until 3-D Secure is known to be possible. */
export type FinalAction = "continue" | "block" | "3ds";

/** Exact match only: `PASS`, ` pass` or `["pass"]` are not recommendations. */
export function isRecommendation(value: unknown): value is Recommendation {
  return typeof value === "string" && (RECOMMENDATIONS as readonly string[]).includes(value);
}

/**
 * The action that follows from a recommendation (spec section 1).
 * @param canForce3ds whether 3-D Secure can be forced for this transaction; null when unknown
 * @returns null while it is open: no trustworthy recommendation, or an undecided `3ds_or_block`
 */
export function finalAction(
  recommendation: Recommendation | null,
  canForce3ds: boolean | null,
): FinalAction | null {
  switch (recommendation) {
    case "pass":
      return "continue";
    case "block":
      return "block";
    case "3ds_or_block":
      return canForce3ds === null ? null : canForce3ds ? "3ds" : "block";
    case null:
      return null;
  }
}
