// Reads dates, waits and the sandbox's headers from an answer.

import type { AnswerFacts, DecisionBasis } from "#src/contract/wire/outcome.ts";
import { TENANT_NAME } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { parseTime } from "#src/signing/recipes/time-format.ts";
import type { Answer } from "./exchange.ts";

/** A smaller difference is no clock skew, because `Date` has whole seconds and answers take time. */
const SKEW_TOLERANCE_S = 30;

/**
 * @param nowMs local wall time when the answer arrived, in ms since the epoch
 * @param isSandbox true for a sandbox that has proven its identity; virtual time and repeats are accepted from no other service
 */
export function readFacts(answer: Answer, nowMs: number, isSandbox: boolean): AnswerFacts {
  const basis = isSandbox ? basisOf(answer) : null;
  const serverDateMs = parseTime("http-date", headerValue(answer, "date") ?? "");
  const skewS = serverDateMs === null ? 0 : Math.round((nowMs - serverDateMs) / 1000);
  return {
    httpStatus: answer.status,
    retryAfterS: retryAfter(headerValue(answer, "retry-after"), serverDateMs ?? nowMs),
    serverDateMs,
    clockSkewS: Math.abs(skewS) > SKEW_TOLERANCE_S ? skewS : null,
    virtualTimeMs: isSandbox ? parseTime("iso8601", headerValue(answer, HEADER.virtualTime) ?? "") : null,
    ...tenantOf(headerValue(answer, HEADER.tenant)),
    decisionId: decision(headerValue(answer, HEADER.decision)),
    ...(isSandbox && headerValue(answer, HEADER.repeat) === "1" ? { repeated: true } : {}),
    ...(basis === null ? {} : { basis }),
  };
}

/** The value of a header that occurs exactly once; otherwise null. */
export function headerValue(answer: Answer, name: string): string | null {
  const values = answer.headers.filter((header) => header[0] === name);
  return values.length === 1 ? values[0]![1] : null;
}

function basisOf(answer: Answer): DecisionBasis | null {
  const score = headerValue(answer, HEADER.score);
  const rules = headerValue(answer, HEADER.rules) ?? "";
  if (score === null || !/^\d{1,9}$/.test(score) || !/^(?:[A-Z][A-Z0-9_]{0,63}(?: (?!$)|$))*$/.test(rules))
    return null;
  return { score: Number(score), rules: rules === "" ? [] : rules.split(" ") };
}

/** Seconds or a date, RFC 9110 section 10.2.3. */
function retryAfter(text: string | null, fromMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = parseTime("http-date", text);
  return at === null ? null : Math.max(0, Math.ceil((at - fromMs) / 1000));
}

function tenantOf(name: string | null): Pick<AnswerFacts, "tenant"> {
  return name !== null && TENANT_NAME.test(name) ? { tenant: name } : {};
}

/** Only characters of an id, because it becomes part of a path later. */
function decision(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_-]{1,128}$/.test(text) ? text : null;
}
