// The comparison of two runs: flips (verdicts that changed) and the money behind them.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RunRow } from "./run.ts";

/**
 * - `unchanged`, `flipped`: both sides have a trustworthy verdict
 * - `new`: only in the later run; `missing`: only in the earlier one
 * - `failed`: in both, and one side has no trustworthy verdict
 */
export type ItemChange = "unchanged" | "flipped" | "new" | "missing" | "failed";

/** A sum of amounts of one currency, in the unit of the profile. */
export interface Money {
  /** ISO 4217 number; null where the payload had none. */
  readonly currency: number | null;
  readonly amount: bigint;
}

/** One cell of the matrix: items that were `was` and are `now`. */
export interface FlipCell {
  readonly was: Recommendation;
  readonly now: Recommendation;
  readonly count: number;
  /** By currency, the largest count first. */
  readonly money: readonly Money[];
}

/** One item whose verdict changed, with both sides. */
export interface Flip {
  readonly key: string;
  readonly change: ItemChange;
  readonly was: Recommendation | null;
  readonly now: Recommendation | null;
  /** The earlier side; null where only the verdict is known, or for a new item. */
  readonly before: RunRow | null;
  /** The later side; null for a missing item. */
  readonly after: RunRow | null;
}

export interface Comparison {
  /** Name of the baseline for people: a run's id, or `what the payloads carried`. */
  readonly baseline: string;
  readonly run: string;
  /** Nine cells: rows by `was`, columns by `now`, each in the order pass, 3ds_or_block, block. */
  readonly matrix: readonly FlipCell[];
  readonly changes: Readonly<Record<ItemChange, number>>;
  /** Items that both sides have with a trustworthy verdict: the base of percentages. */
  readonly compared: number;
  /** Flips from anything to block. */
  readonly newBlocks: number;
  /** The worst first: pass to block, block to pass, then the others; at most `FLIPS_KEPT`. */
  readonly flips: readonly Flip[];
}

/** Flips kept in memory; a report gives the rest as a count. */
export const FLIPS_KEPT = 1_000;

/** The baseline of a comparison with the verdicts that the items themselves had. */
export const CARRIED = "what the payloads carried";

/** Sums of several cells as one list, in the order in which a currency is first met. */
export function addMoney(lists: readonly (readonly Money[])[]): Money[] {
  const sums = new Map<number | null, bigint>();
  for (const { currency, amount } of lists.flat()) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}
