// What a run takes of its sources: the shards share no item and leave none out, and tags choose exactly theirs.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInShard } from "#src/replay/sources/item-choice.ts";

const parts = (of: number, key: string): number[] =>
  Array.from({ length: of }, (_, index) => index + 1).filter((part) => isInShard({ part, of }, key));

describe("a shard", () => {
  it("is exactly one of n for every key, and the same for a repeat", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(99),
        (key, of, n) => {
          const [part, ...others] = parts(of, key);
          expect([part === undefined, others]).toEqual([false, []]);
          expect(parts(of, `${key}#${n}`)).toEqual([part]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stays where it was, because a run that goes on elsewhere must send the same items", () => {
    expect(["o-1", "o-2", "o-3", "o-4", "day.ndjson:5"].map((key) => parts(4, key)[0]))
      .toMatchInlineSnapshot(`
      [
        2,
        2,
        1,
        3,
        4,
      ]
    `);
  });

  it("gets a fair share", () => {
    const keys = Array.from({ length: 4_000 }, (_, index) => `tx-${index}`);
    for (const part of [1, 2, 3, 4]) {
      const count = keys.filter((key) => isInShard({ part, of: 4 }, key)).length;
      expect(Math.abs(count - 1_000)).toBeLessThan(100);
    }
  });
});
