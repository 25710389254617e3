// Flips: which verdicts changed between two runs, and how much money is behind each change.

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
  /** What the later side is compared with, for people: a run's id, or `what the payloads carried`. */
  readonly baseline: string;
  readonly run: string;
  /** Nine cells: rows by `was`, columns by `now`, each in the order pass, 3ds_or_block, block. */
  readonly matrix: readonly FlipCell[];
  readonly changes: Readonly<Record<ItemChange, number>>;
  /** Items that both sides have with a trustworthy verdict: the base of percentages. */
  readonly compared: number;
  /** Flips from anything to block. */
  readonly newBlocks: number;
  /** The worst first: pass to block, block to pass, then the others; at most `FLIPS_KEPT`, the rest is in the counts. */
  readonly flips: readonly Flip[];
}

/** Flips of which both sides are kept in memory; a report of more names the rest by count. */
export const FLIPS_KEPT = 1_000;
