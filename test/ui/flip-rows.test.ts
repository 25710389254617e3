// The table of what would flip a verdict, whatever another service names its values.

import { expect, it } from "vitest";
import { flipRows } from "#src/display/explanation-lines.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import { spansWidth } from "#src/ui/fit.ts";
import { tableRows } from "#src/ui/list.ts";
import { hangingRows } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

const flip = (what: string): FlipPoint => ({
  what,
  from: 1,
  to: 2,
  recommendation: "block",
  text: what,
  parts: { what, now: "1", needed: "2", rule: null },
});

const theme = createTheme({ keyName, color: true, ascii: false });

it.each(["", "   ", "x".repeat(400), "a ".repeat(90), "\n\t", "注文 ".repeat(60)])(
  "is drawn with %j",
  (text) => {
    for (const width of [20, 40, 70, 140]) {
      for (const line of flipRows([flip(text)], width, false)) {
        const rows = "cells" in line ? tableRows(line, width, theme) : hangingRows(line, width);
        for (const row of rows) expect(spansWidth(row)).toBeLessThanOrEqual(width);
      }
    }
  },
);
