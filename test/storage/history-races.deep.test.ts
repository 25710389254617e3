// The index while other processes write, fill segments and prune, and while the disk or a worker fails: nothing of it stays wrong.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { HistoryIndex } from "#src/storage/database/history-index.ts";
import { StaleRowError } from "#src/storage/database/history-index-view.ts";
import { HistoryLines } from "#src/storage/database/history-lines.ts";
import { intentRecord, outcomeRecord } from "#src/storage/database/history-record.ts";
import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";
import { encodeLine } from "#src/storage/database/journal-line.ts";
import { newSegment, parseSegment, sealedName } from "#src/storage/database/segment-name.ts";
import { SEGMENT_LIMIT, SegmentWriter } from "#src/storage/database/segment-writer.ts";
import { answer, intent } from "./entries.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);

const idOf = (number: number): string => `m${String(number).padStart(8, "0")}abcdef0123`;

function open(dir: string, fs: FileSystem = nodeFileSystem, from = START + 1e9): History {
  let now = from;
  const history = openHistory({ dir, now: () => (now += 1), fs });
  onTestFinished(() => history.close());
  return history;
}

/** A full segment with the entries `from` to `to`, each of them settled. */
function writeSegment(dir: string, from: number, to: number): string {
  const lines: Buffer[] = [];
  for (let number = from; number < to; number += 1) {
    const entry = intent(idOf(number), { at: START + number * 10, result: answer() });
    for (const record of [intentRecord(entry), outcomeRecord(entry)]) {
      lines.push(encodeLine({ sequence: lines.length + 1, time: entry.at, record }));
    }
  }
  const path = join(dir, sealedName(newSegment(START + from * 10), START + to * 10));
  writeFileSync(path, Buffer.concat(lines), { mode: 0o600 });
  return path;
}

const nobody = (): Promise<void> => Promise.resolve();
const tablesOf = (dir: string): string[] =>
  readdirSync(join(dir, "index")).map((name) => join(dir, "index", name));

describe("a view", () => {
  it("is made anew when a segment goes between the listing and the look at it", async () => {
    const dir = temporaryFolder();
    writeSegment(dir, 0, 10);
    const going = writeSegment(dir, 10, 20);
    let isGoing = false;
    const history = open(dir, {
      ...nodeFileSystem,
      open: async (path, flags, mode) => {
        if (isGoing && path === going) rmSync(going, { force: true });
        return await nodeFileSystem.open(path, flags, mode);
      },
    });
    expect(await history.count()).toBe(20);
    isGoing = true;
    utimesSync(dir, new Date(), new Date(START));
    expect(await history.count()).toBe(10);
    expect(await history.count()).toBe(10);
  });

  it("that could not be made is made later, although nothing has changed since", async () => {
    const dir = temporaryFolder();
    writeSegment(dir, 0, 10);
    let fails = false;
    let looked = 0;
    const history = open(dir);
    const index = new HistoryIndex(
      dir,
      {
        ...nodeFileSystem,
        open: async (path, flags, mode) => {
          // The table, and then its segment: what the new note is about is looked for there.
          if (fails && /\.idx$|-\d{15}\.jsonl$/.test(path) && looked++ > 0)
            throw Object.assign(new Error("no"), { code: "EMFILE", syscall: "open" });
          return await nodeFileSystem.open(path, flags, mode);
        },
      },
      nobody,
    );
    await index.refresh();
    await history.annotate(idOf(3), "found later");
    fails = true;
    await expect(index.refresh()).rejects.toThrow("no");
    fails = false;
    expect((await index.refresh()).foreign.size).toBe(1);
  });

  it("does without a table that was found to be wrong while the view was being made", async () => {
    const dir = temporaryFolder();
    const id = parseSegment(writeSegment(dir, 0, 10).slice(dir.length + 1))!.id;
    let isWrong = false;
    const index: HistoryIndex = new HistoryIndex(
      dir,
      {
        ...nodeFileSystem,
        // After the look at the segments.
        readdir: async (path) => {
          if (isWrong && path.endsWith("index")) index.distrust(id);
          return await nodeFileSystem.readdir(path);
        },
      },
      nobody,
    );
    const before = await index.refresh();
    isWrong = true;
    utimesSync(dir, new Date(), new Date(START));
    await index.refresh();
    isWrong = false;
    expect((await index.refresh()).segments[0]!.summary).not.toBe(before.segments[0]!.summary);
  });

  it("does not continue one whose growing segment was pruned and has grown since", async () => {
    const dir = temporaryFolder();
    const reader = open(dir);
    let now = START;
    const writer = openHistory({ dir, now: () => (now += 1_000) });
    for (let number = 0; number < 6; number += 1) await writer.intend(intent(idOf(number), { at: now }));
    await writer.close();
    expect(await reader.extent()).toEqual({ count: 6, isContinued: true });
    expect(await writer.prune({ before: START + 3_000, dryRun: false })).toMatchObject({ removed: 3 });
    for (let number = 6; number < 12; number += 1) await writer.intend(intent(idOf(number), { at: now }));
    await writer.close();
    expect(await reader.extent()).toEqual({ count: 9, isContinued: false });
  });

  it("of before a pruning reads no line of another entry, although the lines are equally long", async () => {
    const dir = temporaryFolder();
    let now = START;
    const writer = openHistory({ dir, now: () => (now += 1_000) });
    for (let number = 0; number < 6; number += 1) await writer.intend(intent(idOf(number), { at: now }));
    await writer.close();
    const file = readdirSync(dir).find((name) => name.endsWith(".jsonl"))!;
    renameSync(join(dir, file), join(dir, sealedName(parseSegment(file)!, now)));
    const index = new HistoryIndex(dir, nodeFileSystem, nobody);
    const view = await index.refresh();
    await writer.prune({ before: START + 3_000, dryRun: false });
    const lines = new HistoryLines(dir, view, index.tables, nodeFileSystem);
    onTestFinished(() => lines.close());
    await index.tables.load(view.segments[0]!).catch(() => undefined);
    await expect(lines.entry({ segment: 0, row: 0 })).rejects.toThrow(StaleRowError);
  });
});

describe("a record far from its entry", () => {
  it("is found once, and again wherever its entry goes", async () => {
    const dir = temporaryFolder();
    writeSegment(dir, 0, 10);
    const [reader, writer, other] = [open(dir), open(dir), open(dir)];
    const noted = async (number: number): Promise<unknown> => (await reader.find(idOf(number)))?.note;
    await writer.intend(intent(idOf(20)));
    // Of a full segment, and of one that grows.
    await other.annotate(idOf(3), "three");
    await other.annotate(idOf(20), "twenty");
    expect([await noted(3), await noted(20)]).toEqual(["three", "twenty"]);
    await writer.intend(intent(idOf(21)));
    await other.annotate(idOf(21), "twenty-one");
    expect([await noted(3), await noted(20), await noted(21)]).toEqual(["three", "twenty", "twenty-one"]);
    // Both become full: the entry's segment first, then that of the records.
    for (const history of [writer, other]) {
      await history.close();
      const growing = readdirSync(dir)
        .map(parseSegment)
        .find((each) => each?.lastTime === null);
      renameSync(join(dir, growing!.file), join(dir, sealedName(growing!, START + 2e9)));
      expect([await noted(3), await noted(20), await noted(21)]).toEqual(["three", "twenty", "twenty-one"]);
    }
    await writer.annotate(idOf(20), "again");
    expect([await noted(3), await noted(20)]).toEqual(["three", "again"]);
    await writer.close();
    await writer.prune({ before: START + 5_000, dryRun: false });
    expect(await noted(3)).toBeUndefined();
    expect([await noted(20), await noted(21)]).toEqual(["again", "twenty-one"]);
    expect(await reader.page(0, 9)).toEqual(await Array.fromAsync(open(dir).entries()));
  });

  it("is not looked for again in tables that have not changed", async () => {
    const dir = temporaryFolder();
    writeSegment(dir, 0, 10);
    const writer = open(dir);
    let tables = 0;
    const index = new HistoryIndex(
      dir,
      {
        ...nodeFileSystem,
        open: (path, flags, mode) => {
          if (path.endsWith(".idx")) tables += 1;
          return nodeFileSystem.open(path, flags, mode);
        },
      },
      nobody,
    );
    await index.refresh();
    for (let number = 0; number < 5; number += 1) await writer.annotate(idOf(number), "note");
    // Of nobody: looked for once, everywhere.
    await writer.annotate(idOf(5).replace("abc", "abd"), "note");
    const before = await index.refresh();
    expect(before.foreign.size).toBe(5);
    const read = tables;
    for (let number = 20; number < 30; number += 1) {
      await writer.intend(intent(idOf(number)));
      expect((await index.refresh()).foreign.size).toBe(5);
    }
    expect(tables).toBe(read);
  });
});

describe("a full segment", () => {
  it("of a process that was killed is synced before it is called full", async () => {
    const dir = temporaryFolder();
    const segment = newSegment(START);
    const line = encodeLine({
      sequence: 1,
      time: START,
      record: { type: "padding", text: "x".repeat(SEGMENT_LIMIT) },
    });
    writeFileSync(join(dir, segment.file), line, { mode: 0o600 });
    const calls: string[] = [];
    const fs: FileSystem = {
      ...nodeFileSystem,
      open: async (path, flags, mode) => {
        const file = await nodeFileSystem.open(path, flags, mode);
        return {
          read: (...all) => file.read(...all),
          write: (...all) => file.write(...all),
          stat: () => file.stat(),
          chmod: (to) => file.chmod(to),
          truncate: (to) => file.truncate(to),
          sync: () => file.sync(),
          close: () => file.close(),
          datasync: () => {
            if (path.endsWith(segment.file)) calls.push("sync");
            return file.datasync();
          },
        };
      },
      rename: (from, to) => {
        if (from.endsWith(segment.file)) calls.push("rename");
        return nodeFileSystem.rename(from, to);
      },
    };
    const writer = await SegmentWriter.claim(dir, START + 1, fs);
    await writer.close();
    expect(calls).toEqual(["sync", "rename"]);
  });
});

describe("a search in a worker", () => {
  const COUNT = 24_000;

  /** Made once; each test gets a copy. */
  let template = "";

  beforeAll(() => {
    template = mkdtempSync(join(tmpdir(), "verdict-storage-"));
    for (const from of [0, 8_000, 16_000]) writeSegment(template, from, from + 8_000);
  });
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  function longHistory(): { dir: string; paths: string[] } {
    const dir = temporaryFolder();
    cpSync(template, dir, { recursive: true });
    return {
      dir,
      paths: readdirSync(dir)
        .sort()
        .map((name) => join(dir, name)),
    };
  }

  function search(history: History, filter: string, onFound: (places: Uint32Array) => void): Promise<void> {
    return history.search({
      filter,
      now: START + 1e8,
      from: 0,
      to: COUNT,
      signal: new AbortController().signal,
      onFound,
      onProgress: () => undefined,
    });
  }

  it("finds the same with spoiled tables, which are mended afterwards", async () => {
    const { dir } = longHistory();
    await open(dir).count();
    const tables = tablesOf(dir);
    const whole = tables.map((path) => readFileSync(path));
    const flipped = Buffer.from(whole[0]!);
    flipped[5_000]! ^= 1;
    writeFileSync(tables[0]!, flipped);
    const history = open(dir);
    expect(await history.count()).toBe(COUNT);
    rmSync(tables[1]!);
    writeFileSync(tables[2]!, whole[2]!.subarray(0, 100));
    const found: number[] = [];
    await search(history, "verdict:block", (places) => found.push(...places));
    expect(found).toEqual(Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index));
    await history.count();
    for (const [index, path] of tables.entries()) expect(readFileSync(path).equals(whole[index]!)).toBe(true);
  });

  it("that fails is gone on with, and what is wrong is said; nothing is found twice", async () => {
    const { dir, paths } = longHistory();
    const history = open(dir);
    await history.count();
    const found: number[] = [];
    const searching = search(history, "order:*0*", (places) => {
      if (found.length === 0) {
        rmSync(paths[0]!);
        mkdirSync(paths[0]!);
      }
      found.push(...places);
    });
    await expect(searching).rejects.toThrow(/is a folder|no regular file/);
    expect(found.length).toBeGreaterThan(1_000);
    expect(found).toEqual([...new Set(found)].toSorted((a, b) => b - a));
  });

  it("ends when the history is closed, and does not pass for a whole one", async () => {
    const { dir } = longHistory();
    const history = open(dir);
    await history.count();
    let found = 0;
    const searching = search(history, "amount>5 latency>10", (places) => {
      if (found === 0) void history.close();
      found += places.length;
    });
    await expect(searching).rejects.toThrow();
    expect(found).toBeLessThan(COUNT);
  });
});

describe("the first look", () => {
  const COUNT = 90;

  function many(): string {
    const dir = temporaryFolder();
    for (let from = 0; from < COUNT; from += 10) writeSegment(dir, from, from + 10);
    return dir;
  }

  it("ends when the history is closed, and can be taken anew", async () => {
    const history = open(many());
    const counting = history.count();
    await Promise.all([history.close(), expect(counting).rejects.toThrow()]);
    expect(await history.count()).toBe(COUNT);
  });
});
