// The columns of the history's list: as many as say something at a width.

import { expect, test } from "vitest";
import { historyRows } from "#screens/check/history-rows.ts";
import {
  historyList,
  listColumns,
  type HistoryListOptions,
  type Listed,
} from "#screens/history/list-rows.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { createAudience, NO_AUDIENCE, type Audience } from "#src/display/audience.ts";
import { listRows } from "#src/ui/list.ts";
import type { Row } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { attemptsAmong } from "#src/ui/marks.ts";
import { widthOf } from "#src/ui/fit.ts";
import { entryOf } from "../captures/full-history.ts";
import { keyName } from "../keys/standard.ts";

const NOW = Date.UTC(2026, 8, 1, 12);
const OPTIONS: HistoryListOptions = {
  theme: createTheme({ keyName, color: true, ascii: false }),
  unit: "minor",
  sendingId: null,
  profile: "sandbox",
  now: NOW,
};

const listed = (entries: readonly HistoryEntry[], marks: Listed["marks"] = []): Listed => ({
  entries,
  offset: 0,
  total: entries.length,
  selectedId: null,
  opened: null,
  range: null,
  marked: null,
  marks,
  sort: { by: "time", turned: false },
});

const ORDER = entryOf(0, { profile: "sandbox", project: "shop/medium" }, NOW).request.order_id!;

/** What is marked as a match in the row of this order. */
function marked(marks: Listed["marks"], { shown }: Audience = NO_AUDIENCE): string[] {
  const entry = entryOf(0, { profile: "sandbox", project: "shop/medium" }, NOW);
  const rowOf = (words: Listed["marks"]): Row => {
    const list = historyList(shown(listed([entry], words)), 100, OPTIONS);
    return listRows(list, { columns: 100, rows: 1 }, OPTIONS.theme).rows[0]!;
  };
  const [row, plain] = [rowOf(marks), rowOf([])];
  expect(row.map(({ text }) => text).join("")).toBe(plain.map(({ text }) => text).join(""));
  return row.filter(({ match }) => match).map(({ text }) => text);
}

test("a word of free text is marked where it stands, and nothing that is the same in every row", () => {
  expect(marked([])).toEqual([]);
  expect(
    marked([
      ["verdict", "pass"],
      ["amount", "100"],
      ["outcome", "answered"],
    ]),
  ).toEqual([]);
  expect(marked([["text", ORDER.slice(1).toUpperCase()]])).toEqual([ORDER.slice(1)]);
  expect(marked([["text", "MEDIUM"]])).toEqual(["medium"]);
  expect(marked([["text", "("]])).toEqual([]);
  expect(marked([["email", "o-1"]])).toEqual([]);
});

test("an audience does not see in the rows what was typed unseen", () => {
  const audience = createAudience(() => ({ composed: {}, ids: [] }));
  expect(marked([["text", "medium"]], audience)).toEqual([]);
});

const titlesAt = (width: number, entries: readonly HistoryEntry[]): string[] =>
  listColumns(width, entries, listed(entries), OPTIONS).map(({ title }) => title);

test("a project is shown where more of it than the risk level has room", () => {
  const owner = { profile: "sandbox", project: "shop/medium" };
  const short = [entryOf(0, owner, NOW)];
  // An amount of ten digits, and a mark.
  const long = [4, 5].map((age) => entryOf(age, owner, NOW));
  expect(titlesAt(80, short)).toContain("Project");
  expect(titlesAt(72, long)).not.toContain("Project");
  expect(titlesAt(100, long)).toContain("Project");
  for (let width = 60; width <= 200; width += 1) {
    const project = listColumns(width, long, listed(long), OPTIONS).find(({ title }) => title === "Project");
    if (project !== undefined) expect(project.width).toBeGreaterThanOrEqual(10);
  }
});

const LIVE = { selectedId: null, focused: false, sendingId: null, project: null, now: NOW } as const;

test("the live history shows the end of order ids beside huge amounts, and usual amounts whole", () => {
  const [first, ...others] = [0, 1, 2].map((age) => entryOf(age, { profile: "p", project: "m/low" }, NOW));
  const huge = { ...first!, request: { ...first!.request, amount: Number.MAX_SAFE_INTEGER, currency: 980 } };
  const shown = (entries: readonly HistoryEntry[]): string[] =>
    historyRows(
      { ...LIVE, entries, attempts: attemptsAmong(entries), unit: "minor", width: 48 },
      OPTIONS.theme,
    ).map((row) => row.map(({ text }) => text).join(""));
  const [row] = shown([huge, ...others]);
  expect(row).toMatch(/ 90.071.992.547[^…]*… /);
  expect(row!.trimEnd().slice(-4)).toBe(huge.request.order_id!.slice(-4));
  for (const line of shown(others)) expect(line).toMatch(/\d\.\d\d [A-Z]{3} /);
});

test("a credential test is no payment of 0.00 in the lists", () => {
  const plain = entryOf(0, { profile: "p", project: "m/low" }, NOW);
  const test = { ...plain, request: { order_id: "credential-test-1", amount: 0, currency: 980 } };
  const money = listColumns(100, [test], listed([test]), OPTIONS).find(({ title }) => title === "Amount")!;
  expect(money.cell(test, 20)).toBe("credential test");
  const input = {
    ...LIVE,
    entries: [test],
    attempts: attemptsAmong([test]),
    unit: "minor",
    width: 60,
  } as const;
  expect(
    historyRows(input, OPTIONS.theme)[0]!
      .map(({ text }) => text)
      .join(""),
  ).toContain("credential test");
});

test("the live history has project, final action and note where they fit whole, in this order", () => {
  const owner = { profile: "sandbox", project: "shop/medium" };
  const entries = [0, 1, 2, 3].map((age) => ({ ...entryOf(age, owner, NOW), note: "Ask the shop" }));
  const seen = (width: number): string[] => {
    const input = {
      ...LIVE,
      entries,
      attempts: attemptsAmong(entries),
      unit: "minor" as const,
      width,
    };
    const lines = historyRows(input, OPTIONS.theme).map((row) => row.map(({ text }) => text).join(""));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    const has = (text: RegExp, name: string): string[] =>
      lines.some((line) => text.test(line)) ? [name] : [];
    return [
      ...has(/shop\/medium/, "project"),
      ...has(/ (?:continue|block) /, "final"),
      ...has(/Ask the…|Ask the shop/, "note"),
      ...has(/ m?s$/, "took"),
    ];
  };
  const all = ["project", "final", "note"];
  for (let width = 44; width <= 120; width += 1) {
    const extras = seen(width).filter((name) => name !== "took");
    expect(extras).toEqual(all.slice(0, extras.length));
  }
  expect(seen(44)).not.toContain("project");
  expect(seen(81)).toContain("project");
  expect(seen(120)).toEqual([...all, "took"]);
});
