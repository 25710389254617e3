// A run in the width of a terminal: the line that shows how far it is, and the list of runs where its table has no room.

import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import type { ReplayProgress } from "#src/actions/replay/replay.ts";
import { progressLine, runBrief } from "#src/cli/replay/run-text.ts";
import type { RunInfo, RunSummary } from "#src/contract/records/run.ts";
import { createStyle } from "#src/display/style.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { CourseTally } from "#src/replay/run-course.ts";

const style = createStyle({ color: false, ascii: false });

const summary: RunSummary = {
  counts: {
    total: 12_345,
    pass: 9_000,
    block: 2_000,
    threeDs: 1_300,
    indeterminate: 0,
    refused: 40,
    unknown: 5,
    notSent: 0,
  },
  rejected: 0,
  expectationsFailed: 0,
  latencies: { p50: 12, p95: 81, p99: 173, max: 400 },
  ratePerS: 214,
  durationMs: 57_000,
};

const progress: ReplayProgress = {
  summary,
  fraction: 0.42,
  etaMs: 14_000,
  inFlight: 8,
  state: "running",
  comparison: new FlipCounter({ baseline: "", run: "" }, new Map()).comparison(),
  course: new CourseTally().read(),
  latest: [],
};

describe("the line of progress", () => {
  it("gives up its bar before a figure", () => {
    const wide = progressLine(progress, style, 140);
    expect(wide).toMatch(/^█{8}░{12} {2}42% {2}12 345 sent /);
    const figures = wide.slice("████████░░░░░░░░░░░░  ".length);
    for (const columns of [60, 80, 100, 110, 120]) {
      const line = progressLine(progress, style, columns);
      expect(line.endsWith(figures)).toBe(true);
      expect(line.length).toBeLessThan(Math.max(columns, figures.length + 1));
    }
    expect(progressLine(progress, style, 60)).toBe(figures);
  });

  it("has no bar where nobody knows how much is left", () => {
    expect(progressLine({ ...progress, fraction: null }, style, 140)).toMatch(/^12 345 sent /);
  });
});

describe("a run in two lines", () => {
  const run: RunInfo = {
    id: "0mwq9uypt4cd024182a",
    at: Date.UTC(2026, 10, 21, 10),
    profile: "sandbox",
    project: `demo-${"x".repeat(60)}/low`,
    amountUnit: "minor",
    sources: [`${"y".repeat(90)}.ndjson`],
    baseline: null,
    freshOrderIds: false,
    state: "partial",
    summary,
  };

  it("keeps to 100 columns whatever its names are, and leaves no count out", () => {
    const lines = runBrief(run, style);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(100);
    expect(lines[1]).toContain("12 345 items  ✔ 9 000  ◆ 1 300  ✖ 2 000");
    expect(lines[1]).toContain("? 5");
  });

  it("claims no counts for a run that lost its process", () => {
    expect(runBrief({ ...run, summary: null }, style)[1]).toMatch(/^ {2}not known /);
  });
});
