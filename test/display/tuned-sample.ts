// Results of tuning with round figures: 10 fraudulent and 10 good payments of 1 EUR.

import type { ByVerdict } from "#src/contract/records/outcomes.ts";
import type { TunedValue, Tuning } from "#src/contract/records/tuning.ts";

export const byVerdict = (pass: number, secured: number, block: number): ByVerdict => ({
  pass: { count: pass, eur: pass },
  "3ds_or_block": { count: secured, eur: secured },
  block: { count: block, eur: block },
});

export function tried(
  caught: number,
  blocked: number,
  secured: number,
  bad = 10,
  good = 20,
): Pick<TunedValue, "labels"> {
  const none = byVerdict(0, 0, 0);
  return {
    labels: {
      fraud: byVerdict(bad - caught, 0, caught),
      chargeback: none,
      refund: none,
      good: byVerdict(good - blocked - secured, secured, blocked),
    },
  };
}

export function tuned(value: number, caught: number, blocked: number, secured: number): TunedValue {
  return {
    value,
    isToday: value === 6,
    onFrontier: value > 6,
    heldOut: null,
    ...tried(caught, blocked, secured),
  };
}

export function tuningOf(change: Partial<Tuning> = {}): Tuning {
  const values = Array.from({ length: 37 }, (_, i) =>
    tuned(i + 4, Math.max(0, 10 - Math.floor(i / 4)), Math.max(0, 9 - i), Math.max(0, 10 - i)),
  );
  return {
    param: "BIN_BURST.limit",
    levels: ["medium"],
    present: { low: 9, medium: 6, high: 4 },
    total: 40,
    withoutRate: 0,
    today: values[2]!,
    heldOut: null,
    values,
    threeDsStops: [0, 1],
    limits: { maxGoodBlocked: null, minCaught: null },
    proposed: values[8]!,
    ...change,
  };
}
