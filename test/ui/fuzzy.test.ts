import fc from "fast-check";
import { expect, it } from "vitest";
import { fuzzyMatch } from "#src/ui/fuzzy.ts";

it("finds letters in their order, in any case, and what is in one piece first", () => {
  expect(fuzzyMatch("demo-shop/high", "SHOP")).toEqual({ distance: 5, letters: [5, 6, 7, 8] });
  expect(fuzzyMatch("demo-shop/high", "dshi")?.letters).toEqual([0, 5, 6, 11]);
  expect(fuzzyMatch("demo-shop/high", "hd")).toBeNull();
  expect(fuzzyMatch("a-b", "ab")!.distance).toBeGreaterThan(
    fuzzyMatch("a long name with ab", "ab")!.distance,
  );
});

it("finds every part of a name, and marks letters that are those typed", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", "c", "-", "/", " "),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(name, fc.func(fc.boolean()), (text, keeps) => {
      const typed = text
        .split("")
        .filter((_, index) => keeps(index))
        .join("")
        .trim();
      const match = fuzzyMatch(text, typed);
      expect(match).not.toBeNull();
      const solid = (found: string): string => found.replaceAll(" ", "");
      expect(solid(match!.letters.map((at) => text[at]).join(""))).toBe(solid(typed));
      expect(match!.letters).toEqual(match!.letters.toSorted((one, other) => one - other));
    }),
  );
});
