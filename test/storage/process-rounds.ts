// Harnesses with processes of their own: updates side by side, and kills at any moment.

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { startChild } from "./child.ts";
import { openCounter } from "./counter.ts";
import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { runsIn } from "./open-runs.ts";
import { dueOf, item, rowsOf } from "./run-samples.ts";

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

/** Every step that was printed must be there, and the history whole and ready for the next check. */
export async function expectWritten(folder: string, acknowledged: readonly string[]): Promise<void> {
  const history = historyIn(folder);
  const entries = new Map<string, HistoryEntry>();
  for await (const entry of history.entries()) entries.set(entry.id, entry);
  const labels = new Set<string>();
  for await (const { orderId } of history.labels.list()) labels.add(orderId);
  const isThere = (line: string): boolean => {
    const [step, id = ""] = line.split(" ");
    const entry = entries.get(id);
    if (step === "intent") return entry !== undefined;
    if (step === "label") return labels.has(id);
    return step === "note" ? entry?.note === "noted" : entry?.result?.recommendation === "block";
  };
  expect(acknowledged.filter((line) => !isThere(line))).toEqual([]);
  expect(history.problems).toEqual([]);
  const check = await history.verify(new AbortController().signal, () => undefined);
  expect(check).toMatchObject({ entries: entries.size, damaged: [], missing: 0, misleading: [], pages: [] });
  expect(check?.damagedLabels).toEqual([]);
  await history.intend(intent("last"));
  expect((await history.latest(1))[0]?.id).toBe("last");
  await history.close();
}

/** Each of the processes sends so many items of a run of its own, all starting on an empty folder. */
export async function replayTogether(folder: string, processes: number, count: number): Promise<void> {
  const ids = Array.from({ length: processes }, (_, id) => `p${id}`);
  const children = ids.map((id) => startChild("write-run", folder, id, String(count)));
  const codes = await Promise.all(children.map((child) => child.ended));
  expect(codes, children.map((child) => child.errors()).join("")).toEqual(children.map(() => 0));
  for (const [index, id] of ids.entries()) {
    await expectSent(folder, id, children[index]!.lines);
    const runs = runsIn(folder);
    expect(await rowsOf(runs, id)).toHaveLength(count);
    expect(await runs.find(id)).toMatchObject({ state: "complete" });
    await runs.close();
  }
}

/** Kills two processes again and again, each of which goes on with its own run. */
export async function replayAndKill(folder: string, rounds: number): Promise<void> {
  const printed = new Map<string, string[]>([
    ["r0", []],
    ["r1", []],
  ]);
  for (let round = 0; round < rounds; round += 2) {
    await Promise.all(
      [...printed].map(async ([id, lines]) => {
        const child = startChild("write-run", folder, id, "1000000");
        await child.started;
        await killSoon(child);
        lines.push(...child.lines);
      }),
    );
  }
  for (const [id, lines] of printed) {
    expect(lines.length).toBeGreaterThan(rounds / 2);
    await expectSent(folder, id, lines);
  }
}

/** Everything that was printed must be there, and nothing may have been sent twice but what certainly never left. */
export async function expectSent(folder: string, id: string, lines: readonly string[]): Promise<void> {
  const runs = runsIn(folder);
  const rows = new Map((await rowsOf(runs, id)).map((row) => [row.seq, row]));
  const times = new Map<number, number>();
  const lost = lines.filter((line) => {
    const [step, number] = line.split(" ");
    const row = rows.get(Number(number));
    if (step === "intent" || step === "resend") {
      times.set(Number(number), (times.get(Number(number)) ?? 0) + 1);
      return row === undefined;
    }
    // What was not sent may have been sent since.
    if (step === "unsent") return row === undefined;
    return step === "outcome" && row?.result?.outcome !== "answered";
  });
  expect(lost).toEqual([]);
  expect([...times].filter(([seq, count]) => count > (seq % 7 === 0 ? 2 : 1))).toEqual([]);
  expect(runs.problems).toEqual([]);
  const known = await runs.find(id);
  if (known?.state === "partial") {
    const journal = await runs.resume(id);
    const count = journal.highest + 1;
    const due = await dueOf(journal, count);
    expect(due.filter((seq) => seq < count && rows.get(seq)?.result?.outcome !== "not_sent")).toEqual([]);
    await journal.intend(item(count), 1);
    await journal.close();
    expect((await rowsOf(runs, id)).at(-1)).toMatchObject({ seq: count, result: null });
  }
  await runs.close();
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
