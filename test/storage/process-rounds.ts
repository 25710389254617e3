// Harnesses with processes of their own: updates side by side, and kills at any moment.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { openJournal } from "#src/storage/database/journal.ts";
import { SEGMENT_LIMIT } from "#src/storage/database/segment-writer.ts";
import { startChild } from "./child.ts";
import { openCounter } from "./counter.ts";
import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";

/** Each of the processes adds 1 so many times; not one addition may be lost. */
export async function updateTogether(folder: string, processes: number, count: number): Promise<void> {
  const path = join(folder, "counter.json");
  const children = Array.from({ length: processes }, () => startChild("update-counter", path, String(count)));
  const codes = await Promise.all(children.map((child) => child.ended));
  expect(codes, children.map((child) => child.errors()).join("")).toEqual(children.map(() => 0));
  expect(await openCounter(path).read()).toEqual({ value: processes * count });
  const values = children.flatMap((child) => child.lines.map(Number)).toSorted((a, b) => a - b);
  expect(values).toEqual(Array.from({ length: processes * count }, (_, index) => index + 1));
  expect(readdirSync(folder).toSorted()).toEqual(["counter.json", "counter.json.bak"]);
}

/** Kills an appending process, two at a time, again and again over one journal; every record that it printed must be there. */
export async function appendAndKill(folder: string, rounds: number): Promise<void> {
  const dir = join(folder, "journal");
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 2) {
    const children = [round, round + 1].map((id) =>
      startChild("append-records", dir, `r${id}`, "1000000", id % 4 < 2 ? "" : "burst"),
    );
    await Promise.all(
      children.map(async (child) => {
        await child.started;
        await killSoon(child);
        acknowledged.push(...child.lines);
      }),
    );
  }
  expect(acknowledged.length).toBeGreaterThan(rounds);
  const journal = openJournal<{ name: string; padding: string }>({ dir });
  const found = new Set<string>();
  let records = 0;
  for await (const { name, padding } of journal.records()) {
    found.add(name);
    records += 1;
    expect(padding).toMatch(/^x*$/);
  }
  expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
  expect(records).toBe(found.size);
  // Two at a time need two segments with room; a torn one is left behind by those that follow.
  const withRoom = readdirSync(dir)
    .filter((name) => name.endsWith(".jsonl"))
    .filter((name) => statSync(join(dir, name)).size < SEGMENT_LIMIT);
  expect(withRoom.length).toBeLessThanOrEqual(2 + journal.problems.length);
  await journal.append({ name: "last", padding: "" });
  await journal.close();
  expect((await journal.tail(1))[0]?.name).toBe("last");
}

/** Each of the processes writes so many checks, all starting on an empty folder; every step of each must be there. */
export async function writeTogether(folder: string, processes: number, count: number): Promise<void> {
  const children = Array.from({ length: processes }, (_, id) =>
    startChild("write-history", folder, `p${id}`, String(count)),
  );
  const codes = await Promise.all(children.map((child) => child.ended));
  expect(codes, children.map((child) => child.errors()).join("")).toEqual(children.map(() => 0));
  await expectWritten(
    folder,
    children.flatMap((child) => child.lines),
  );
  const history = historyIn(folder);
  // The last one of the look before.
  expect(await history.count()).toBe(processes * count + 1);
  await history.close();
}

/** Kills writing processes, two at a time, again and again over one history; every step that they printed must be there. */
export async function writeAndKill(folder: string, rounds: number): Promise<void> {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 2) {
    const children = [round, round + 1].map((id) => startChild("write-history", folder, `r${id}`, "1000000"));
    await Promise.all(
      children.map(async (child) => {
        await child.started;
        await killSoon(child);
        acknowledged.push(...child.lines);
      }),
    );
  }
  expect(acknowledged.length).toBeGreaterThan(rounds);
  await expectWritten(folder, acknowledged);
}

async function expectWritten(folder: string, acknowledged: readonly string[]): Promise<void> {
  const history = historyIn(folder);
  const entries = new Map<string, HistoryEntry>();
  for await (const entry of history.entries()) entries.set(entry.id, entry);
  const isThere = (line: string): boolean => {
    const [step, id = ""] = line.split(" ");
    const entry = entries.get(id);
    if (step === "intent") return entry !== undefined;
    return step === "note" ? entry?.note === "noted" : entry?.result?.recommendation === "block";
  };
  expect(acknowledged.filter((line) => !isThere(line))).toEqual([]);
  expect(history.problems).toEqual([]);
  const check = await history.verify(new AbortController().signal, () => undefined);
  expect(check).toMatchObject({ entries: entries.size, damaged: [], missing: 0, misleading: [], pages: [] });
  await history.intend(intent("last"));
  expect((await history.latest(1))[0]?.id).toBe("last");
  await history.close();
}

/** Kills an updating process again and again over one document; the last value that it printed must be there. */
export async function updateAndKill(folder: string, rounds: number): Promise<void> {
  const path = join(folder, "counter.json");
  let last = 0;
  for (let round = 0; round < rounds; round += 1) {
    const child = startChild("update-counter", path, "1000000");
    await child.started;
    await killSoon(child);
    last = Math.max(last, Number(child.lines.at(-1) ?? last));
    const counter = openCounter(path);
    const { value } = await counter.read();
    expect(counter.problems).toEqual([]);
    expect(value - last, "one update may have been under way").toBeGreaterThanOrEqual(0);
    expect(value - last).toBeLessThanOrEqual(1);
  }
  await openCounter(path).update(() => {});
  expect(readdirSync(folder).toSorted()).toEqual(["counter.json", "counter.json.bak"]);
}

/** At a moment of chance: the spread covers several writes. */
async function killSoon(child: ReturnType<typeof startChild>): Promise<void> {
  const delay = Math.random() * 25;
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.process.kill("SIGKILL");
  await child.ended;
  expect(child.lines.length, child.errors()).toBeGreaterThan(0);
}
