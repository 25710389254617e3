// What keeps the items of a replay in order: their turns at a sandbox, and at any other service what they are to share.

import { randomUUID } from "node:crypto";
import type { OrderKey } from "#src/contract/records/run.ts";
import type { RunTurn } from "#src/contract/wire/run-turn.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { counterKeys } from "#src/rules/counters/counter-keys.ts";

/** Two items that share a lane are sent one after the other. */
export function lanesOf(request: CheckRequest, by: readonly OrderKey[]): string[] {
  const keys = counterKeys(request, "", "");
  return by.flatMap((key) => keys[key] ?? []);
}

/** Gives each item that is sent its number, until it has ended: see RunTurn. */
export class RunTurns {
  readonly #run = randomUUID();
  #last = 0;
  /** In the order of the numbers. */
  readonly #underWay = new Set<number>();

  async take<R>(send: (turn: () => RunTurn) => Promise<R>): Promise<R> {
    const number = (this.#last += 1);
    this.#underWay.add(number);
    try {
      return await send(() => ({ run: this.#run, number, lowest: this.#underWay.values().next().value! }));
    } finally {
      this.#underWay.delete(number);
    }
  }
}
