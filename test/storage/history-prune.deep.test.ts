// Pruning: what is older goes, whole and for good; a crash anywhere leaves the old history or the new one.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { answer, intent } from "./entries.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import type { Failure } from "./failing-file-system.ts";
import { forgetfulDisk } from "./forgetful-disk.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);
const LIMIT = START + 5_000;

function open(dir: string, from: number, fs: FileSystem = nodeFileSystem): History {
  let now = from;
  const history = openHistory({ dir, now: () => (now += 1), fs });
  onTestFinished(() => history.close());
  return history;
}

/** Ten entries a second apart, e0 to e9, in two segments; e2 is noted in the second one. */
async function fill(dir: string, fs: FileSystem = nodeFileSystem): Promise<void> {
  let now = START;
  const [one, two] = [openHistory({ dir, now: () => now, fs }), openHistory({ dir, now: () => now, fs })];
  for (let number = 0; number < 10; number += 1) {
    now = START + number * 1_000;
    const entry = intent(`e${number}`, { at: now, result: answer() });
    const by = number < 4 ? one : two;
    await by.intend(entry);
    await by.settle(entry);
  }
  await two.annotate("e2", "about an old one");
  await two.annotate("e7", "about a new one");
  await one.close();
  await two.close();
}

async function ids(history: History): Promise<string> {
  return (await Array.fromAsync(history.entries())).map(({ id }) => id.slice(1)).join("");
}

const prune = { before: LIMIT, dryRun: false };

describe("pruning", () => {
  it("removes what is older, with all that was told of it, and keeps the rest as it was", async () => {
    const dir = temporaryFolder();
    await fill(dir);
    const history = open(dir, START + 20_000);
    const before = await history.page(0, 5);
    expect(await history.count()).toBe(10);
    expect(await history.prune({ ...prune, dryRun: true })).toMatchObject({ removed: 5, kept: 5 });
    expect(await ids(history)).toBe("9876543210");
    expect(await history.prune(prune)).toMatchObject({ removed: 5, kept: 5, inUse: 0 });
    expect(await ids(history)).toBe("98765");
    expect(await history.page(0, 9)).toEqual(before);
    const text = readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(join(dir, name), "utf8"))
      .join("");
    for (const old of ['"e0"', '"e4"', "A-e3", "about an old one"]) expect(text).not.toContain(old);
    expect(text).toContain("about a new one");
    expect(readdirSync(dir).filter((name) => /\.lock$|\.next$|swap/.test(name))).toEqual([]);
    expect(history.problems).toEqual([]);
    expect(await history.prune(prune)).toMatchObject({ removed: 0, freedBytes: 0 });
    await history.intend(intent("e-after"));
    expect(await ids(history)).toBe("-after98765");
    expect((await history.extent()).isContinued).toBe(false);
  });

  it("of an empty history does nothing", async () => {
    const dir = join(temporaryFolder(), "none");
    expect(await open(dir, START).prune(prune)).toMatchObject({ removed: 0, kept: 0 });
    expect(existsSync(dir)).toBe(false);
  });

  it("leaves the segment of a living writer alone, whose next records are all there", async () => {
    const dir = temporaryFolder();
    let now = START;
    const writer = openHistory({ dir, now: () => now });
    onTestFinished(() => writer.close());
    await writer.intend(intent("e1", { at: START }));
    now = START + 9_000;
    const other = open(dir, START + 20_000);
    expect(await other.prune(prune)).toMatchObject({ removed: 0, kept: 0, inUse: 1 });
    await writer.intend(intent("e2", { at: START + 9_000 }));
    expect(await ids(other)).toBe("21");
    await writer.close();
    expect(await other.prune(prune)).toMatchObject({ removed: 1, inUse: 0 });
    expect(await ids(other)).toBe("2");
  });

  it("loses nothing that others append meanwhile", async () => {
    const dir = temporaryFolder();
    await fill(dir);
    const writers = [open(dir, START + 20_000), open(dir, START + 30_000)];
    let number = 0;
    const state = { pruning: true };
    const pruned = (async () => {
      const pruner = open(dir, START + 40_000);
      const results = [];
      for (const before of [START + 2_000, START + 4_000, LIMIT]) {
        results.push(await pruner.prune({ before, dryRun: false }));
      }
      state.pruning = false;
      return results;
    })();
    const written: string[] = [];
    while (state.pruning) {
      const id = `n${(number += 1)}`;
      await writers[number % 2]!.intend(intent(id, { at: START + 50_000 }));
      written.push(id);
    }
    expect((await pruned).every((each) => each !== null)).toBe(true);
    const found = new Set((await Array.fromAsync(writers[0]!.entries())).map(({ id }) => id));
    expect(written.filter((id) => !found.has(id))).toEqual([]);
    for (const id of ["e5", "e9"]) expect(found.has(id)).toBe(true);
  });

  it("keeps a copy of damage in what it replaces", async () => {
    const dir = temporaryFolder();
    await fill(dir);
    const [first] = readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .toSorted();
    const path = join(dir, first!);
    writeFileSync(path, `damaged line\n${readFileSync(path, "utf8")}`);
    const history = open(dir, START + 20_000);
    await history.prune({ before: START + 2_000, dryRun: false });
    expect(await ids(history)).toBe("98765432");
    expect(readdirSync(join(dir, "quarantine"))).toHaveLength(1);
  });
});

describe("a crash while pruning", () => {
  const OLD = "9876543210";
  const NEW = "98765";

  it.each<Failure>(["ENOSPC", "EIO", "short_write"])(
    "with %s at the Nth call leaves the old or the new",
    async (failure) => {
      for (let failAt = 1; ; failAt += 1) {
        const dir = temporaryFolder();
        await fill(dir);
        const fs = failingFileSystem(failure, failAt);
        const outcome = await openHistory({ dir, now: () => START + 20_000, fs })
          .prune(prune)
          .then(
            () => "done",
            (error: unknown) => (error as { code?: string }).code,
          );
        expect(["done", "storage"], `call ${failAt}`).toContain(outcome);
        const after = open(dir, START + 30_000);
        const found = await ids(after);
        expect(outcome === "done" ? [NEW] : [OLD, NEW], `call ${failAt}`).toContain(found);
        // Whoever writes next finishes it, and nothing changes by that.
        await after.intend(intent("e+"));
        expect(await ids(after), `call ${failAt}`).toBe(`+${found}`);
        expect(await after.count(), `call ${failAt}`).toBe(found.length + 1);
        await after.close();
        expect(await after.prune(prune), `call ${failAt}`).not.toBeNull();
        expect(await ids(after), `call ${failAt}`).toBe(`+${NEW}`);
        expect(
          readdirSync(dir).filter((name) => /\.next$|swap/.test(name)),
          `call ${failAt}`,
        ).toEqual([]);
        if (!fs.reached) return;
      }
    },
  );

  it.each([
    ["nothing", () => () => false],
    ["everything", () => () => true],
    [
      "every other thing",
      () => {
        let coin = false;
        return () => (coin = !coin);
      },
    ],
  ] as const)(
    "of the power, with a disk that keeps %s unsynced, leaves the old or the new",
    async (_, keeps) => {
      for (let cut = 0; ; cut += 1) {
        const disk = forgetfulDisk();
        await fill("/home/history", disk);
        const from = disk.changes;
        disk.cutAfter(cut);
        const pruner = openHistory({ dir: "/home/history", now: () => START + 20_000, fs: disk });
        const outcome = await pruner.prune(prune).then(
          () => "done",
          () => "failed",
        );
        const made = disk.changes - from;
        const left = disk.afterPowerCut(keeps());
        const after = openHistory({ dir: "/home/history", now: () => START + 30_000, fs: left });
        const found = await ids(after);
        expect(outcome === "done" ? [NEW] : [OLD, NEW], `cut ${cut}`).toContain(found);
        await after.intend(intent("e+", { at: START + 30_000 }));
        expect(await ids(after), `cut ${cut}`).toBe(`+${found}`);
        await after.close();
        if (made <= cut) return;
      }
    },
  );
});
