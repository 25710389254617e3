// Rows of the Replay screen that depend on figures too large for the runs of other tests.

import { describe, expect, it } from "vitest";
import { headlineRows } from "#screens/replay/change-rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { compared, runResult, runRow } from "./replay-engine.ts";

const theme = createTheme({ keyName, color: false, ascii: false });
const options = { theme, unit: "minor", now: 0, data: "/data", profile: "sandbox", against: null } as const;

describe("the headline of a result", () => {
  it("lets a sentence beside the big number go on below itself: its sums are never cut", () => {
    const before = Array.from({ length: 300 }, (_, index) => runRow(index + 1));
    const after = before.map((row) => ({ ...row, result: runResult("block") }));
    const comparison = compared(after, before);
    const matrix = comparison.matrix.map((cell) => ({ ...cell, eur: cell.count === 0 ? null : 1_156_000 }));
    const lines = headlineRows({ ...comparison, matrix }, 58, options).map((row) =>
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
    expect(lines[2]).toMatch(/ {3}New blocks: 300 \(100 %\), about$/);
    expect(lines[3]).toMatch(/ {3}1 156 000 EUR$/);
    expect(lines[4]).toMatch(/ {3}300 had passed$/);
  });
});
