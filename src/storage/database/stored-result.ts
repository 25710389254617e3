// The result of a check as the history and the runs store it.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { withoutCardNumber } from "#src/contract/fields/card-data.ts";
import { OUTCOMES, type CheckResult } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { asList, asNullable, asNumber, asObject, asOneOf, asText } from "./record-shape.ts";

/** Replaces texts of a service that hold a card number, rather than refuse the result: the verdict must not be lost. */
export function withoutCardNumbers(result: CheckResult): CheckResult {
  const { message, rawCode, explanation } = result;
  return {
    ...result,
    message: message === null ? null : withoutCardNumber(message),
    rawCode: rawCode === null ? null : withoutCardNumber(rawCode),
    explanation: withoutCardNumber(explanation),
  };
}

/** JSON of an object without its null members, which a reader puts back. */
export function textWithoutNulls(record: object): string {
  const kept: Record<string, unknown> = {};
  // A filter of the entries takes four times as long.
  for (const [name, value] of Object.entries(record)) if (value !== null) kept[name] = value;
  return JSON.stringify(kept);
}

/** Throws unless a result has its shape: a checksum proves none, as it can be computed by anyone who can write the file. @throws TypeError */
export function requireResult(result: JsonObject): asserts result is CheckResult & JsonObject {
  asOneOf(result.outcome, OUTCOMES);
  asNullable(result.recommendation, (value) => asOneOf(value, RECOMMENDATIONS));
  for (const value of [result.message, result.reason, result.rawCode, result.decisionId])
    asNullable(value, asText);
  asText(result.explanation);
  for (const value of [result.httpStatus, result.latencyMs, result.attempts]) asNullable(value, asNumber);
  if (result.basis === undefined) return;
  const basis = asObject(result.basis);
  asNumber(basis.score);
  asList(basis.rules).forEach(asText);
}
