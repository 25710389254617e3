// What an answer's headers tell besides its meaning: dates, waits and the sandbox's own marks.

import type { AnswerFacts } from "#src/contract/wire/outcome.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { parseTime } from "#src/signing/recipes/time-format.ts";
import type { Answer } from "./exchange.ts";

/** `Date` has whole seconds and answers take a while: less than this is no skew. */
const SKEW_TOLERANCE_S = 30;

/**
 * @param nowMs local wall time when the answer came, in ms since the epoch
 * @param isSandbox the answer is a sandbox's, which has proven itself: no other service has a time of its own
 */
export function readFacts(answer: Answer, nowMs: number, isSandbox: boolean): AnswerFacts {
  const serverDateMs = parseTime("http-date", headerValue(answer, "date") ?? "");
  const skewS = serverDateMs === null ? 0 : Math.round((nowMs - serverDateMs) / 1000);
  return {
    httpStatus: answer.status,
    retryAfterS: retryAfter(headerValue(answer, "retry-after") ?? "", serverDateMs ?? nowMs),
    serverDateMs,
    clockSkewS: Math.abs(skewS) > SKEW_TOLERANCE_S ? skewS : null,
    virtualTimeMs: isSandbox ? parseTime("iso8601", headerValue(answer, HEADER.virtualTime) ?? "") : null,
    decisionId: decision(headerValue(answer, HEADER.decision)),
  };
}

/** The value of a header that occurs exactly once; otherwise null. */
export function headerValue(answer: Answer, name: string): string | null {
  const values = answer.headers.filter((header) => header[0] === name);
  return values.length === 1 ? values[0]![1] : null;
}

/** Seconds or a date, RFC 9110 section 10.2.3. */
function retryAfter(text: string, fromMs: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = parseTime("http-date", text);
  return at === null ? null : Math.max(0, Math.ceil((at - fromMs) / 1000));
}

/** Becomes part of a path later, so only what an id can be. */
function decision(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_-]{1,128}$/.test(text) ? text : null;
}
