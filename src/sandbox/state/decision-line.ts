// A decision as one item of the log: its answer, what it counted (counted again at a restart) and its explanation.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Attempt, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS, keysByIndex, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { pairKinds } from "#src/rules/counters/counters.ts";
import type { DecisionRecord } from "#src/rules/decision/decision-record.ts";
import type { AnswerEntry } from "./saved-counters.ts";

export type CountedAttempt = readonly [at: Milliseconds, attempt: Attempt];

/** What explains a decision. */
export interface DecisionBody {
  readonly id: string;
  readonly orderId: string | null;
  readonly record: DecisionRecord;
}

/**
 * A tuple, as property names would be most of the text; keys and pairs are indexes in COUNTER_KEYS. The keys are one string
 * with blanks between them: V8 needs twice as long to serialise an array of sliced strings.
 */
type Counted = readonly [
  at: Milliseconds,
  keys: string,
  pairs: readonly number[],
  eurCents: number | null,
  micro: 0 | 1,
  amount: number | null,
  currency: number | null,
];

/** Project, time, recommendation and message of its answer are those of the record. */
export type DecisionLine = readonly [
  id: string,
  orderId: string | null,
  digest: string,
  counted: Counted | null,
  record: DecisionRecord,
];

/** Of a check that was counted, and not decided because of an error. */
export type CountedLine = readonly [counted: Counted];

/** Key of the stored answer to an order. */
export function orderKey(projectId: string, orderId: string): string {
  return `${projectId}\n${orderId}`;
}

/** @param digest of the body of the check. @param counted null where nothing was */
export function decisionLine(
  { id, orderId, record }: DecisionBody,
  digest: string,
  counted: CountedAttempt | null,
): DecisionLine {
  return [id, orderId, digest, counted && writeCounted(counted), record];
}

export function countedLine(counted: CountedAttempt): CountedLine {
  return [writeCounted(counted)];
}

/** Null where nothing was counted. */
export function readAttempt(line: DecisionLine | CountedLine): CountedAttempt | null {
  const counted = isDecision(line) ? line[3] : line[0];
  return counted && readCounted(counted);
}

export function isDecision(line: DecisionLine | CountedLine): line is DecisionLine {
  return line.length > 1;
}

/** The answer to be repeated, and its key; null without an order id. */
export function readAnswer([id, orderId, digest, , record]: DecisionLine): AnswerEntry | null {
  const { project, at, recommendation, message } = record;
  if (orderId === null) return null;
  return [orderKey(project.projectId, orderId), { digest, at, decisionId: id, recommendation, message }];
}

export function readBody([id, orderId, , , record]: DecisionLine): DecisionBody {
  return { id, orderId, record };
}

/** Keys are base64url, without blanks. */
const BETWEEN_KEYS = " ";

function writeCounted([at, attempt]: CountedAttempt): Counted {
  const { keys, pairs, eurCents, micro, amount, currency } = attempt;
  return [
    at,
    keysByIndex(keys).join(BETWEEN_KEYS),
    pairKinds(pairs),
    eurCents,
    micro === true ? 1 : 0,
    amount ?? null,
    currency ?? null,
  ];
}

function readCounted([at, written, numbers, eurCents, micro, amount, currency]: Counted): CountedAttempt {
  const keys: Partial<Record<CounterKey, string>> = {};
  for (const [kind, key] of written.split(BETWEEN_KEYS).entries()) {
    if (key !== "" && COUNTER_KEYS[kind] !== undefined) keys[COUNTER_KEYS[kind]] = key;
  }
  const pairs: DistinctPair[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    const [of, key] = [COUNTER_KEYS[numbers[i]!], COUNTER_KEYS[numbers[i + 1]!]];
    if (of !== undefined && key !== undefined) pairs.push([of, key]);
  }
  const attempt = { keys, pairs, eurCents, micro: micro === 1 };
  return [at, amount === null || currency === null ? attempt : { ...attempt, amount, currency }];
}
