// A history and a run on a disk that is full, at many levels of fullness: what was acknowledged is there, and it goes on once there is room.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { runsIn } from "./open-runs.ts";
import { dueOf, header, item, result, rowsOf } from "./run-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const PAGE = 4096;
const DISK_BYTES = 2 * 1024 * 1024;
const LEVELS = 40;

function mounted(): string | null {
  const dir = join(temporaryFolder(), "disk");
  mkdirSync(dir);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=700`, "tmpfs", dir], {
      stdio: "ignore",
    });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", dir]));
  return dir;
}

async function acknowledged(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).message).toMatch(/was not saved because the disk is full; free some space/);
    return false;
  }
}

/** Leaves so much room that a write fails at another place each time. @returns what makes room again */
function fill(disk: string, level: number): () => void {
  const { bavail, bsize } = statfsSync(disk);
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - level * PAGE)));
  return () => rmSync(filler);
}

it("a history loses nothing that it has acknowledged, and takes the next check once there is room", async (test) => {
  const disk = mounted();
  if (disk === null) return test.skip("needs root for a disk of its own");
  let refused = 0;
  for (let level = 0; level < LEVELS; level += 1) {
    const dir = join(disk, `home-${level}`);
    const history = historyIn(dir);
    await history.intend(intent("first"));
    const makeRoom = fill(disk, level);
    const done = new Map<string, boolean>();
    for (let index = 0; index < 8; index += 1) {
      const entry = intent(`e${index}`, { request: { description: "x".repeat(700) } });
      done.set(`intent ${entry.id}`, await acknowledged(history.intend(entry)));
      if (done.get(`intent ${entry.id}`) !== true) break;
      const settled = history.settle({ ...entry, result: answer() });
      done.set(`outcome ${entry.id}`, await acknowledged(settled));
    }
    refused += [...done.values()].filter((isDone) => !isDone).length;
    makeRoom();
    await history.close();
    const again = historyIn(dir);
    const entries = new Map((await again.latest(99)).map((entry) => [entry.id, entry]));
    for (const [step, isDone] of done) {
      const [what, id = ""] = step.split(" ");
      if (!isDone) continue;
      expect(entries.has(id), step).toBe(true);
      if (what === "outcome") expect(entries.get(id)?.result, step).toEqual(answer());
    }
    await again.intend(intent("last"));
    const check = await again.verify(new AbortController().signal, () => undefined);
    expect(check).toMatchObject({ damaged: [], missing: 0, misleading: [], pages: [] });
    await again.close();
    rmSync(dir, { recursive: true });
  }
  expect(refused).toBeGreaterThan(5);
});

it("a history on a full disk is read, and written once there is room", async (test) => {
  const dir = mounted();
  if (dir === null) return test.skip("needs root for a disk of its own");
  for (let level = 0; level < 9; level += 1) {
    const before = historyIn(dir);
    await before.intend(intent(`e${level}`));
    await before.close();
    const makeRoom = fill(dir, level);
    const history = historyIn(dir);
    expect((await history.latest(1))[0]?.id, `level ${level}`).toBe(`e${level}`);
    expect(await history.verify(new AbortController().signal, () => undefined)).toMatchObject({
      isWhole: true,
    });
    await acknowledged(history.intend(intent(`full${level}`)));
    makeRoom();
    await history.intend(intent(`room${level}`));
    await history.close();
  }
});

it("a run loses nothing that it has acknowledged, and goes on without sending a thing twice", async (test) => {
  const disk = mounted();
  if (disk === null) return test.skip("needs root for a disk of its own");
  let refused = 0;
  for (let level = 0; level < LEVELS; level += 1) {
    const dir = join(disk, `home-${level}`);
    const runs = runsIn(dir);
    const journal = await runs.create(header("a1"));
    const makeRoom = fill(disk, level);
    const done = new Map<string, boolean>();
    for (let seq = 1; seq <= 8; seq += 1) {
      const sent = await acknowledged(journal.intend(item(seq, { origin: "x".repeat(700) }), seq));
      done.set(`intent ${seq}`, sent);
      if (!sent) break;
      done.set(`outcome ${seq}`, await acknowledged(journal.settle(seq, result())));
    }
    refused += [...done.values()].filter((isDone) => !isDone).length;
    makeRoom();
    await journal.close();
    const resumed = await runs.resume("a1");
    const rows = new Map((await rowsOf(runs, "a1")).map((row) => [row.seq, row]));
    const due = await dueOf(resumed, 9);
    for (const [step, isDone] of done) {
      const [what, seq] = step.split(" ");
      if (!isDone) continue;
      expect(due, step).not.toContain(Number(seq));
      if (what === "outcome") expect(rows.get(Number(seq))?.result, step).toEqual(result());
    }
    await resumed.intend(item(9), 9);
    await resumed.close();
    expect(runs.problems).toEqual([]);
    await runs.close();
    rmSync(dir, { recursive: true });
  }
  expect(refused).toBeGreaterThan(5);
});
