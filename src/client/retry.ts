// When a call is retried, and after how long.

import type { CallResult } from "#src/contract/wire/outcome.ts";
import type { Call } from "#src/contract/wire/wire.ts";

/** Retries of one call. */
export const RETRY_LIMIT = 2;

const SHORTEST_MS = 500;
const LONGEST_MS = 4_000;
const LONGEST_RETRY_AFTER_S = 10;
const RETRY_STATUS: readonly (number | null)[] = [408, 425, 429, 503];

/**
 * @param retryable whether a `not_sent` may be retried
 * @param random 0 to below 1
 * @returns the wait in ms before the next attempt, or null for none
 */
export function retryDelayMs(
  call: Call,
  result: Pick<CallResult, "outcome" | "httpStatus" | "retryAfterS">,
  retryable: boolean,
  random: () => number,
): number | null {
  if (result.outcome === "not_sent" && retryable) {
    return SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS);
  }
  const invited = result.outcome === "refused" && RETRY_STATUS.includes(result.httpStatus);
  if (call !== "check" || !invited || result.retryAfterS === null) return null;
  return result.retryAfterS <= LONGEST_RETRY_AFTER_S ? result.retryAfterS * 1000 : null;
}
