// Long numbers in groups of three: nothing but blanks is added, and they stand where people count them.

import fc from "fast-check";
import { expect, test } from "vitest";
import { groupDigits } from "#src/contract/text/group-digits.ts";

test("blanks part the whole part alone", () => {
  const texts = ["0", "999", "1000", "1234567", "1234.5", "0.12345", "-490000", "1e+21"];
  expect(texts.map(groupDigits)).toEqual([
    "0",
    "999",
    "1 000",
    "1 234 567",
    "1 234.5",
    "0.12345",
    "-490 000",
    "1e+21",
  ]);
});

test("without them it is the same number, and each group but the first has three digits", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.option(fc.stringMatching(/^\d{1,6}$/)), (whole, fraction) => {
      const text = fraction === null ? String(whole) : `${whole}.${fraction}`;
      const grouped = groupDigits(text);
      expect(grouped.replaceAll(" ", "")).toBe(text);
      expect(grouped).toMatch(/^-?\d{1,3}(?: \d{3})*(?:\.\d+)?$/);
    }),
  );
});
