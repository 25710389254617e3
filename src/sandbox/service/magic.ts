// The decision on a magic order id, which forces a recommendation.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { ADVICE } from "#src/rules/decision/advice.ts";
import type { DecisionDraft } from "#src/rules/decision/decide.ts";
import { DECIDED_BY_MAGIC } from "#src/rules/decision/decision-record.ts";

/** The decision with a forced recommendation; the results of the rules stay. */
export function forced<D extends Pick<DecisionDraft, "recommendation" | "decidedBy" | "message">>(
  decided: D,
  recommendation: Recommendation,
  prefix: string,
): D {
  return {
    ...decided,
    recommendation,
    decidedBy: DECIDED_BY_MAGIC,
    message: `${ADVICE[recommendation]}: forced by the order id (${prefix}).`,
  };
}
