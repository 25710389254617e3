import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keptEur, sideShares, wilson } from "#src/contract/records/outcome-shares.ts";
import { outcomesOf } from "../replay/outcomes-sample.ts";

describe("the score interval", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%i of %i lies between %f and %f", (part, whole, from, to) => {
    const interval = wilson({ part, whole })!;
    expect(interval.from).toBeCloseTo(from, 4);
    expect(interval.to).toBeCloseTo(to, 4);
  });

  test("none of none has none", () => {
    expect(wilson({ part: 0, whole: 0 })).toBeNull();
  });

  test("it holds the share, lies within 0 and 1, and is the mirror of the other part's", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (part, rest) => {
        fc.pre(part + rest > 0);
        const whole = part + rest;
        const { from, to } = wilson({ part, whole })!;
        const other = wilson({ part: rest, whole })!;
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(1);
        expect(from).toBeLessThanOrEqual(part / whole);
        expect(to).toBeGreaterThanOrEqual(part / whole);
        expect(other.from).toBeCloseTo(1 - to, 9);
        expect(other.to).toBeCloseTo(1 - from, 9);
      }),
    );
  });
});

describe("the shares of a side", () => {
  const { current, proposed } = outcomesOf([
    { label: "fraud", was: "block", now: "block", count: 322, eur: 100 },
    { label: "chargeback", was: "block", now: "pass", count: 4, eur: 134 },
    { label: "fraud", was: "block", now: "3ds_or_block", count: 5, eur: 4_866 },
    { label: "fraud", was: "3ds_or_block", now: "3ds_or_block", count: 27, eur: 10 },
    { label: "fraud", was: "pass", now: "pass", count: 15, eur: 5 },
    { label: "good", was: "block", now: "pass", count: 1_240, eur: 124_500 },
    { label: "refund", was: "block", now: "block", count: 47, eur: 47 },
    { label: "good", was: "3ds_or_block", now: "3ds_or_block", count: 2_342, eur: 1 },
    { label: "good", was: "pass", now: "pass", count: 5_998, eur: 2 },
    { label: null, was: "block", now: "pass", count: 9, eur: 9 },
  ]);

  test("bad is fraud and chargeback, good is good and refund, and no label is neither", () => {
    expect(sideShares(current)).toEqual({
      caught: { part: 331, whole: 373 },
      badSecured: { part: 27, whole: 373 },
      badPassed: { part: 15, whole: 373 },
      goodBlocked: { part: 1_287, whole: 9_627 },
      goodSecured: { part: 2_342, whole: 9_627 },
      goodPassed: { part: 5_998, whole: 9_627 },
      goodDisturbed: { part: 3_629, whole: 9_627 },
      precision: { part: 331, whole: 1_618 },
      baseRate: { part: 373, whole: 10_000 },
    });
    expect(sideShares(proposed)).toEqual({
      caught: { part: 322, whole: 373 },
      badSecured: { part: 32, whole: 373 },
      badPassed: { part: 19, whole: 373 },
      goodBlocked: { part: 47, whole: 9_627 },
      goodSecured: { part: 2_342, whole: 9_627 },
      goodPassed: { part: 7_238, whole: 9_627 },
      goodDisturbed: { part: 2_389, whole: 9_627 },
      precision: { part: 322, whole: 369 },
      baseRate: { part: 373, whole: 10_000 },
    });
  });

  test("the same in money", () => {
    expect(sideShares(proposed, "eur")).toEqual({
      caught: { part: 100, whole: 5_115 },
      badSecured: { part: 4_876, whole: 5_115 },
      badPassed: { part: 139, whole: 5_115 },
      goodBlocked: { part: 47, whole: 124_550 },
      goodSecured: { part: 1, whole: 124_550 },
      goodPassed: { part: 124_502, whole: 124_550 },
      goodDisturbed: { part: 48, whole: 124_550 },
      precision: { part: 100, whole: 147 },
      baseRate: { part: 5_115, whole: 129_665 },
    });
  });

  test("money that is kept counts as much of the fraud at 3-D Secure as 3-D Secure stops", () => {
    expect([0, 0.5, 1].map((stops) => keptEur(proposed, stops))).toEqual([53, 2_491, 4_929]);
  });
});
