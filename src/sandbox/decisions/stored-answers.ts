// Answers that an identical repeat gets, for as long as it would be one.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Answers at most; beyond it the oldest is forgotten, and its repeat would be counted. */
const ANSWERS_KEPT = 200_000;

/** Places that may lie idle in the line. */
const IDLE = 1_024;

export interface StoredAnswers<A extends { readonly at: Milliseconds }> {
  readonly size: number;
  get(order: string): A | undefined;
  /** Puts it in the place of an earlier one, and forgets those that are too old by its time. */
  keep(order: string, answer: A): void;
  /** Oldest first. */
  entries(): Iterable<[order: string, answer: A]>;
}

interface Kept<A> {
  readonly order: string;
  readonly answer: A;
}

/**
 * @param repeatMs how long a repeat gets its answer, in virtual time
 * @param saved oldest first
 */
export function createStoredAnswers<A extends { readonly at: Milliseconds }>(
  repeatMs: Milliseconds,
  saved: Iterable<readonly [order: string, answer: A]>,
  most: number = ANSWERS_KEPT,
): StoredAnswers<A> {
  const answers = new Map<string, Kept<A>>();
  // A Map finds its oldest entry by stepping over all that were deleted before it: at 5,000 checks a second some
  // 100,000 each time. So those that came wait in a line of their own, too, where one that was replaced is passed over.
  let line: Kept<A>[] = [];
  let first = 0;

  function put(order: string, answer: A): void {
    const kept = { order, answer };
    answers.set(order, kept);
    line.push(kept);
  }
  for (const [order, answer] of saved) put(order, answer);

  function isKept(kept: Kept<A>): boolean {
    return answers.get(kept.order) === kept;
  }

  function forgetOld(now: Milliseconds): void {
    for (; first < line.length; first += 1) {
      const kept = line[first]!;
      if (answers.size <= most && now - kept.answer.at < repeatMs) break;
      if (isKept(kept)) answers.delete(kept.order);
    }
    if (line.length > 2 * answers.size + IDLE) {
      line = line.slice(first).filter(isKept);
      first = 0;
    }
  }

  return {
    get size() {
      return answers.size;
    },
    get: (order) => answers.get(order)?.answer,
    keep(order, answer) {
      put(order, answer);
      forgetOld(answer.at);
    },
    entries: () =>
      line
        .slice(first)
        .filter(isKept)
        .map(({ order, answer }) => [order, answer]),
  };
}
