// A history and runs that an earlier build left as JSON lines: everything is there afterwards, and the old files are as they were.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { runsIn } from "./open-runs.ts";
import { dueOf, result, rowsOf } from "./run-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Written by three sessions of such a build: two side by side, the third on a segment of theirs. */
const EARLIER = new URL("./earlier-history", import.meta.url).pathname;
const FIRST = Date.UTC(2026, 0, 2);

const SIX = [
  intent("e1", {
    at: FIRST,
    result: answer({ recommendation: "pass" }),
    warnings: ["The clock is off."],
    note: "seen by another process",
  }),
  intent("e2", { at: FIRST + 1_000, result: answer({ recommendation: "3ds_or_block" }), finalAction: "3ds" }),
  intent("e3", { at: FIRST + 6_000, result: answer(), note: "second" }),
  intent("e4", { at: FIRST + 10_000 }),
  intent("e5", { at: FIRST + 11_000, note: "to be damaged" }),
  intent("e6", { at: FIRST + 13_000 }),
];

function home(): string {
  const dir = temporaryFolder();
  cpSync(EARLIER, join(dir, "history"), { recursive: true });
  return dir;
}

/** Of every file below the folder of an earlier build. */
function digests(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const of = (name: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

function opened(dir: string): History {
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  return history;
}

/** A line of an earlier build. */
function lineOf(sequence: number, entry: HistoryEntry): string {
  const rest = `"n":${sequence},"t":${entry.at},"r":${JSON.stringify({ type: "intent", entry })}}`;
  return `{"c":"${crc32(rest).toString(16).padStart(8, "0")}",${rest}\n`;
}

it("is read whole by the first look, and never again", async () => {
  const dir = home();
  const before = digests(join(dir, "history"));
  const history = opened(dir);
  expect(await history.latest(9)).toEqual(SIX.toReversed());
  expect(history.problems).toEqual([]);
  await history.intend(intent("new"));
  await history.annotate("e4", "later");
  await history.close();
  const again = opened(dir);
  expect((await again.latest(9)).map(({ id, note }) => note ?? id)).toEqual([
    "new",
    "e6",
    "to be damaged",
    "later",
    "second",
    "e2",
    "seen by another process",
  ]);
  expect(digests(join(dir, "history"))).toEqual(before);
});

it("loses a damaged line and nothing else, and says where", async () => {
  const dir = home();
  const [name] = readdirSync(join(dir, "history")).filter((each) =>
    readFileSync(join(dir, "history", each), "utf8").includes("to be damaged"),
  );
  const path = join(dir, "history", name!);
  writeFileSync(path, readFileSync(path, "utf8").replace("to be damaged", "to be damagec"));
  appendFileSync(path, '{"c":"00000000","n":');
  const history = opened(dir);
  const found = await history.latest(9);
  expect(found.map(({ id, note }) => [id, note])).toEqual([
    ["e6", null],
    ["e5", null],
    ["e4", null],
    ["e3", "second"],
    ["e2", null],
    ["e1", "seen by another process"],
  ]);
  expect(history.problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining(`2 damaged lines of ${path}`) }),
  ]);
});

it("goes on where it was stopped", async () => {
  const dir = temporaryFolder();
  const folder = join(dir, "history");
  mkdirSync(folder, { mode: 0o700 });
  const line = (sequence: number): string =>
    lineOf(sequence, intent(`n${String(sequence).padStart(5, "0")}`, { at: FIRST + sequence }));
  const lines = Array.from({ length: 3_000 }, (_, index) => line(index + 1));
  writeFileSync(join(folder, `${String(FIRST + 1).padStart(15, "0")}-0000000a.jsonl`), lines.join(""));
  const stop = new AbortController();
  const progress: number[] = [];
  const first = openHistory({
    path: join(dir, "history.db"),
    earlier: folder,
    signal: stop.signal,
    onTakeOver: (done, all) => {
      progress.push(done / all);
      if (done > all / 2) stop.abort();
    },
  });
  await expect(first.count()).rejects.toMatchObject({ code: "interrupted" });
  await first.close();
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.at(-1)).toBeLessThan(1);
  const second = opened(dir);
  expect(await second.count()).toBe(3_000);
  const ids = (await second.page(0, 3_000)).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().toReversed());
});

it("keeps texts with the line separators of Unicode", async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "history"), { mode: 0o700 });
  const entry = intent("a", { request: { description: "one\u2028two\u2029three\u0085four" } });
  writeFileSync(
    join(dir, "history", `${String(entry.at).padStart(15, "0")}-0000000a.jsonl`),
    lineOf(1, entry),
  );
  const history = opened(dir);
  expect(await history.latest(9)).toEqual([entry]);
  expect(history.problems).toEqual([]);
});

it.each([
  ["a FIFO", (path: string) => execFileSync("mkfifo", [path])],
  ["a symbolic link", (path: string) => symlinkSync("/dev/zero", path)],
])("refuses %s in the place of a file at once", async (_what, make) => {
  const dir = home();
  make(join(dir, "history", "000000000000001-0000000a.jsonl"));
  await expect(opened(dir).count()).rejects.toMatchObject({ code: "storage" });
});

describe("runs of an earlier build", () => {
  /** Written by such a build: a run that is complete, and one whose second session lost its process. */
  const EARLIER_RUNS = new URL("./earlier-runs", import.meta.url).pathname;

  function runsHome(): string {
    const dir = temporaryFolder();
    cpSync(EARLIER_RUNS, join(dir, "runs"), { recursive: true });
    // What a killed removal has left.
    cpSync(join(EARLIER_RUNS, "a1"), join(dir, "runs", ".removed-0011"), { recursive: true });
    return dir;
  }

  it("are read whole by the first look, and never again", async () => {
    const dir = runsHome();
    const before = digests(join(dir, "runs"));
    const runs = runsIn(dir);
    onTestFinished(() => runs.close());
    expect((await runs.list()).map(({ id, state, summary }) => [id, state, summary?.durationMs])).toEqual([
      ["b2", "partial", undefined],
      ["a1", "complete", 200],
    ]);
    expect((await rowsOf(runs, "a1")).map(({ seq, result: found }) => [seq, found])).toEqual(
      [1, 2, 3].map((seq) => [seq, result()]),
    );
    await runs.remove("a1");
    await runs.close();
    expect((await runs.list()).map(({ id }) => id)).toEqual(["b2"]);
    expect(runs.problems).toEqual([]);
    expect(digests(join(dir, "runs"))).toEqual(before);
  });

  it("go on without sending anything twice", async () => {
    const runs = runsIn(runsHome());
    onTestFinished(() => runs.close());
    const journal = await runs.resume("b2");
    onTestFinished(() => journal.close());
    expect(journal).toMatchObject({ highest: 6, sentBefore: 4, rejected: 3 });
    expect(await dueOf(journal, 7)).toEqual([5, 6, 7]);
    expect((await rowsOf(runs, "b2")).map(({ seq, result: found }) => [seq, found?.outcome ?? null])).toEqual(
      [
        [1, "answered"],
        [2, "answered"],
        [3, "unknown"],
        [4, null],
        [6, "not_sent"],
      ],
    );
  });

  it("go on being taken over where that was stopped", async () => {
    const dir = runsHome();
    const stop = new AbortController();
    const stopped = runsIn(dir, { signal: stop.signal, onTakeOver: () => stop.abort() });
    await expect(stopped.list()).rejects.toMatchObject({ code: "interrupted" });
    await stopped.close();
    const runs = runsIn(dir);
    onTestFinished(() => runs.close());
    expect((await runs.list()).map(({ id, state }) => [id, state])).toEqual([
      ["b2", "partial"],
      ["a1", "complete"],
    ]);
    expect(await rowsOf(runs, "a1")).toHaveLength(3);
  });

  it("count an intent whose line is damaged for sent", async () => {
    const dir = runsHome();
    const [name] = readdirSync(join(dir, "runs", "b2"));
    const path = join(dir, "runs", "b2", name!);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('"key":"o-5"', '"key":"o-9"'));
    const runs = runsIn(dir);
    onTestFinished(() => runs.close());
    const journal = await runs.resume("b2");
    onTestFinished(() => journal.close());
    expect(await dueOf(journal, 7)).toEqual([6, 7]);
    expect(runs.problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining(`1 damaged line of ${path}`) }),
    ]);
  });
});
