// Reasons that have no room are counted with what they add to the score, so that the points on the screen add up.

import { expect, test } from "vitest";
import { moreReasons } from "#src/display/explanation-lines.ts";
import { reasonRows } from "#src/ui/gauge.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

const theme = createTheme({ color: false, ascii: false, keyName });
const reasons = ["+35", "+25", "-5", "block"].map((effect, at) => ({
  code: `RULE_${at}`,
  effect,
  role: null,
  text: `reason ${at} in a sentence that is long`,
  values: "",
}));

const drawn = (most: number, width: number): string[] =>
  reasonRows({ reasons, silence: null }, width, most, theme).map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

test("the rest is counted with its sum, on a row of its own or behind the only one", () => {
  expect(drawn(2, 60).at(-1)).toBe("      and 3 more, +20 together");
  expect(drawn(1, 60)).toEqual([" +35  reason 0 in a sentence tha… (and 3 more, +20 together)"]);
  expect(drawn(4, 60)).toHaveLength(4);
});

test("a rule that beats the score adds nothing to it", () => {
  expect(moreReasons([{ effect: "block" }])).toBe("and 1 more");
  expect(moreReasons([{ effect: "3DS" }, { effect: "+10" }])).toBe("and 2 more, +10 together");
  expect(moreReasons([{ effect: "-15" }])).toBe("and 1 more, -15");
});
