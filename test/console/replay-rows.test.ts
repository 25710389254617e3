// Rows of the Replay screen that depend on figures too large for the runs of other tests.

import { describe, expect, it } from "vitest";
import { headlineRows } from "#screens/replay/change-rows.ts";
import { replayView } from "#screens/replay/view-model.ts";
import { openedResult } from "#src/state/replay/replay-result.ts";
import { createSetup } from "#src/state/replay/replay-setup.ts";
import { paneSpans } from "#src/ui/pane.tsx";
import type { Row } from "#src/ui/rows.ts";
import { runRows } from "#screens/replay/runs-rows.ts";
import { createReplaysStore } from "#src/state/replay/replays-state.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { compared, runInfo, runResult, runRow, summaryOf } from "./replay-engine.ts";

const theme = createTheme({ keyName, color: false, ascii: false });
const options = { theme, unit: "minor", now: 0, data: "/data", profile: "sandbox", against: null } as const;

const textsOf = (rows: readonly Row[]): string[] => rows.map((row) => row.map(({ text }) => text).join(""));
const WHAT_TO_DO =
  "It is neither JSON nor CSV nor curl commands; name it with .json, .ndjson, .jsonl, .csv, .tsv, .txt, .sh or .http to say.";

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

  it.each([
    [100, " isolated: starter rules "],
    [79, " starter rules "],
  ])("keeps the words of the rules of an isolated run whole, at %i columns", (columns, expected) => {
    const isolated = runs.map((run) => ({ ...run, isolated: "starter rules" }));
    const state = { ...createReplaysStore().getState(), runs: isolated, listed: isolated };
    const [, line] = textsOf(runRows(state, { columns, rows: 5 }, options, 0).rows);
    expect(line).toContain(expected);
  });
});

describe("the area of Replay", () => {
  const empty = { ...createReplaysStore().getState(), listed: [] };
  const preflight = {
    items: 28,
    leftOut: 0,
    rejected: [1, 2, 3].map((line) => ({ origin: `mixed.txt:${line}`, message: WHAT_TO_DO })),
    rejectedCount: 3,
    warnings: { payloads: 0, sentences: [] },
    money: [{ currency: 980, amount: 8_175_003n }],
    expectations: 28,
  } as const;
  const offer = {
    projects: ["a/low"],
    project: "a/low",
    runs: [],
    baseline: null,
    source: null,
    last: null,
    keyName,
  };
  const setup = { form: createSetup(offer), preflight: { state: "done", preflight } } as const;
  const against = { id: null, isSought: false, isElsewhere: false, isCounted: true };
  const drawn = (columns: number, rows: number): { readonly notes: unknown; readonly text: string } => {
    const view = replayView({ ...empty, setup }, { columns, rows }, { ...options, against }, 0);
    const survey = view.bands.flatMap(({ panes }) => panes).at(-1)!;
    return { notes: survey.note, text: textsOf(survey.rows).join(" ").replaceAll(/ +/g, " ") };
  };

  it("says before sending how much is not in sight, and warns first", () => {
    const low = drawn(79, 18);
    expect(low.notes).toMatch(/^↓ \d+ more$/);
    expect(low.text).toContain("Isolated begins without them.");
    const high = drawn(119, 36);
    expect(high.notes).toBe("");
    // No sentence is cut where there is room.
    expect(high.text.split(WHAT_TO_DO)).toHaveLength(4);
  });

  it("gives the title of a complete run its whole project, and names what is not complete", () => {
    const drawnAs = (state: "complete" | "partial"): string => {
      const result = openedResult(runInfo("run-1", [], { state }), null);
      const { bands } = replayView({ ...empty, result }, { columns: 119, rows: 36 }, options, 0);
      return textsOf([paneSpans([bands[0]!.panes[0]!], theme)])[0]!;
    };
    expect(drawnAs("complete")).toMatch(/demo-shop\/medium ─+$/);
    expect(drawnAs("partial")).toMatch(/ partial$/);
  });
});
