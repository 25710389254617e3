// What a restart needs of one decision, as a line of JSON: its answer, and what was counted, to be counted again.

import type { Milliseconds } from "#src/contract/clock.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import { COUNTER_KEYS, type CounterKey } from "#src/rules/counter-keys.ts";
import type { Attempt, DistinctPair } from "#src/rules/counters.ts";
import type { StoredAnswer } from "./counters-file.ts";

export interface DecisionHead {
  /** Where its answer is kept; null without an order id. */
  readonly order: string | null;
  readonly answer: StoredAnswer;
  readonly counted: readonly (readonly [at: Milliseconds, attempt: Attempt])[];
}

const KIND = new Map(COUNTER_KEYS.map((key, kind) => [key, kind]));

/** Without names, which are most of it otherwise: keys and pairs go by their places in COUNTER_KEYS. */
type Counted = readonly [
  at: Milliseconds,
  keys: readonly (string | 0)[],
  pairs: readonly number[],
  eurCents: number | null,
  micro: 0 | 1,
  amount: number | null,
  currency: number | null,
];

type Line = readonly [
  order: string | null,
  digest: string,
  at: Milliseconds,
  decisionId: string,
  recommendation: Recommendation,
  message: string,
  counted: readonly Counted[],
];

export function writeHead({ order, answer, counted }: DecisionHead): string {
  const { digest, at, decisionId, recommendation, message } = answer;
  const line: Line = [order, digest, at, decisionId, recommendation, message, counted.map(writeCounted)];
  return JSON.stringify(line);
}

/** Reads what this version writes, and what earlier ones wrote. */
export function readHead(text: string): DecisionHead {
  const parsed = JSON.parse(text) as Line | DecisionHead;
  if (!isLine(parsed)) return parsed;
  const [order, digest, at, decisionId, recommendation, message, counted] = parsed;
  return {
    order,
    answer: { digest, at, decisionId, recommendation, message },
    counted: counted.map(readCounted),
  };
}

function isLine(parsed: Line | DecisionHead): parsed is Line {
  return Array.isArray(parsed);
}

/** The pairs are those of a rule set, and always the same list then. */
const pairNumbers = new WeakMap<readonly DistinctPair[], readonly number[]>();

function writeCounted([at, attempt]: readonly [Milliseconds, Attempt]): Counted {
  const { keys, pairs, eurCents, micro, amount, currency } = attempt;
  let numbers = pairNumbers.get(pairs);
  if (numbers === undefined) {
    numbers = pairs.flatMap(([of, key]) => [KIND.get(of)!, KIND.get(key)!]);
    pairNumbers.set(pairs, numbers);
  }
  return [
    at,
    COUNTER_KEYS.map((key) => keys[key] ?? 0),
    numbers,
    eurCents,
    micro === true ? 1 : 0,
    amount ?? null,
    currency ?? null,
  ];
}

function readCounted([at, written, numbers, eurCents, micro, amount, currency]: Counted): readonly [
  Milliseconds,
  Attempt,
] {
  const keys: Partial<Record<CounterKey, string>> = {};
  for (const [kind, key] of written.entries()) {
    if (key !== 0 && COUNTER_KEYS[kind] !== undefined) keys[COUNTER_KEYS[kind]] = key;
  }
  const pairs: DistinctPair[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    const [of, key] = [COUNTER_KEYS[numbers[i]!], COUNTER_KEYS[numbers[i + 1]!]];
    if (of !== undefined && key !== undefined) pairs.push([of, key]);
  }
  const attempt = { keys, pairs, eurCents, micro: micro === 1 };
  return [at, amount === null || currency === null ? attempt : { ...attempt, amount, currency }];
}
