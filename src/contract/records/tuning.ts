// A sweep over one number of a rule file: what each value does to labelled payments, and the value that is proposed.

import { Fault, usage, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { keptEur, sideShares, worthOf, type ThreeDsStops } from "./outcome-shares.ts";
import type { Share, SideOutcomes } from "./outcomes.ts";
import { MOST_VALUES } from "./sweep.ts";

/** What one value does, or the rules as they are. */
export type Tried = Pick<SideOutcomes, "labels">;

export interface TunedValue extends Tried {
  readonly value: number;
  /** True where the payments are decided by this value today. */
  readonly isToday: boolean;
  /** No other value catches more fraud and disturbs fewer good payments. */
  readonly onFrontier: boolean;
  /** What it does to the payments that are held out; null where none are. */
  readonly heldOut: Tried | null;
}

/** A condition on a share, as it was written: `0.5%`, or `3` for a number of payments. */
export interface TuneLimit {
  readonly text: string;
  /** False for a share of nothing, which proves nothing. */
  admits(share: Share): boolean;
}

export type TuneLimits = Readonly<Record<"maxGoodBlocked" | "minCaught", TuneLimit | null>>;

export interface Tuning {
  /** As it is named: `BIN_BURST.limit`, `CARD_VELOCITY_1H.score`, `thresholds.block`. */
  readonly param: string;
  /** Risk levels of the payments, on which the values were tried. */
  readonly levels: readonly RiskLevel[];
  /** What it is today, on every level. */
  readonly present: Readonly<Record<RiskLevel, number>>;
  /** Payments that were counted; those without a label are decided by nobody. */
  readonly total: number;
  /** Labelled payments of a currency without a rate, which sums of money leave out. */
  readonly withoutRate: number;
  /** By the payments that choose a value, as the values are. */
  readonly today: Tried;
  /** Payments from a time on, by which no value is chosen, under the rules of today; null where none are held out. */
  readonly heldOut: { readonly from: Milliseconds; readonly today: Tried } | null;
  /** Ascending. */
  readonly values: readonly TunedValue[];
  readonly limits: TuneLimits;
  /** Shares of the fraud sent to 3-D Secure that it may stop; by the first of them money is kept. */
  readonly threeDsStops: ThreeDsStops;
  /** Null where no value meets the limits, or where no payment has a label. */
  readonly proposed: TunedValue | null;
}

/** Whether any labelled payment has a rate, without which no value keeps more money than another. */
export function hasWorth(tried: Tried): boolean {
  return worthOf(tried, "bad").eur + worthOf(tried, "good").eur > 0;
}

/** Whether no other value is better in fraud caught, good payments blocked or good payments disturbed, and worse in none. */
export function isOnFrontier(one: Tried, all: readonly Tried[]): boolean {
  const prices = (tried: Tried): number[] => {
    const { caught, goodBlocked, goodDisturbed } = sideShares(tried);
    return [-caught.part, goodBlocked.part, goodDisturbed.part];
  };
  const own = prices(one);
  return !all.some((other) => {
    const theirs = prices(other);
    return theirs.every((price, i) => price <= own[i]!) && theirs.some((price, i) => price < own[i]!);
  });
}

/** Whether its shares are within the limits. */
export function keepsLimits(tried: Tried, { maxGoodBlocked, minCaught }: TuneLimits): boolean {
  const { caught, goodBlocked } = sideShares(tried);
  return maxGoodBlocked?.admits(goodBlocked) !== false && minCaught?.admits(caught) !== false;
}

/** Whether the proposed value is within the limits on the payments that are held out, where there are some. */
export function holdsOut({ proposed, limits }: Pick<Tuning, "proposed" | "limits">): boolean {
  return proposed?.heldOut == null || keepsLimits(proposed.heldOut, limits);
}

/**
 * The value to take: of those within the limits the one that catches most fraud; with a limit of fraud alone, that which
 * blocks the fewest good payments; without any, that which keeps most money. Of equal ones that next to today's. None where
 * labels of one kind alone, or without money, would make the worst value look best.
 */
export function proposedValue({
  values,
  limits,
  levels,
  present,
  threeDsStops,
}: Pick<Tuning, "values" | "limits" | "levels" | "present" | "threeDsStops">): TunedValue | null {
  const { maxGoodBlocked, minCaught } = limits;
  const judged = values.flatMap((tuned) => {
    const { caught, goodBlocked, goodDisturbed } = sideShares(tuned);
    if (caught.whole === 0 || goodBlocked.whole === 0) return [];
    if (maxGoodBlocked === null && minCaught === null && !hasWorth(tuned)) return [];
    if (!keepsLimits(tuned, limits)) return [];
    const [gain, price] = [-caught.part, goodBlocked.part];
    const away = Math.min(...levels.map((level) => Math.abs(tuned.value - present[level])));
    const kept = -keptEur(tuned, threeDsStops[0]);
    const aim = maxGoodBlocked !== null ? [gain, price] : minCaught !== null ? [price, gain] : [kept, price];
    return [{ tuned, order: [...aim, goodDisturbed.part, away] }];
  });
  judged.sort((a, b) => a.order.map((each, i) => each - b.order[i]!).find((less) => less !== 0) ?? 0);
  return judged[0]?.tuned ?? null;
}

const NUMBER = /^-?\d{1,9}(?:\.\d{1,6})?$/;

/**
 * Reads `4..40`, `0.5..2.5/0.25` or `4,6,10`; a range goes in steps of 1, or of its last decimal.
 * @returns ascending, each once
 * @throws Fault("usage")
 */
export function readTuneValues(text: string): number[] {
  const wrong = (why: string): Fault =>
    usage`The values "${text}" cannot be tried: ${whole(why)}; write for example 4..40, 4..40/2 or 4,6,10.`;
  const [isRange, ...ends] = /^(.+?)\.\.([^/]+)(?:\/(.+))?$/.exec(text) ?? [];
  const words = (isRange ? ends.filter((end) => end !== undefined) : text.split(",")).map((word) =>
    word.trim(),
  );
  if (!words.every((word) => NUMBER.test(word))) throw wrong("it is neither a range nor a list of numbers");
  const decimals = Math.max(...words.map((word) => word.split(".")[1]?.length ?? 0));
  const numbers = words.map(Number);
  const [first, last, by = 10 ** -decimals] = numbers as [number, number, number?];
  if (isRange && (first >= last || by <= 0)) throw wrong("it does not go from a smaller to a larger number");
  // A step may be a little more than it reads.
  const count = isRange ? Math.floor((last - first) / by + 1e-6) + 1 : numbers.length;
  if (count > MOST_VALUES)
    throw wrong(`it has ${count} values, and ${MOST_VALUES} are tried at most; name a step or fewer values`);
  const all = isRange
    ? Array.from({ length: count }, (_, index) => Number((first + index * by).toFixed(decimals)))
    : numbers;
  return [...new Set(all)].sort((a, b) => a - b);
}
