// Stored answers for identical repeats, with an expiry time and a size limit.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** Most answers; beyond this the oldest is evicted, and its repeat is decided and counted again. */
const ANSWERS_KEPT = 200_000;

/** Stale queue entries that are tolerated before compaction. */
const IDLE = 1_024;

/** What an identical repeat has in common: the body, and the rules that decided. Other rules decide again. */
export function answerDigest(body: Uint8Array, { hash: rules }: Pick<RuleSet, "hash">): string {
  return `${hash("sha256", body, "base64url")}.${rules.slice(0, 8)}`;
}

export interface StoredAnswers<A extends { readonly at: Milliseconds }> {
  readonly size: number;
  get(order: string): A | undefined;
  /** Stores or replaces an answer, and evicts those that have expired by its time. */
  keep(order: string, answer: A): void;
  /** Oldest first. */
  entries(): Iterable<[order: string, answer: A]>;
}

interface Kept<A> {
  readonly order: string;
  readonly answer: A;
}

/** @param keptMs lifetime of an answer, in virtual time */
export function createStoredAnswers<A extends { readonly at: Milliseconds }>(
  keptMs: Milliseconds,
  most: number = ANSWERS_KEPT,
): StoredAnswers<A> {
  const answers = new Map<string, Kept<A>>();
  // A Map finds its oldest entry by skipping deleted ones: some 100,000 each time at 5,000 checks a second. So the entries
  // are also in a queue, where replaced ones are skipped.
  let line: Kept<A>[] = [];
  let first = 0;

  function put(order: string, answer: A): void {
    const kept = { order, answer };
    answers.set(order, kept);
    line.push(kept);
  }

  function isKept(kept: Kept<A>): boolean {
    return answers.get(kept.order) === kept;
  }

  function forgetOld(now: Milliseconds): void {
    for (; first < line.length; first += 1) {
      const kept = line[first]!;
      if (answers.size <= most && now - kept.answer.at < keptMs) break;
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
