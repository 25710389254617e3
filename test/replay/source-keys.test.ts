import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createSourceKeys } from "#src/replay/sources/source-keys.ts";

describe("keys of items", () => {
  test("are unique, stay what they are where they can, and depend on the order alone", () => {
    const key = fc.oneof(fc.constantFrom("a", "a#2", "a#2#2", "b", ""), fc.string());
    fc.assert(
      fc.property(fc.array(key), (wanted) => {
        const [one, other] = [createSourceKeys(), createSourceKeys()];
        const given = wanted.map((each) => one.unique(each));
        expect(new Set(given).size).toBe(given.length);
        expect(wanted.map((each) => other.unique(each))).toEqual(given);
        for (const [index, each] of wanted.entries()) {
          if (given[index] !== each) {
            expect(given.slice(0, index)).toContain(each);
            expect(given[index]).toMatch(/#\d+$/);
          }
        }
      }),
    );
  });

  test("half a million similar ones are told apart, in less than 40 MB outside of the heap", () => {
    const keys = createSourceKeys();
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 500_000; index++) {
      const key = `order-${index}`;
      if (keys.unique(key) !== key) throw new Error(`${key} was taken for another`);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40e6);
    expect(keys.unique("order-7")).toBe("order-7#2");
  });

  test("a payload that occurs a hundred thousand times takes no time to name", () => {
    const keys = createSourceKeys();
    let last = "";
    for (let index = 0; index < 100_000; index++) last = keys.unique("same");
    expect(last).toBe("same#100000");
  });
});
