// The checks of runs, which arrive in any order, and are decided in that of their numbers.

import type { ServerResponse } from "node:http";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RunTurn } from "#src/contract/wire/run-turn.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";

/** How long a check waits for those before it. A client waits five times as long for the answer. */
const MOST_HELD_MS: Milliseconds = 3_000;
/** A check so far ahead does not wait; clients have 256 under way. */
const MOST_AHEAD = 1_024;
/** Runs of one key that are remembered. */
const MOST_RUNS = 64;

export interface Turn {
  /** Waits for the checks before this one. @throws Refusal when the caller has left meanwhile */
  come(response: ServerResponse): Promise<void>;
  /** This one is decided, or never will be. */
  end(): void;
}

/** Of one tenant. A run belongs to the key that its checks are signed with. */
export class RunOrders {
  readonly #runsOf = new Map<string, Map<string, RunOrder>>();

  turn(keyId: string, { run, number, lowest }: RunTurn): Turn {
    const runs = this.#runsOf.get(keyId) ?? new Map<string, RunOrder>();
    this.#runsOf.set(keyId, runs);
    const order = runs.get(run) ?? new RunOrder();
    // The one that was used last is the last one.
    runs.delete(run);
    runs.set(run, order);
    if (runs.size > MOST_RUNS) runs.delete(runs.keys().next().value!);
    order.moveTo(lowest);
    return { come: (response) => order.come(number, response), end: () => order.end(number) };
  }

  /** Nobody waits any longer: their places are wanted. */
  letGo(): void {
    for (const runs of this.#runsOf.values()) for (const order of runs.values()) order.letGo();
  }
}

class RunOrder {
  /** The lowest number that has not ended. */
  #next = 1;
  /** What is done when the turn of a number has come. */
  readonly #due = new Map<number, () => void>();

  async come(number: number, response: ServerResponse): Promise<void> {
    if (!this.#isAhead(number) || this.#due.has(number)) return;
    const turn = Promise.withResolvers<void>();
    const leave = (): void =>
      turn.reject(new Refusal("unavailable", "The caller has left; nothing was decided."));
    const timer = setTimeout(() => this.moveTo(number), MOST_HELD_MS);
    this.#due.set(number, turn.resolve);
    response.once("close", leave);
    if (response.destroyed) leave();
    try {
      await turn.promise;
    } finally {
      if (this.#due.get(number) === turn.resolve) this.#due.delete(number);
      clearTimeout(timer);
      response.off("close", leave);
    }
  }

  end(number: number): void {
    if (number === this.#next) this.moveTo(number + 1);
    // Another one with its number may be waiting.
    else if (this.#isAhead(number) && !this.#due.has(number)) this.#due.set(number, () => this.end(number));
  }

  /** Nothing waits for the numbers below this one. */
  moveTo(next: number): void {
    if (next <= this.#next) return;
    const isStep = next === this.#next + 1;
    this.#next = next;
    const due = isStep ? [next] : [...this.#due.keys()].filter((each) => each <= next).sort((a, b) => a - b);
    for (const number of due) {
      const go = this.#due.get(number);
      this.#due.delete(number);
      go?.();
    }
  }

  letGo(): void {
    this.moveTo(Math.max(0, ...this.#due.keys()));
  }

  #isAhead(number: number): boolean {
    return number > this.#next && number <= this.#next + MOST_AHEAD;
  }
}
