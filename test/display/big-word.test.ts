// Big words: every verdict can be drawn, in every size, in the width that is told.

import { expect, test } from "vitest";
import { bigWord, bigWordWidth } from "#src/display/big-word.ts";
import { VERDICT_KINDS } from "#src/display/verdict.ts";

test.each(VERDICT_KINDS)("%s is drawn in every size", (kind) => {
  for (const scale of [1, 2, 4] as const) {
    const rows = bigWord(kind, scale, "#");
    expect(rows).toHaveLength(scale === 4 ? 10 : 5);
    for (const row of rows) {
      expect(row).toMatch(/^[# ]+$/);
      expect(row).toHaveLength(bigWordWidth(kind, scale));
    }
    expect(rows.join("")).toContain("#");
  }
});

test("a word can be read", () => {
  expect(bigWord("3ds_or_block", 1, "#").join("\n")).toBe(
    [
      "####  ####   ####",
      "    # #   # #    ",
      " ###  #   #  ### ",
      "    # #   #     #",
      "####  ####  #### ",
    ].join("\n"),
  );
});
