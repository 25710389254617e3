// Sums of a day of payments at any point of it, in a time that does not depend on how many have run past.

import type { DayPayment } from "#src/actions/sandbox/demo.ts";
import { RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";

/** Payments so far under one rule set. */
export interface SideSums extends Readonly<Record<Recommendation, number>> {
  readonly goodBlocked: number;
  readonly badBlocked: number;
  readonly badSecured: number;
  readonly badPassed: number;
}

export interface SumsAt {
  readonly good: number;
  readonly bad: number;
  readonly today: SideSums;
  readonly proposed: SideSums;
}

const known = new WeakMap<readonly DayPayment[], DaySums>();

/** The sums of a day; the same object for the same list. */
export function daySums(payments: readonly DayPayment[]): DaySums {
  const before = known.get(payments);
  if (before !== undefined) return before;
  const sums = summed(payments);
  known.set(payments, sums);
  return sums;
}

function summed(payments: readonly DayPayment[]) {
  /** At n: how many of the first n payments fit. */
  const count = (fits: (payment: DayPayment) => boolean): Uint32Array => {
    const found = new Uint32Array(payments.length + 1);
    for (let at = 0; at < payments.length; at += 1) {
      found[at + 1] = found[at]! + (fits(payments[at]!) ? 1 : 0);
    }
    return found;
  };
  const side = (name: "today" | "proposed"): ((at: number) => SideSums) => {
    const counts = {
      ...(Object.fromEntries(
        RECOMMENDATIONS.map((kind) => [kind, count((payment) => payment[name] === kind)]),
      ) as Record<Recommendation, Uint32Array>),
      goodBlocked: count((payment) => payment.worth === "good" && payment[name] === "block"),
      badBlocked: count((payment) => payment.worth === "bad" && payment[name] === "block"),
      badSecured: count((payment) => payment.worth === "bad" && payment[name] === "3ds_or_block"),
      badPassed: count((payment) => payment.worth === "bad" && payment[name] === "pass"),
    };
    return (at) =>
      Object.fromEntries(
        Object.entries(counts).map(([what, all]) => [what, all[at]!]),
      ) as unknown as SideSums;
  };
  const [today, proposed] = [side("today"), side("proposed")];
  const good = count(({ worth }) => worth === "good");
  const bad = count(({ worth }) => worth === "bad");
  const changed = count((payment) => payment.today !== payment.proposed);
  const places = payments.flatMap((payment, index) => (payment.today === payment.proposed ? [] : [index]));
  return {
    /** @param count payments so far, 0 to all */
    at: (n: number): SumsAt => ({ good: good[n]!, bad: bad[n]!, today: today(n), proposed: proposed(n) }),
    /** Place of the first payment from here on whose verdicts differ; null for none. */
    nextChange: (from: number) => places[changed[from]!] ?? null,
    /** Place of the last payment before here whose verdicts differ; null for none. */
    lastChange: (before: number) => places[changed[before]! - 1] ?? null,
  };
}

export type DaySums = ReturnType<typeof summed>;
