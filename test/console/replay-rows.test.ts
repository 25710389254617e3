// Rows of the Replay screen that depend on figures too large for the runs of other tests.

import { describe, expect, it } from "vitest";
import { headlineRows } from "#screens/replay/change-rows.ts";
import { runRows } from "#screens/replay/runs-rows.ts";
import { createReplaysStore } from "#src/state/replay/replays-state.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { compared, runInfo, runResult, runRow, summaryOf } from "./replay-engine.ts";

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

describe("the list of runs", () => {
  const counts = { ...summaryOf([]).counts, total: 350, pass: 51, threeDs: 96, block: 203 };
  const few = { ...summaryOf([]).counts, total: 7, pass: 4, threeDs: 1, block: 2 };
  const runs = [counts, few].map((each, at) =>
    runInfo(`run-${at}`, [], { sources: ["/data/big.ndjson"], summary: summaryOf([], { counts: each }) }),
  );

  it.each([
    [true, "✔ 51 ◆ 96 ✖ 203", "✔ 4 ◆ 1 ✖ 2"],
    [false, "+ 51 * 96 x 203", "+ 4 * 1 x 2"],
  ])("shows every count of every run at 80 columns, in colours (%s) too", (color, most, least) => {
    const drawnIn = createTheme({ keyName, color, ascii: !color });
    const state = { ...createReplaysStore().getState(), runs, listed: runs };
    const drawn = runRows(state, { columns: 79, rows: 5 }, { ...options, theme: drawnIn }, 0).rows;
    const lines = drawn.map((row) => row.map(({ text }) => text).join(""));
    expect(lines[1]).toContain(` ${most} `);
    expect(lines[2]).toContain(` ${least} `);
    // The sources stay readable beside them.
    expect(lines[1]).toContain("big.ndjson");
  });
});
