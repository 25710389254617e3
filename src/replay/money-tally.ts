// Sums the amounts of payments by currency.

import type { EurPerUnit, Money } from "#src/contract/records/flip.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

export class MoneyTally {
  readonly #sums = new Map<number | null, { count: number; amount: bigint }>();

  /** Adds the amount of a request; a missing or inexact one is skipped, because the sum must be exact. */
  take({ amount, currency }: CheckRequest): void {
    if (amount === undefined || !Number.isSafeInteger(amount)) return;
    this.add(currency ?? null, 1, BigInt(amount));
  }

  /** Adds the sum of several amounts. */
  add(currency: number | null, count: number, amount: bigint): void {
    if (count === 0) return;
    const sum = this.#sums.get(currency);
    if (sum === undefined) this.#sums.set(currency, { count, amount });
    else {
      sum.count += count;
      sum.amount += amount;
    }
  }

  /** The most frequent currency first, then by number, so that the order does not depend on arrival. */
  sums(): Money[] {
    return [...this.#sums]
      .sort(([one, a], [other, b]) => b.count - a.count || (one ?? 0) - (other ?? 0))
      .map(([currency, { amount }]) => ({ currency, amount }));
  }
}

/** Sums in EUR, about; null where there is none of a currency with a rate. */
export function inEur(money: readonly Money[], rates: EurPerUnit): number | null {
  let sum: number | null = null;
  for (const { currency, amount } of money) {
    const rate = currency === null ? undefined : rates.get(currency);
    if (rate !== undefined) sum = (sum ?? 0) + Number(amount) * rate;
  }
  return sum;
}

/** The worth of one payment in EUR, about; null without an exact amount or a rate. */
export function worthInEur({ amount, currency }: CheckRequest, rates: EurPerUnit): number | null {
  const rate = rates.get(currency ?? -1);
  return rate === undefined || !Number.isSafeInteger(amount) ? null : amount! * rate;
}
