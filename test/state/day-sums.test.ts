// The sums of a day at any point are those of counting, in one look-up.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { DayPayment } from "#src/actions/sandbox/demo.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { daySums } from "#src/state/sandbox/day-sums.ts";

const verdict = fc.constantFrom(...RECOMMENDATIONS);
const payment: fc.Arbitrary<DayPayment> = fc.record({
  at: fc.nat(),
  request: fc.constant({}),
  today: verdict,
  proposed: verdict,
  worth: fc.constantFrom("good" as const, "bad" as const, null),
  eur: fc.constant(null),
  why: fc.constant(null),
});
const dayAndPlace = fc
  .array(payment, { maxLength: 60 })
  .chain((payments) => fc.tuple(fc.constant(payments), fc.nat({ max: payments.length })));

it("counts what a count from the beginning would", () => {
  fc.assert(
    fc.property(dayAndPlace, ([payments, place]) => {
      const past = payments.slice(0, place);
      const count = (fits: (payment: DayPayment) => boolean): number => past.filter(fits).length;
      const sums = daySums(payments).at(place);
      expect(sums.good).toBe(count(({ worth }) => worth === "good"));
      expect(sums.bad).toBe(count(({ worth }) => worth === "bad"));
      for (const side of ["today", "proposed"] as const) {
        for (const kind of RECOMMENDATIONS)
          expect(sums[side][kind]).toBe(count((each) => each[side] === kind));
        expect(sums[side].goodBlocked).toBe(count((each) => each.worth === "good" && each[side] === "block"));
        expect(sums[side].badBlocked).toBe(count((each) => each.worth === "bad" && each[side] === "block"));
        expect(sums[side].badPassed).toBe(count((each) => each.worth === "bad" && each[side] === "pass"));
      }
    }),
  );
});

it("finds the nearest payment before and behind a place whose verdicts differ", () => {
  fc.assert(
    fc.property(dayAndPlace, ([payments, place]) => {
      const differs = ({ today, proposed }: DayPayment): boolean => today !== proposed;
      const next = payments.findIndex((each, index) => index >= place && differs(each));
      const last = payments.findLastIndex((each, index) => index < place && differs(each));
      expect(daySums(payments).nextChange(place) ?? -1).toBe(next);
      expect(daySums(payments).lastChange(place) ?? -1).toBe(last);
    }),
  );
});
