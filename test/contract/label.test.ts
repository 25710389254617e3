import fc from "fast-check";
import { expect, test } from "vitest";

import { LABELS, laterLabel, type OrderLabel } from "#src/contract/records/label.ts";

const time = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null });
const label: fc.Arbitrary<OrderLabel> = fc.record({
  orderId: fc.constantFrom("a", "A", "b"),
  label: fc.constantFrom(...LABELS),
  at: time,
});

function latest(labels: readonly OrderLabel[], asOf: number | null, orderId: string): OrderLabel | undefined {
  const own = labels.filter((each) => each.orderId === orderId);
  return own.reduce<OrderLabel | null>((kept, each) => laterLabel(kept, each, asOf), null) ?? undefined;
}

test("the label that counts is the last of a stable sort by time of those known by then", () => {
  fc.assert(
    fc.property(fc.array(label), time, fc.constantFrom("a", "A", "b"), (labels, asOf, orderId) => {
      const known = labels.filter((each) => each.orderId === orderId && (each.at ?? 0) <= (asOf ?? 9));
      const byTime = known.toSorted((one, other) => (one.at ?? -1) - (other.at ?? -1));
      expect(latest(labels, asOf, orderId)).toEqual(byTime.at(-1));
    }),
  );
});

test("a label that becomes known later changes nothing before", () => {
  fc.assert(
    fc.property(fc.array(label), label, fc.integer({ min: 0, max: 9 }), (labels, late, asOf) => {
      fc.pre(late.at !== null && late.at > asOf);
      expect(latest([...labels, late], asOf, late.orderId)).toEqual(latest(labels, asOf, late.orderId));
    }),
  );
});

test("as of no time is as of the last one, and the same labels again change nothing", () => {
  fc.assert(
    fc.property(fc.array(label), (labels) => {
      for (const orderId of ["a", "A", "b"]) {
        expect(latest(labels, null, orderId)).toEqual(latest(labels, 9, orderId));
        expect(latest([...labels, ...labels], null, orderId)).toEqual(latest(labels, null, orderId));
      }
    }),
  );
});
