// Pruning: the oldest entries are gone for good, and nothing that others write is lost.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);
const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

async function filled(count: number): Promise<{ dir: string; history: History }> {
  const dir = temporaryFolder();
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  for (let index = 0; index < count; index += 1) {
    const entry = intent(`e${index}`, { at: START + index, note: null, result: answer() });
    await history.intend(entry);
    await history.settle({ ...entry, result: answer({ message: `canary-${index}-` }) });
  }
  return { dir, history };
}

it("removes what is older and leaves nothing of it in the file", async () => {
  const { dir, history } = await filled(300);
  const dry = await history.prune({ before: START + 250, dryRun: true }, NEVER, quiet);
  expect(dry).toMatchObject({ removed: 250, kept: 50 });
  expect(await history.count()).toBe(300);
  const steps: number[] = [];
  const pruned = await history.prune({ before: START + 250, dryRun: false }, NEVER, (done, all) =>
    steps.push(done / all),
  );
  expect(pruned).toEqual(dry);
  expect(steps.at(-1)).toBe(1);
  expect((await history.latest(99)).map(({ id }) => id)).toEqual(
    Array.from({ length: 50 }, (_, index) => `e${299 - index}`),
  );
  // As another process sees it, while this one still has it open.
  const bytes = readdirSync(dir)
    .map((name) => execFileSync("cat", [join(dir, name)], { encoding: "latin1" }))
    .join("");
  expect(bytes.match(/canary-\d+-/g)!.filter((canary) => Number(canary.slice(7, -1)) < 250)).toEqual([]);
});

it("tells lists that places have moved, and a search under way that it has ended", async () => {
  const { history } = await filled(20);
  expect(await history.extent()).toEqual({ count: 20, isContinued: true });
  await history.prune({ before: START + 5, dryRun: false }, NEVER, quiet);
  expect(await history.extent()).toEqual({ count: 15, isContinued: false });
  expect((await history.at([0]))[0]!.id).toBe("e5");
  expect(await history.position("e5")).toBe(14);
});

it("stays in front of the first entry that is young enough, whatever a clock has done", async () => {
  const { history } = await filled(3);
  await history.intend(intent("behind", { at: START - 9 }));
  expect(await history.prune({ before: START + 1, dryRun: false }, NEVER, quiet)).toMatchObject({
    removed: 1,
  });
  expect((await history.latest(9)).map(({ id }) => id)).toEqual(["behind", "e2", "e1"]);
});

it("loses nothing that another process writes at the same time", async () => {
  const { dir, history } = await filled(200);
  const other = historyIn(dir);
  onTestFinished(() => other.close());
  const pruning = history.prune({ before: START + 150, dryRun: false }, NEVER, quiet);
  for (let index = 0; index < 30; index += 1) await other.intend(intent(`n${index}`, { at: START + 900 }));
  await pruning;
  expect(await other.count()).toBe(80);
});
