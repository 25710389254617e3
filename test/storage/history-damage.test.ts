// A damaged history: what is read is what was written, or is said to be missing; and what can be read is saved.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { Fault } from "#src/contract/fault.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const COUNT = 60;
/** sqlite.org/fileformat.html, 1.3 */
const LAST_BYTE_OF_USER_VERSION = 63;
const HEADER_BYTES = 100;
const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

const entryOf = (index: number): HistoryEntry =>
  intent(`e${String(index).padStart(3, "0")}`, {
    at: Date.UTC(2026, 0, 2) + index,
    result: answer({ recommendation: index % 3 === 0 ? "pass" : "block" }),
    note: index % 5 === 0 ? `seen ${index}` : null,
  });

/** Closed, so that no lock of this process is in the way of its bytes being changed. */
async function written(): Promise<{ dir: string; path: string }> {
  const dir = temporaryFolder();
  const history = historyIn(dir);
  for (let index = 0; index < COUNT; index += 1) {
    const entry = entryOf(index);
    await history.intend(entry);
    await history.settle(entry);
    if (entry.note !== null) await history.annotate(entry.id, entry.note);
  }
  await history.close();
  return { dir, path: join(dir, "history.db") };
}

/** Damages the message of an entry. */
function flipIn(path: string, entry: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('"Too many attempts"', bytes.indexOf(entry));
  bytes[at + 3]! ^= 1;
  writeFileSync(path, bytes);
}

/** Every entry that is read is one that was written; what is missing was said. */
async function readAll(history: History, count = COUNT): Promise<HistoryEntry[] | Fault> {
  try {
    const entries = await Array.fromAsync(history.entries());
    for (const entry of entries) expect(entry).toEqual(entryOf(Number(entry.id.slice(1))));
    if (entries.length < count) {
      const check = await history.verify(NEVER, quiet);
      expect(history.problems.length + check!.pages.length + check!.missing).toBeGreaterThan(0);
    }
    return entries;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(["corrupt", "storage"]).toContain(error.code);
    return error;
  }
}

describe("a flipped bit", () => {
  it("is never read as another entry, and costs a few of them at most", async () => {
    const { dir, path } = await written();
    const good = readFileSync(path);
    const pages = Array.from({ length: good.length / 4_096 }, (_, page) => page * 4_096);
    // Where an inner page of a table points to its last part, which a flip may turn into a circle.
    const pointers = pages.filter((page) => good[page] === 5).map((page) => page + 11);
    const circles = pointers.flatMap((at) => [0, 1, 2, 3, 4].map((bit): [number, number] => [at, bit]));
    expect(circles).not.toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
        const bad = Buffer.from(good);
        bad[at]! ^= 1 << bit;
        writeFileSync(path, bad);
        const history = historyIn(dir);
        try {
          await readAll(history);
          const salvaged = await history.salvage(Date.UTC(2026, 1, 1), quiet);
          // A flip in what nobody reads leaves it as it is.
          const kept = salvaged?.saved ?? COUNT;
          // A page of texts holds 22 of them.
          expect(kept).toBeGreaterThanOrEqual(COUNT - 22);
          expect(await readAll(history, kept)).toHaveLength(kept);
          expect(await history.verify(NEVER, quiet)).toMatchObject({
            damaged: [],
            misleading: [],
            pages: [],
          });
          if (salvaged !== null) expect(readFileSync(salvaged.aside)).toEqual(bad);
        } finally {
          await history.close();
        }
      }),
      { numRuns: 60, examples: [...circles, [LAST_BYTE_OF_USER_VERSION, 0]] },
    );
    expect(readdirSync(dir).filter((name) => name.includes(".graft") || name.includes(".salvage"))).toEqual(
      [],
    );
  });

  it("in a verdict leaves the entry out of every list, and the rest is there", async () => {
    const { dir, path } = await written();
    flipIn(path, '"id":"e031"');
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    const entries = await readAll(history);
    expect(entries).toHaveLength(COUNT - 1);
    expect(history.problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^Entry \d+ of the history is damaged and left out/),
      }),
    ]);
    const [missing] = Array.from({ length: COUNT }, (_, index) => entryOf(index).id).filter(
      (id) => !(entries as HistoryEntry[]).some((entry) => entry.id === id),
    );
    await expect(history.find(missing!)).rejects.toMatchObject({ code: "corrupt" });
    // A note would give damaged text a checksum that fits.
    await expect(history.annotate(missing!, "x")).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("a changed byte of the header", () => {
  it("is damage to a verification where it is to a check, and a salvage mends it", async () => {
    const original = temporaryFolder();
    const history = historyIn(original);
    for (const id of ["e001", "e002"]) await history.intend(entryOf(Number(id.slice(1))));
    await history.close();
    const good = readFileSync(join(original, "history.db"));
    const dir = temporaryFolder();
    const path = join(dir, "history.db");
    for (let at = 0; at < HEADER_BYTES; at += 1) {
      for (const bits of [0x04, 0xff]) {
        for (const name of readdirSync(dir)) rmSync(join(dir, name));
        const bad = Buffer.from(good);
        bad[at]! ^= bits;
        writeFileSync(path, bad, { mode: 0o600 });
        const what = `byte ${at} ^ ${bits}`;
        const damaged = historyIn(dir);
        const isWhole = await damaged
          .verify(NEVER, quiet)
          .then((check) => check!.isWhole)
          .catch((error: Fault) => {
            expect(error.message, what).toMatch(/history\.db is damaged; .*"verdict history salvage"/);
            return false;
          });
        const failed = await damaged.intend(entryOf(3)).then(
          () => undefined,
          (error: Fault) => error,
        );
        if (failed !== undefined) {
          expect(failed.message, what).toMatch(/history\.db is damaged; .*"verdict history salvage"/);
          expect(isWhole, what).toBe(false);
        }
        const salvaged = await damaged.salvage(Date.UTC(2026, 1, 1), quiet);
        expect(salvaged === null, what).toBe(isWhole);
        await damaged.intend(entryOf(4));
        expect(await damaged.count(), what).toBe(failed === undefined ? 4 : 3);
        expect(await damaged.verify(NEVER, quiet), what).toMatchObject({ isWhole: true });
        await damaged.close();
      }
    }
  });
});

it("is read past its newest entries where these are damaged", async () => {
  const { dir, path } = await written();
  for (const id of ["e059", "e057"]) flipIn(path, `"id":"${id}"`);
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  const latest = async (count: number): Promise<string[]> =>
    (await history.latest(count)).map(({ id }) => id);
  expect(await latest(1)).toEqual(["e058"]);
  expect(await latest(3)).toEqual(["e058", "e056", "e055"]);
  expect(await latest(COUNT)).toHaveLength(COUNT - 2);
});

it("whose first page is gone is saved whole", async () => {
  const { dir, path } = await written();
  const bytes = readFileSync(path);
  bytes.fill(0xaa, 0, 200);
  writeFileSync(path, bytes);
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  await expect(history.latest(1)).rejects.toMatchObject({ code: "corrupt" });
  await expect(history.intend(intent("new"))).rejects.toMatchObject({ code: "corrupt" });
  expect(await history.salvage(Date.UTC(2026, 1, 1), quiet)).toMatchObject({ saved: COUNT, of: COUNT });
  expect(await readAll(history)).toHaveLength(COUNT);
});

it("is noticed by a session that had it open while another one saved it", async () => {
  const { dir, path } = await written();
  flipIn(path, '"id":"e031"');
  const [open, other] = [historyIn(dir), historyIn(dir)];
  onTestFinished(() => open.close());
  onTestFinished(() => other.close());
  expect(await open.count()).toBe(COUNT);
  await other.salvage(Date.UTC(2026, 1, 1), quiet);
  await expect(open.intend(intent("new"))).rejects.toMatchObject({
    code: "storage",
    message: expect.stringContaining("was moved or removed while in use; start again"),
  });
  await other.intend(intent("new"));
  expect(await other.count()).toBe(COUNT);
});
