// A decision as one line of JSON for the decision log: its answer, its counts (replayed at a restart) and its explanation.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Attempt, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS, keysByIndex, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { pairKinds } from "#src/rules/counters/counters.ts";
import type { DecisionRecord } from "#src/rules/decision/decision-record.ts";
import type { StoredAnswer } from "./counters-file.ts";

/** The part of a decision that a restart needs. */
export interface DecisionHead {
  /** Key of the stored answer; null without an order id. */
  readonly order: string | null;
  readonly answer: StoredAnswer;
  readonly counted: readonly CountedAttempt[];
}

export type CountedAttempt = readonly [at: Milliseconds, attempt: Attempt];

/** The part of a decision that explains it. */
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
  counted: readonly Counted[],
  record: DecisionRecord,
];

/** Key of the stored answer to an order. */
export function orderKey(projectId: string, orderId: string): string {
  return `${projectId}\n${orderId}`;
}

/** @param digest of the body of the check */
export function decisionLine(
  { id, orderId, record }: DecisionBody,
  digest: string,
  counted: readonly CountedAttempt[],
): DecisionLine {
  return [id, orderId, digest, counted.map(writeCounted), record];
}

/** @param text JSON of a DecisionLine */
export function readHead(text: string): DecisionHead {
  const [id, orderId, digest, counted, record] = JSON.parse(text) as DecisionLine;
  const { project, at, recommendation, message } = record;
  return {
    order: orderId === null ? null : orderKey(project.projectId, orderId),
    answer: { digest, at, decisionId: id, recommendation, message },
    counted: counted.map(readCounted),
  };
}

/** @param text JSON of a DecisionLine */
export function readBody(text: string): DecisionBody {
  const [id, orderId, , , record] = JSON.parse(text) as DecisionLine;
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
