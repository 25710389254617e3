// A write-ahead log that is damaged, cut or removed: the entries that are gone with it are counted and said until that is accepted.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

/** One entry in the file, and three in the log alone, as a killed session leaves them. */
async function killed(): Promise<string> {
  const [dir, live] = [temporaryFolder(), temporaryFolder()];
  const history = historyIn(live);
  await history.intend(intent("e1"));
  await history.close();
  for (const id of ["e2", "e3", "e4"]) await history.intend(intent(id));
  // By another process, because the locks of this one would be gone.
  const names = ["history.db", "history.db-wal", "history.db.mark"];
  execFileSync("cp", [...names.map((name) => join(live, name)), dir]);
  await history.close();
  return dir;
}

function flipped(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

it.each<[string, number, (log: string) => void]>([
  ["removed", 3, (log) => rmSync(log)],
  ["emptied", 3, (log) => truncateSync(log, 0)],
  ["damaged", 3, (log) => flipped(log, 40)],
  ["cut", 1, (log) => truncateSync(log, readFileSync(log).length - 1)],
])(
  "that is %s is said by every session, also after later checks, until a salvage",
  async (_what, lost, damage) => {
    const dir = await killed();
    damage(join(dir, "history.db-wal"));
    for (const id of ["n1", "n2", "n3", "n4"]) {
      const said: string[] = [];
      const history = historyIn(dir, { onNotice: (sentence) => said.push(sentence) });
      await history.intend(intent(id));
      expect(await history.verify(NEVER, quiet)).toMatchObject({ missing: lost, isWhole: false });
      await history.close();
      expect(said).toEqual([expect.stringContaining(`has lost ${lost} of its last entries`)]);
    }
    const history = historyIn(dir);
    onTestFinished(() => history.close());
    expect(await history.salvage(Date.UTC(2026, 1, 1), quiet)).toMatchObject({ saved: 8 - lost });
    expect(await history.verify(NEVER, quiet)).toMatchObject({ missing: 0, isWhole: true });
  },
);

it("that is whole says nothing, also where every entry was pruned", async () => {
  const dir = await killed();
  const history = historyIn(dir, { onNotice: (sentence) => expect.fail(sentence) });
  expect(await history.count()).toBe(4);
  await history.prune({ before: Date.UTC(2999, 0, 1), dryRun: false }, NEVER, quiet);
  await history.close();
  expect(await history.verify(NEVER, quiet)).toMatchObject({ entries: 0, isWhole: true });
  await history.intend(intent("n1"));
  await history.close();
  expect(await history.verify(NEVER, quiet)).toMatchObject({ entries: 1, isWhole: true });
  await history.close();
  // A damaged record of it claims nothing.
  const mark = join(dir, "history.db.mark");
  expect(existsSync(mark)).toBe(true);
  writeFileSync(mark, readFileSync(mark, "latin1").replace(/^1/, "9"));
  expect(await history.verify(NEVER, quiet)).toMatchObject({ isWhole: true });
  await history.close();
  // Neither does what is no file, and nothing waits for it or follows it.
  for (const [name, plant] of [
    ["fifo", () => execFileSync("mkfifo", [mark])],
    ["folder", () => mkdirSync(mark)],
    ["link", () => symlinkSync(join(dir, "decoy"), mark)],
  ] as const) {
    rmSync(mark, { recursive: true });
    plant();
    await history.annotate("n1", "seen");
    await history.intend(intent(name));
    await history.close();
  }
  expect(existsSync(join(dir, "decoy"))).toBe(false);
});
