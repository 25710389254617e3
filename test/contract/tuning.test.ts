// Values of a tuned number, and the choice among them.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isOnFrontier,
  proposedValue,
  readTuneValues,
  type TunedValue,
} from "#src/contract/records/tuning.ts";
import { tried, tuned } from "../display/tuned-sample.ts";

describe("readTuneValues", () => {
  it.each([
    ["4..8", [4, 5, 6, 7, 8]],
    ["4..9/2", [4, 6, 8]],
    ["0.5..1", [0.5, 0.6, 0.7, 0.8, 0.9, 1]],
    ["0.1..0.7/0.2", [0.1, 0.3, 0.5, 0.7]],
    ["-2..1", [-2, -1, 0, 1]],
    ["10, 4,6,4", [4, 6, 10]],
    ["7", [7]],
    ["1..200", Array.from({ length: 200 }, (_, i) => i + 1)],
  ])("%s", (text, values) => {
    expect(readTuneValues(text)).toEqual(values);
  });

  it.each([
    "",
    "4..",
    "..4",
    "4..x",
    "8..4",
    "4..4",
    "1..201",
    "4..8/0",
    "4..8/-1",
    "1,,2",
    "1e3",
    "4...8",
    "4..6..8",
  ])("%j is one sentence", (text) => {
    expect(() => readTuneValues(text)).toThrow(/^The values ".*" cannot be tried: .*\.$/);
  });
});

const values = fc
  .array(fc.record({ caught: fc.nat(9), blocked: fc.nat(9), secured: fc.nat(9) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) =>
    list.map(({ caught, blocked, secured }, i): TunedValue => tuned(i, caught, blocked, secured)),
  );

describe("the frontier", () => {
  it("holds exactly what nothing else beats", () => {
    fc.assert(
      fc.property(values, (all) => {
        const beats = (a: TunedValue, b: TunedValue): boolean => {
          const [one, other] = [a, b].map(({ labels: { fraud, good } }) => ({
            missed: -fraud.block.count,
            blocked: good.block.count,
            disturbed: good.block.count + good["3ds_or_block"].count,
          }));
          const prices = ["missed", "blocked", "disturbed"] as const;
          const isNoWorse = prices.every((price) => one![price] <= other![price]);
          return isNoWorse && prices.some((price) => one![price] < other![price]);
        };
        for (const each of all)
          expect(isOnFrontier(each, all)).toBe(!all.some((other) => beats(other, each)));
      }),
    );
  });
});

describe("the proposed value", () => {
  const basis = {
    threeDsStops: [0, 1],
    levels: ["medium"],
    present: { low: 1, medium: 2, high: 3 },
  } as const;
  const limit = (admits: (part: number) => boolean) => ({
    text: "x",
    admits: ({ part }: { readonly part: number }) => admits(part),
  });

  it("meets the limits, and is the best of those that do", () => {
    fc.assert(
      fc.property(values, fc.nat(9), fc.nat(9), (all, most, least) => {
        const maxGoodBlocked = limit((part) => part <= most);
        const minCaught = limit((part) => part >= least);
        const caught = (each: TunedValue): number => each.labels.fraud.block.count;
        const blocked = (each: TunedValue): number => each.labels.good.block.count;
        const choose = (limits: Partial<Record<"maxGoodBlocked" | "minCaught", typeof minCaught>>) =>
          proposedValue({
            ...basis,
            values: all,
            limits: { maxGoodBlocked: null, minCaught: null, ...limits },
          });
        const within = all.filter((each) => blocked(each) <= most);
        const enough = all.filter((each) => caught(each) >= least);
        const both = within.filter((each) => caught(each) >= least);
        const first = choose({ maxGoodBlocked });
        expect(first === null ? null : caught(first)).toBe(
          within.length === 0 ? null : Math.max(...within.map(caught)),
        );
        const second = choose({ minCaught });
        expect(second === null ? null : blocked(second)).toBe(
          enough.length === 0 ? null : Math.min(...enough.map(blocked)),
        );
        const third = choose({ maxGoodBlocked, minCaught });
        expect(third === null ? null : caught(third)).toBe(
          both.length === 0 ? null : Math.max(...both.map(caught)),
        );
        const money = choose({})!;
        expect(caught(money) - blocked(money)).toBe(
          Math.max(...all.map((each) => caught(each) - blocked(each))),
        );
      }),
    );
  });

  it("is the one next to today's among equal ones, and none where nothing is labelled", () => {
    const limits = { maxGoodBlocked: null, minCaught: null };
    const equal = [0, 1, 3, 9].map((value) => tuned(value, 5, 1, 0));
    expect(proposedValue({ ...basis, values: equal, limits })?.value).toBe(1);
    const bare = { ...tuned(4, 0, 0, 0), ...tried(0, 0, 0, 0, 0) };
    expect(proposedValue({ ...basis, values: [bare], limits })).toBeNull();
  });
});
