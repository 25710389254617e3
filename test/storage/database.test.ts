// What a database of ours is opened on, and when it refuses to be written to.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it, onTestFinished } from "vitest";

import { historyIn } from "./open-history.ts";
import { answer, intent } from "./entries.ts";
import { startChild } from "./child.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Changes a database behind the back of the program. */
function meddle(dir: string, sql: string): void {
  const database = new DatabaseSync(join(dir, "history.db"));
  database.exec(sql);
  database.close();
}

async function written(): Promise<string> {
  const dir = temporaryFolder();
  const history = historyIn(dir);
  for (const id of ["a", "b", "c"]) await history.intend(intent(id));
  await history.close();
  return dir;
}

describe("a history", () => {
  it("is not created by a look at it", async () => {
    const dir = temporaryFolder();
    const history = historyIn(dir);
    expect([await history.count(), await history.latest(9), await history.find("a")]).toEqual([0, [], null]);
    expect(readdirSync(dir)).toEqual([]);
    // What another process has created since is there.
    await historyIn(dir).intend(intent("a"));
    expect(await history.count()).toBe(1);
    await history.close();
  });

  it.each([
    ["a symbolic link", (path: string) => symlinkSync("/dev/null", path), "is a symbolic link"],
    ["a folder", (path: string) => mkdirSync(path), "is a folder"],
    ["a FIFO", (path: string) => execFileSync("mkfifo", [path]), "is no regular file"],
    ["other text", (path: string) => writeFileSync(path, "text ".repeat(99)), "is damaged"],
  ])("that is %s is refused at once", async (_what, make, said) => {
    const dir = temporaryFolder();
    make(join(dir, "history.db"));
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    await expect(history.count()).rejects.toThrow(said);
    await expect(history.intend(intent("a"))).rejects.toThrow(said);
  });

  it("of another program is left alone", async () => {
    const dir = temporaryFolder();
    meddle(dir, "CREATE TABLE photos(id)");
    await expect(historyIn(dir).intend(intent("a"))).rejects.toThrow("is a database of another program");
  });

  it("of a newer version is read and never written", async () => {
    const dir = await written();
    const open = historyIn(dir);
    onTestFinished(() => open.close());
    expect(await open.count()).toBe(3);
    meddle(dir, "PRAGMA user_version = 9");
    // Also by a session that had it open before.
    await expect(open.intend(intent("d"))).rejects.toThrow("was written by a newer version of verdict");
    const later = historyIn(dir);
    onTestFinished(() => later.close());
    expect((await later.latest(1))[0]?.id).toBe("c");
    await expect(later.annotate("c", "x")).rejects.toThrow("was written by a newer version of verdict");
  });

  it("that was removed while it was open takes no more verdicts", async () => {
    const dir = await written();
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    expect(await history.count()).toBe(3);
    renameSync(join(dir, "history.db"), join(dir, "away.db"));
    await expect(history.intend(intent("d"))).rejects.toThrow(
      "was moved or removed while in use; start again",
    );
    await expect(history.hasChanged()).rejects.toThrow("was moved or removed while in use");
  });

  it("waits for a writer that holds on, and goes on when it lets go", async () => {
    const dir = await written();
    const holder = new DatabaseSync(join(dir, "history.db"));
    holder.exec("BEGIN IMMEDIATE");
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    const writing = history.intend(intent("d"));
    expect((await history.latest(1))[0]?.id).toBe("c");
    holder.exec("COMMIT");
    holder.close();
    await writing;
    expect(await history.count()).toBe(4);
  });
});

describe("a place that cannot be written", () => {
  // Root may write everywhere but on a read-only mount.
  const isRoot = process.geteuid?.() === 0;

  it.skipIf(isRoot)("is read, and says so when it is to be written", async () => {
    const dir = await written();
    chmodSync(dir, 0o500);
    onTestFinished(() => chmodSync(dir, 0o700));
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    expect(await history.count()).toBe(3);
    await expect(history.intend(intent("d"))).rejects.toThrow("read-only");
  });
});

it("a log cut anywhere loses the last commits, and never a part of one", async () => {
  const dir = temporaryFolder();
  const child = startChild("write-history", dir, "n", "12");
  await child.started;
  const path = join(dir, "history.db");
  // A connection that stays keeps the log from being emptied when the child ends.
  const keeper = new DatabaseSync(path);
  keeper.exec("SELECT 1 FROM entry; BEGIN; SELECT count(*) FROM entry");
  expect(await child.ended, child.errors()).toBe(0);
  const cut = temporaryFolder();
  const size = statSync(`${path}-wal`).size;
  expect(size).toBeGreaterThan(50_000);
  let most = 0;
  for (let at = size; at > 0; at -= 4_999) {
    for (const name of ["history.db", "history.db-wal"]) {
      execFileSync("cp", [join(dir, name), join(cut, name)]);
    }
    truncateSync(join(cut, "history.db-wal"), at);
    const history = historyIn(cut);
    const entries = (await history.latest(99)).toReversed();
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => `n-${index + 1}`));
    // Whatever is followed by a later step is whole.
    for (const entry of entries.slice(0, -1)) {
      expect(entry).toMatchObject({ note: "noted", result: answer({ recommendation: "block" }) });
    }
    expect(history.problems).toEqual([]);
    await history.close();
    most = Math.max(most, entries.length);
    for (const name of readdirSync(cut)) execFileSync("rm", [join(cut, name)]);
  }
  keeper.close();
  expect(most).toBe(12);
  expect(existsSync(path)).toBe(true);
});
