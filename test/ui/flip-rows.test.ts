// The table of what would flip a verdict, whatever another service names its values.

import { expect, it } from "vitest";
import { flipLines, flipRows } from "#src/display/explanation-lines.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import { spansWidth } from "#src/ui/fit.ts";
import { tableRows } from "#src/ui/list.ts";
import { hangingRows } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { explanationOf, traceOf } from "../console/samples.ts";
import { keyName } from "../keys/standard.ts";

const flip = (what: string): FlipPoint => ({
  what,
  from: 1,
  to: 2,
  recommendation: "block",
  text: what,
  parts: { what, now: "1", needed: "2", rule: null },
});

it("names the rules without which a payment passes, where no value alone makes it pass", () => {
  const rules = [traceOf({ code: "A", weight: 60 }), traceOf({ code: "B", weight: 40 })];
  const explained = explanationOf({ score: 100, rules });
  const said = (flips: readonly FlipPoint[]): string[] =>
    flipLines({ ...explained, flips }, false).map(({ text }) => text);
  expect(said([]).at(-1)).toBe("It would pass without A and B.");
  expect(said([{ ...flip("x"), recommendation: "pass" }])).toHaveLength(1);
  // What does not add up is another service's.
  expect(flipLines({ ...explanationOf(), flips: [] }, false)).toHaveLength(1);
});

const theme = createTheme({ keyName, color: true, ascii: false });

it.each(["", "   ", "x".repeat(400), "a ".repeat(90), "\n\t", "注文 ".repeat(60)])(
  "is drawn with %j",
  (text) => {
    for (const width of [20, 40, 70, 140]) {
      for (const line of flipRows({ ...explanationOf(), flips: [flip(text)] }, width, false)) {
        const rows = "cells" in line ? tableRows(line, width, theme) : hangingRows(line, width);
        for (const row of rows) expect(spansWidth(row)).toBeLessThanOrEqual(width);
      }
    }
  },
);
