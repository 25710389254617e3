// What a run keeps of a call.

import type { Fault } from "#src/contract/fault.ts";
import type { RunResult } from "#src/contract/records/run.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";

export function runResult(result: CheckResult): RunResult {
  const { outcome, recommendation, message, reason, explanation } = result;
  const { httpStatus, latencyMs, attempts, decisionId, repeated, basis } = result;
  return {
    outcome,
    recommendation,
    message,
    reason,
    explanation,
    httpStatus,
    latencyMs,
    attempts,
    decisionId,
    ...(repeated === undefined ? {} : { repeated }),
    ...basis,
  };
}

/** The result of an item that was refused before a request was made. */
export function unsentResult(fault: Fault): RunResult {
  return {
    outcome: "not_sent",
    recommendation: null,
    message: null,
    reason: fault.code,
    explanation: fault.message,
    httpStatus: null,
    latencyMs: null,
    attempts: 0,
    decisionId: null,
  };
}
