// Sums the amounts of payments by currency.

import type { Money } from "#src/contract/records/flip.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

export class MoneyTally {
  readonly #sums = new Map<number | null, { count: number; amount: bigint }>();

  /** Adds the amount of a request; a missing or inexact one is skipped, because the sum must be exact. */
  take({ amount, currency: number }: CheckRequest): void {
    const currency = number ?? null;
    if (amount === undefined || !Number.isSafeInteger(amount)) return;
    const sum = this.#sums.get(currency);
    if (sum === undefined) this.#sums.set(currency, { count: 1, amount: BigInt(amount) });
    else {
      sum.count += 1;
      sum.amount += BigInt(amount);
    }
  }

  /** The most frequent currency first, then by number, so that the order does not depend on arrival. */
  sums(): Money[] {
    return [...this.#sums]
      .sort(([one, a], [other, b]) => b.count - a.count || (one ?? 0) - (other ?? 0))
      .map(([currency, { amount }]) => ({ currency, amount }));
  }
}
