// What a database of ours is opened on, and when it refuses to be written to.

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { databaseFault } from "#src/storage/database/database-fault.ts";
import { historyIn } from "./open-history.ts";
import { answer, intent } from "./entries.ts";
import { startChild } from "./child.ts";
import { forbidWriting } from "./read-only-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Changes a database behind the back of the program. */
function meddle(dir: string, sql: string): void {
  const database = new DatabaseSync(join(dir, "history.db"), { defensive: false });
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
    ["a FIFO", (path: string) => execFileSync("mkfifo", [path]), "is not a regular file"],
    ["other text", (path: string) => writeFileSync(path, "text ".repeat(99)), "is damaged"],
  ])("that is %s is refused at once", async (_what, make, said) => {
    const dir = temporaryFolder();
    make(join(dir, "history.db"));
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    await expect(history.count()).rejects.toThrow(said);
    await expect(history.intend(intent("a"))).rejects.toThrow(said);
  });

  it("that another process fills at the moment of opening is ours", async () => {
    const model = new DatabaseSync(join(await written(), "history.db"));
    const tables = model.prepare("SELECT sql FROM sqlite_schema WHERE sql NOT NULL").all();
    const [id, version] = ["application_id", "user_version"].map((name) =>
      Number(model.prepare(`PRAGMA ${name}`).get()![name]),
    );
    model.close();
    const dir = temporaryFolder();
    let fills = 0;
    const { prepare } = DatabaseSync.prototype;
    const spy = vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (
      this: DatabaseSync,
      sql: string,
    ) {
      if (sql === "PRAGMA user_version" && fills++ === 0) {
        const other = new DatabaseSync(join(dir, "history.db"), { timeout: 0 });
        try {
          const all = tables.map(({ sql: table }) => `${String(table)};`).join("\n");
          other.exec(`BEGIN; ${all} PRAGMA application_id=${id}; PRAGMA user_version=${version}; COMMIT`);
        } catch {
          // It has to wait until the look at it has ended.
        }
        other.close();
      }
      return prepare.call(this, sql);
    });
    onTestFinished(() => spy.mockRestore());
    const history = historyIn(dir);
    await history.intend(intent("a"));
    expect(fills).toBeGreaterThan(0);
    expect((await history.latest(1))[0]?.id).toBe("a");
    await history.close();
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
    meddle(dir, "PRAGMA user_version = 9; CREATE TABLE newer(id)");
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

describe("what a database says on the way", () => {
  it("is once, after a second, that it waits for another process", async () => {
    const dir = await written();
    const holder = new DatabaseSync(join(dir, "history.db"));
    holder.exec("BEGIN IMMEDIATE");
    const said = Promise.withResolvers<string>();
    const sentences: string[] = [];
    const began = performance.now();
    const history = historyIn(dir, {
      onNotice: (sentence) => said.resolve(String(sentences.push(sentence))),
    });
    onTestFinished(() => history.close());
    const writing = history.intend(intent("d"));
    await said.promise;
    expect(performance.now() - began).toBeGreaterThan(1_000);
    holder.exec("COMMIT");
    holder.close();
    await writing;
    expect(sentences).toEqual([
      `${join(dir, "history.db")} is locked by another process; verdict waits for the lock.`,
    ]);
  });

  it("is that an index did not fit its table, and it goes on", async () => {
    const dir = await written();
    // An index that misses a change of its table, as a lost page leaves it.
    const database = new DatabaseSync(join(dir, "history.db"));
    const declared = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entry_1'";
    const { rootpage } = database.prepare(declared).get()!;
    const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'entry'").get()!;
    database.close();
    meddle(
      dir,
      `PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_entry_1';
       UPDATE sqlite_schema SET sql = replace(sql, ' UNIQUE', '') WHERE name = 'entry'`,
    );
    meddle(dir, "UPDATE entry SET id = 'zz' WHERE place = 2");
    meddle(
      dir,
      `PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = '${String(sql)}' WHERE name = 'entry';
       INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_entry_1', 'entry', ${Number(rootpage)}, NULL)`,
    );
    const sentences: string[] = [];
    const history = historyIn(dir, { onNotice: (sentence) => sentences.push(sentence) });
    onTestFinished(() => history.close());
    const before = Date.UTC(2099, 0, 1);
    const stop = new AbortController().signal;
    expect(await history.prune({ before, dryRun: false }, stop, () => undefined)).toMatchObject({
      removed: 3,
    });
    expect(sentences).toEqual([
      `An index of ${join(dir, "history.db")} did not match its table; verdict rebuilt the index.`,
    ]);
  });
});

describe("a database that cannot be opened", () => {
  it("where its folder can be written is no read-only one, but on a failing disk", async () => {
    const dir = await written();
    // SQLITE_CANTOPEN
    const error = Object.assign(new Error("unable to open"), { errcode: 14 });
    expect(databaseFault(error, join(dir, "history.db"), "look", true)).toMatchObject({
      message: expect.stringContaining("the disk reported an error"),
    });
    expect(readdirSync(dir)).toEqual(["history.db", "history.db.mark"]);
  });
});

describe("a place that cannot be written", () => {
  it("is read, and says so when it is to be written", async () => {
    const dir = await written();
    forbidWriting(dir);
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    expect(await history.count()).toBe(3);
    await expect(history.intend(intent("d"))).rejects.toThrow("read-only");
  });
});

it("a log cut anywhere loses the last commits, and never a part of one", async () => {
  const dir = temporaryFolder();
  await startChild("write-history", dir, "before", "1").ended;
  const path = join(dir, "history.db");
  // A connection that stays keeps the log from being emptied when the child ends, however soon that is.
  const keeper = new DatabaseSync(path);
  keeper.exec("SELECT 1 FROM entry; BEGIN; SELECT count(*) FROM entry");
  const child = startChild("write-history", dir, "n", "12");
  expect(await child.ended, child.errors()).toBe(0);
  const cut = temporaryFolder();
  const size = statSync(`${path}-wal`).size;
  expect(size).toBeGreaterThan(50_000);
  let most = 0;
  for (let at = size; at > 0; at -= 4_999) {
    for (const name of ["history.db", "history.db-wal"]) {
      copyFileSync(join(dir, name), join(cut, name));
    }
    truncateSync(join(cut, "history.db-wal"), at);
    const history = historyIn(cut);
    const [before, ...entries] = (await history.latest(99)).toReversed();
    expect(before!.id).toBe("before-1");
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => `n-${index + 1}`));
    // Whatever is followed by a later step is whole.
    for (const entry of entries.slice(0, -1)) {
      expect(entry).toMatchObject({ note: "noted", result: answer({ recommendation: "block" }) });
    }
    expect(history.problems).toEqual([]);
    await history.close();
    most = Math.max(most, entries.length);
    for (const name of readdirSync(cut)) rmSync(join(cut, name));
  }
  keeper.close();
  expect(most).toBe(12);
  expect(existsSync(path)).toBe(true);
});
