// One decision as a line of JSON in which nothing is said twice: its answer, what was counted, to be counted again after a
// restart, and what explains it.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Attempt, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS, inKeyOrder, type CounterKey } from "#src/rules/counters/counter-keys.ts";
import { pairKinds } from "#src/rules/counters/counters.ts";
import type { DecisionRecord } from "#src/rules/decision/decision-record.ts";
import type { StoredAnswer } from "./counters-file.ts";

/** What a restart needs of a decision. */
export interface DecisionHead {
  /** Where its answer is kept; null without an order id. */
  readonly order: string | null;
  readonly answer: StoredAnswer;
  readonly counted: readonly CountedAttempt[];
}

export type CountedAttempt = readonly [at: Milliseconds, attempt: Attempt];

/** What explains a decision. */
export interface DecisionBody {
  readonly id: string;
  readonly orderId: string | null;
  readonly record: DecisionRecord;
}

/**
 * Without names, which are most of it otherwise: keys and pairs go by their places in COUNTER_KEYS. Keys are one text with a
 * blank between each two (earlier versions wrote a list with 0 for none): JSON of a list of texts that were cut from others
 * takes twice as long.
 */
type Counted = readonly [
  at: Milliseconds,
  keys: string | readonly (string | 0)[],
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

/** Earlier versions wrote two texts with a tab between them: this, and the body with names. */
type EarlierHead = readonly [
  order: string | null,
  digest: string,
  at: Milliseconds,
  decisionId: string,
  recommendation: Recommendation,
  message: string,
  counted: readonly Counted[],
];

/** Where the answer to an order is kept. */
export function orderKey(projectId: string, orderId: string): string {
  return `${projectId}\n${orderId}`;
}

/** @param digest of the body that was decided about */
export function decisionLine(
  { id, orderId, record }: DecisionBody,
  digest: string,
  counted: readonly CountedAttempt[],
): DecisionLine {
  return [id, orderId, digest, counted.map(writeCounted), record];
}

/** @param text JSON of a DecisionLine, or what earlier versions wrote */
export function readHead(text: string): DecisionHead {
  const tab = text.indexOf("\t");
  if (tab !== -1) return readEarlierHead(text.slice(0, tab));
  const [id, orderId, digest, counted, record] = JSON.parse(text) as DecisionLine;
  const { project, at, recommendation, message } = record;
  return {
    order: orderId === null ? null : orderKey(project.projectId, orderId),
    answer: { digest, at, decisionId: id, recommendation, message },
    counted: counted.map(readCounted),
  };
}

/** The first of them wrote names here, too. */
function readEarlierHead(text: string): DecisionHead {
  const parsed = JSON.parse(text) as EarlierHead | DecisionHead;
  if (!isList(parsed)) return parsed;
  const [order, digest, at, decisionId, recommendation, message, counted] = parsed;
  return {
    order,
    answer: { digest, at, decisionId, recommendation, message },
    counted: counted.map(readCounted),
  };
}

function isList(parsed: EarlierHead | DecisionHead): parsed is EarlierHead {
  return Array.isArray(parsed);
}

/**
 * @param text JSON of a DecisionLine, or what earlier versions wrote
 * @returns the explanation itself, as the first of them kept it, without `repeat`
 */
export function readBody(text: string): DecisionBody | Explanation {
  const tab = text.indexOf("\t");
  if (tab !== -1) return JSON.parse(text.slice(tab + 1)) as DecisionBody | Explanation;
  const [id, orderId, , , record] = JSON.parse(text) as DecisionLine;
  return { id, orderId, record };
}

/** No key has one in it. */
const BETWEEN_KEYS = " ";

function writeCounted([at, attempt]: CountedAttempt): Counted {
  const { keys, pairs, eurCents, micro, amount, currency } = attempt;
  return [
    at,
    inKeyOrder(keys).join(BETWEEN_KEYS),
    pairKinds(pairs),
    eurCents,
    micro === true ? 1 : 0,
    amount ?? null,
    currency ?? null,
  ];
}

function readCounted([at, written, numbers, eurCents, micro, amount, currency]: Counted): CountedAttempt {
  const keys: Partial<Record<CounterKey, string>> = {};
  const list = typeof written === "string" ? written.split(BETWEEN_KEYS) : written;
  for (const [kind, key] of list.entries()) {
    if (key !== 0 && key !== "" && COUNTER_KEYS[kind] !== undefined) keys[COUNTER_KEYS[kind]] = key;
  }
  const pairs: DistinctPair[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    const [of, key] = [COUNTER_KEYS[numbers[i]!], COUNTER_KEYS[numbers[i + 1]!]];
    if (of !== undefined && key !== undefined) pairs.push([of, key]);
  }
  const attempt = { keys, pairs, eurCents, micro: micro === 1 };
  return [at, amount === null || currency === null ? attempt : { ...attempt, amount, currency }];
}
