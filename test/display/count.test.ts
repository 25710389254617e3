// Numbers in words: one and many, and the first of several sentences.

import { expect, test } from "vitest";
import { counted, formatCount, withOthers } from "#src/display/count.ts";

test("a number has a blank every three digits, and its noun an s unless it is one", () => {
  expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(["0", "999", "1 000", "1 234 567"]);
  expect([counted(0, "check"), counted(1, "check"), counted(2_000, "check")]).toEqual([
    "0 checks",
    "1 check",
    "2 000 checks",
  ]);
});

test("what there is besides stands before the full stop", () => {
  expect(withOthers("amount is missing.", 2)).toBe("amount is missing (and 2 more).");
  expect(withOthers("limit 3", 1)).toBe("limit 3 (and 1 more)");
  expect(withOthers("amount is missing.", 0)).toBe("amount is missing.");
});
