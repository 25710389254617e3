// Stored answers for identical repeats, with an expiry time and a size limit.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** Most answers; beyond this the oldest is evicted, and its repeat is decided and counted again. */
const ANSWERS_KEPT = 200_000;

/** What an identical repeat has in common: the body, and the rules that decided. Other rules decide again. */
export function answerDigest(body: Uint8Array, { hash: rules }: Pick<RuleSet, "hash">): string {
  return `${hash("sha256", body, "base64url")}.${rules.slice(0, 8)}`;
}

/** Answers by order, the oldest first. */
export class StoredAnswers<A extends { readonly at: Milliseconds }> {
  readonly #keptMs: Milliseconds;
  readonly #most: number;
  readonly #answers = new Map<string, A>();
  /** Goes on where it was: a Map that is asked for its first entry skips those that were deleted, some 100,000 each time. */
  #rest = this.#answers.entries();
  #oldest: readonly [order: string, answer: A] | undefined;

  /** @param keptMs lifetime of an answer, in virtual time */
  constructor(keptMs: Milliseconds, most = ANSWERS_KEPT) {
    this.#keptMs = keptMs;
    this.#most = most;
  }

  get size(): number {
    return this.#answers.size;
  }

  get(order: string): A | undefined {
    return this.#answers.get(order);
  }

  /** Stores or replaces an answer, and evicts those that have expired by its time. */
  keep(order: string, answer: A): void {
    this.#answers.delete(order);
    this.#answers.set(order, answer);
    for (;;) {
      this.#oldest ??= this.#rest.next().value ?? (this.#rest = this.#answers.entries()).next().value;
      const [oldest, { at }] = this.#oldest!;
      const isThere = this.#answers.get(oldest) === this.#oldest![1];
      if (isThere && this.size <= this.#most && answer.at - at < this.#keptMs) return;
      if (isThere) this.#answers.delete(oldest);
      this.#oldest = undefined;
    }
  }

  entries(): Iterable<[order: string, answer: A]> {
    return this.#answers.entries();
  }
}
