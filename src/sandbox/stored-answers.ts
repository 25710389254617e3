// Answers that an identical repeat gets, for as long as it would be one.

import type { Milliseconds } from "#src/contract/clock.ts";

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

/**
 * @param repeatMs how long a repeat gets its answer, in virtual time
 * @param saved oldest first
 */
export function createStoredAnswers<A extends { readonly at: Milliseconds }>(
  repeatMs: Milliseconds,
  saved: Iterable<readonly [order: string, answer: A]>,
  most: number = ANSWERS_KEPT,
): StoredAnswers<A> {
  const answers = new Map<string, A>(saved);
  // A Map finds its oldest entry by stepping over all that were deleted before it: at 5,000 checks a second some
  // 100,000 each time. So those that came wait in a line of their own, too, where one that was replaced is passed over.
  let line: (readonly [order: string, answer: A])[] = [...answers];
  let first = 0;

  function forgetOld(now: Milliseconds): void {
    for (; first < line.length; first += 1) {
      const [order, answer] = line[first]!;
      if (answers.get(order) !== answer) continue;
      if (answers.size <= most && now - answer.at < repeatMs) break;
      answers.delete(order);
    }
    if (line.length > 2 * answers.size + IDLE) {
      line = [...answers];
      first = 0;
    }
  }

  return {
    get size() {
      return answers.size;
    },
    get: (order) => answers.get(order),
    keep(order, answer) {
      answers.delete(order);
      answers.set(order, answer);
      line.push([order, answer]);
      forgetOld(answer.at);
    },
    entries: () => answers,
  };
}
