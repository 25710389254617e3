// The comparison of two runs: flips (verdicts that changed) and the money behind them.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RunItem, RunRow } from "./run.ts";

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
  /** The same in EUR, about; null where no amount could be converted. */
  readonly eur: number | null;
}

/** The code of the rule that decided a verdict; null for none: a pass is what no rule decides. */
export function decisiveRule(verdict: Recommendation | null, rules: readonly string[]): string | null {
  return verdict === "pass" ? null : (rules[0] ?? null);
}

/** Flips with the same decisive rules: what a comparison gives as their cause. */
export interface FlipCause extends FlipCell {
  /** Code of the decisive rule; null for none. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface FlipProject extends FlipCell {
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
}

/** Compared items that agree in all by which a comparison groups. */
export interface ComparedGroup extends Pick<FlipCell, "was" | "now"> {
  readonly currency: number | null;
  /** Code of the decisive rule of a flip; empty for none, null where it is unknown. */
  readonly before: string | null;
  readonly after: string | null;
  readonly project: string | null;
  readonly count: number;
  /** Those with an exact amount, and its sum. */
  readonly amounts: number;
  readonly amount: bigint;
}

/** EUR in one unit of an amount, about, by ISO 4217 number. */
export type EurPerUnit = ReadonlyMap<number, number>;

/** What an earlier run says of an item. */
export interface Earlier {
  /** Null without a trustworthy verdict. */
  readonly verdict: Recommendation | null;
  /** As in `DecisionBasis`. */
  readonly rules?: readonly string[] | undefined;
}

/** What an item carried itself. */
export function carriedBy({ was }: RunItem): Earlier | null {
  return was === null ? null : { verdict: was };
}

/** A row, and what an earlier run says of it, or it carried itself; null for a new item. */
export interface SidedRow {
  readonly row: RunRow;
  readonly earlier: Earlier | null;
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
  /** Flips from anything to block, and from block to anything. */
  readonly newBlocks: number;
  readonly released: number;
  /** Flips by cause and by change, the largest count first; of those whose decisive rules are known on both sides. */
  readonly causes: readonly FlipCause[];
  /** Flips by project and by change, the largest count first; empty unless there are several projects. */
  readonly projects: readonly FlipProject[];
  /** By `WORST_FIRST`, then by their worth in EUR; at most `FLIPS_KEPT` unless more are asked for, shared among the kinds. */
  readonly flips: readonly Flip[];
}

/** Flips kept in memory; a report gives the rest as a count. */
export const FLIPS_KEPT = 1_000;

/** Kinds of flips, the worst first: a good customer lost, fraud accepted, then changes to and from 3-D Secure. */
export const WORST_FIRST: readonly Readonly<Pick<FlipCell, "was" | "now">>[] = [
  { was: "pass", now: "block" },
  { was: "block", now: "pass" },
  { was: "pass", now: "3ds_or_block" },
  { was: "3ds_or_block", now: "block" },
  { was: "block", now: "3ds_or_block" },
  { was: "3ds_or_block", now: "pass" },
];

/** Shares `limit` places among kinds: as many to each, and what a small kind leaves to the others. */
function sharedPlaces(counts: readonly number[], limit: number): number[] {
  const shares = counts.map(() => 0);
  let left = limit;
  for (let open = [...counts.keys()]; left > 0;) {
    open = open.filter((kind) => shares[kind]! < counts[kind]!);
    if (open.length === 0) break;
    const each = Math.max(1, Math.floor(left / open.length));
    for (const kind of open) {
      const more = Math.min(each, counts[kind]! - shares[kind]!, left);
      shares[kind]! += more;
      left -= more;
    }
  }
  return shares;
}

/** The worst of each kind of flip, by `WORST_FIRST`, so that no kind takes the places of the others. */
export function sharedFlips<F extends { readonly was: unknown; readonly now: unknown }>(
  flips: readonly F[],
  limit: number,
): F[] {
  const kinds = WORST_FIRST.map(({ was, now }) =>
    flips.filter((flip) => flip.was === was && flip.now === now),
  );
  const shares = sharedPlaces(
    kinds.map(({ length }) => length),
    limit,
  );
  return kinds.flatMap((kind, index) => kind.slice(0, shares[index]));
}

/** The baseline of a comparison with the verdicts that the items themselves had. */
export const CARRIED = "what the payloads carried";

/** Sums of several cells as one list, in the order in which a currency is first met. */
export function addMoney(lists: readonly (readonly Money[])[]): Money[] {
  const sums = new Map<number | null, bigint>();
  for (const { currency, amount } of lists.flat()) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

/** The worth of several cells in EUR; null where nothing could be converted. */
export function addEur(cells: readonly Pick<FlipCell, "eur">[]): number | null {
  const known = cells.flatMap(({ eur }) => eur ?? []);
  return known.length === 0 ? null : known.reduce((sum, eur) => sum + eur, 0);
}
