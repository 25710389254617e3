// The columns of the history's list: as many as say something at a width.

import { expect, test } from "vitest";
import { listColumns, type HistoryRenderOptions } from "#screens/history/list-rows.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { createTheme } from "#src/ui/theme.ts";
import { entryOf } from "../captures/full-history.ts";
import { keyName } from "../keys/standard.ts";

const NOW = Date.UTC(2026, 8, 1, 12);
const OPTIONS: HistoryRenderOptions = {
  theme: createTheme({ keyName, color: true, ascii: false }),
  unit: "minor",
  sendingId: null,
  profile: "sandbox",
  now: NOW,
  attempts: new Map(),
  markedId: null,
};

const titlesAt = (width: number, entries: readonly HistoryEntry[]): string[] =>
  listColumns(width, entries, OPTIONS).map(({ title }) => title);

test("a project is shown where more of it than the risk level has room", () => {
  const owner = { profile: "sandbox", project: "shop/medium" };
  const short = [entryOf(0, owner, NOW)];
  // An amount of ten digits, and a mark.
  const long = [4, 5].map((age) => entryOf(age, owner, NOW));
  expect(titlesAt(80, short)).toContain("Project");
  expect(titlesAt(80, long)).not.toContain("Project");
  expect(titlesAt(100, long)).toContain("Project");
  for (let width = 60; width <= 200; width += 1) {
    const project = listColumns(width, long, OPTIONS).find(({ title }) => title === "Project");
    if (project !== undefined) expect(project.width).toBeGreaterThanOrEqual(10);
  }
});
