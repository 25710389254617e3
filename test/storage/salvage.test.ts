// A salvage that is stopped anywhere, or runs beside others, loses no entry that can be read.

import fs, { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { Database } from "#src/storage/database/database.ts";
import { damagedHistory, expectSalvaged, FILES, idsIn, SAVED } from "./damaged-history.ts";
import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** From which call on every change of a file fails, as nothing works any more after a kill; and whether links can be made. */
const disk = { calls: 0, failFrom: Infinity, hasLinks: true };
const CHANGES = ["linkSync", "renameSync", "rmSync", "copyFileSync"] as const;

// Not a mock of the module, which files that share this process have loaded before.
beforeAll(() => {
  for (const name of CHANGES) {
    const real = fs[name] as (...given: unknown[]) => void;
    vi.spyOn(fs, name).mockImplementation((...given: unknown[]) => {
      disk.calls += 1;
      const fails = (code: string): Error => Object.assign(new Error(code), { code, syscall: name });
      if (disk.calls >= disk.failFrom) throw fails("EIO");
      if (name === "linkSync" && !disk.hasLinks) throw fails("EPERM");
      real(...given);
    });
  }
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
afterEach(() => Object.assign(disk, { calls: 0, failFrom: Infinity, hasLinks: true }));

const NOW = Date.UTC(2026, 1, 1);
const NEVER = new AbortController().signal;
const quiet = (): void => undefined;
describe.each([
  ["a row", "row", true],
  ["the first page", "first page", true],
  ["a row, where no links can be made,", "row", false],
] as const)("a salvage of a history with damage in %s", (_what, how, hasLinks) => {
  it("finds the old or the new history after a stop at any call, or says what to do, and goes on", async () => {
    const original = await damagedHistory(how);
    for (let at = 1; ; at += 1) {
      const dir = temporaryFolder();
      for (const name of FILES) copyFileSync(join(original, name), join(dir, name));
      const history = historyIn(dir);
      Object.assign(disk, { calls: 0, failFrom: at, hasLinks });
      const stopped = await history.salvage(NOW, quiet).catch((error: unknown) => error);
      const wasReached = disk.calls >= at;
      disk.failFrom = Infinity;
      await history.close();
      if (!wasReached) {
        expect(stopped).toMatchObject({ saved: SAVED.length, of: 5 });
        await expectSalvaged(dir);
        expect(at).toBeGreaterThan(10);
        return;
      }
      const found = await idsIn(dir).catch((error: unknown) => error);
      if (found instanceof Fault)
        expect(found).toMatchObject({ code: "corrupt", message: expect.stringContaining("history salvage") });
      else expect(found, `call ${at}`).toEqual(SAVED);
      const again = historyIn(dir);
      await again.salvage(NOW + 1, quiet);
      await again.close();
      await expectSalvaged(dir);
    }
  });
});

it.each([
  ["emptied", (path: string) => writeFileSync(path, "")],
  ["replaced by a text", (path: string) => writeFileSync(path, "no database")],
  ["cut", (path: string) => truncateSync(path, 4_096)],
])("a salvage of a history that was %s says how many entries are gone", async (_what, damage) => {
  const dir = temporaryFolder();
  const history = historyIn(dir);
  for (const id of ["e1", "e2", "e3"]) await history.intend(intent(id));
  await history.close();
  damage(join(dir, "history.db"));
  expect(await history.salvage(NOW, quiet)).toMatchObject({ saved: 0, of: 3 });
});

describe("while a history is salvaged", () => {
  it("nobody writes to it or makes another one, and it loses nothing", async () => {
    const dir = await damagedHistory();
    const [open, salvaging] = [historyIn(dir), historyIn(dir)];
    onTestFinished(() => open.close());
    await open.count();
    const tries: Promise<unknown>[] = [];
    await salvaging.salvage(NOW, () => {
      for (const history of [open, historyIn(dir)])
        tries.push(history.intend(intent(`n${tries.length}`)).catch((error: unknown) => error));
      tries.push(idsIn(dir).catch((error: unknown) => error));
    });
    const said = await Promise.all(tries);
    expect(said.length).toBeGreaterThan(2);
    for (const each of said)
      expect(each).toMatchObject({
        message: expect.stringMatching(/is being salvaged|was moved or removed while in use/),
      });
    await expectSalvaged(dir);
  });

  it("a second salvage waits, and finds a whole one", async () => {
    const dir = await damagedHistory();
    const both = await Promise.all([historyIn(dir).salvage(NOW, quiet), historyIn(dir).salvage(NOW, quiet)]);
    expect(both).toContain(null);
    expect(both).toContainEqual(expect.objectContaining({ saved: SAVED.length }));
    await expectSalvaged(dir);
  });
});

it("a salvage leaves a whole history, and one of a newer version, as it is", async () => {
  const dir = await damagedHistory();
  const path = join(dir, "history.db");
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 9; CREATE TABLE newer(id)");
  newer.close();
  await expect(historyIn(dir).salvage(NOW, quiet)).rejects.toThrow("start that version to write");
  const older = new DatabaseSync(path);
  expect(older.prepare("PRAGMA user_version").get()).toEqual({ user_version: 9 });
  older.close();
  const whole = temporaryFolder();
  const history = historyIn(whole);
  await history.intend(intent("a"));
  expect(await history.salvage(NOW, quiet)).toBeNull();
  expect(readdirSync(whole)).toEqual(["history.db", "history.db.mark"]);
});

it.each([
  ["with other tables", "CREATE TABLE photos(id); INSERT INTO photos VALUES (1)"],
  ["with a table of the same name", "CREATE TABLE entry(id); INSERT INTO entry VALUES (1)"],
  ["of a higher version", "CREATE TABLE photos(id); PRAGMA application_id = 7; PRAGMA user_version = 9"],
])("a salvage leaves a database of another program (%s) where it is", async (_what, sql) => {
  const dir = temporaryFolder();
  const path = join(dir, "history.db");
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
  const before = readFileSync(path);
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  for (const work of [() => history.salvage(NOW, quiet), () => history.verify(NEVER, quiet)])
    await expect(work()).rejects.toMatchObject({
      code: "storage",
      message: expect.stringContaining("is a database of another program; move it away"),
    });
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(dir)).toEqual(["history.db"]);
});

describe("a verification while others write", () => {
  it.each([0, 1])("counts the %i entries that are missing, and no others", async (missing) => {
    const dir = temporaryFolder();
    const [history, other] = [historyIn(dir), historyIn(dir)];
    onTestFinished(async () => {
      await Promise.all([history.close(), other.close()]);
    });
    for (const id of ["e1", "e2", "e3"]) await other.intend(intent(id));
    await history.count();
    if (missing > 0) {
      const database = new DatabaseSync(join(dir, "history.db"));
      database.exec("DELETE FROM entry WHERE place = 2");
      database.close();
    }
    const { read } = Database.prototype;
    let written = 0;
    const spy = vi.spyOn(Database.prototype, "read").mockImplementation(async function <R>(
      this: Database,
      work: () => R,
    ): Promise<R> {
      await other.intend(intent(`n${(written += 1)}`));
      return (await read.call(this, work)) as R;
    });
    onTestFinished(() => spy.mockRestore());
    expect(await history.verify(NEVER, quiet)).toMatchObject({
      missing,
      damaged: [],
      isWhole: missing === 0,
    });
    expect(written).toBeGreaterThan(2);
  });
});

describe("signs of an earlier database", () => {
  it.each([
    "history.db-wal",
    "history.db-shm",
    "history.db.corrupt-20260101T000000000Z",
    "history.db.salvaged",
  ])("(%s) are no new start", async (name) => {
    const dir = temporaryFolder();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, name), "", { mode: 0o600 });
    const history = historyIn(dir);
    const tries = [
      history.count(),
      history.intend(intent("a")),
      history.verify(NEVER, quiet),
      ...(name.endsWith(".salvaged") ? [] : [history.salvage(NOW, quiet)]),
    ];
    for (const each of tries) await expect(each).rejects.toMatchObject({ code: "corrupt" });
    expect(readdirSync(dir)).toEqual([name]);
  });

  it("(a file without content) are none either, and its log is left alone", async () => {
    const dir = await damagedHistory();
    writeFileSync(join(dir, "history.db"), "");
    const log = readFileSync(join(dir, "history.db-wal"));
    const history = historyIn(dir);
    await expect(history.count()).rejects.toThrow("history.db is damaged, because the file is empty");
    await expect(history.intend(intent("a"))).rejects.toThrow(
      "history.db is damaged, because the file is empty",
    );
    expect(readFileSync(join(dir, "history.db-wal"))).toEqual(log);
  });
});
