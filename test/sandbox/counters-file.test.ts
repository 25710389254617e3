// The file of what was counted: whole, damaged, missing, or of another version.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { createCounters, type Counters } from "#src/rules/counters/counters.ts";
import {
  COUNTERS_FILE,
  readCounters,
  writeCounters,
  type AnswerEntry,
  type ReadyCounters,
} from "#src/sandbox/decisions/counters-file.ts";
import { imageText } from "../rules/images.ts";
import { temporaryFolder } from "./sandbox-under-test.ts";

const SECRET = "secret";
const NOW = Date.parse("2026-03-16T12:00:00Z");

function counted(cards: number): Counters {
  const counters = createCounters({ secret: SECRET });
  for (let card = 0; card < cards; card += 1) {
    const keys = { card: `c${card}`, payer: `p${card % 7}` };
    const more = { eurCents: 5, amount: card, currency: 978 };
    counters.record(timeOf(card), { keys, pairs: [["payer", "card"]], ...more });
  }
  return counters;
}

function timeOf(card: number): number {
  return NOW + card * 1_000;
}

function answer(number: number): AnswerEntry {
  const decisionId = `dec-${number}-00000000`;
  return [`order ${number}`, { digest: "d", at: NOW, decisionId, recommendation: "pass", message: "fine" }];
}

async function write(dir: string, counters: Counters, sequence: number, answers = 1): Promise<void> {
  const kept = Array.from({ length: answers }, (_, number) => answer(number));
  await writeCounters(dir, {
    sequence,
    total: sequence,
    counters: counters.image(),
    answers: kept,
    secret: SECRET,
  });
}

async function read(dir: string): Promise<ReadyCounters & { readonly damaged: readonly string[] }> {
  const damaged: string[] = [];
  const ready = await readCounters(dir, SECRET, (path) => damaged.push(path));
  return { ...ready, damaged };
}

test("what was written is read, through many frames", async () => {
  const dir = await temporaryFolder();
  expect(await read(dir)).toMatchObject({ sequence: 0, total: 0, answers: [], damaged: [] });
  const counters = counted(5_000);
  await write(dir, counters, 7, 4_500);
  const ready = await read(dir);
  expect(ready).toMatchObject({ sequence: 7, total: 7, damaged: [] });
  expect(ready.answers).toEqual(Array.from({ length: 4_500 }, (_, number) => answer(number)));
  expect(imageText(ready.counters)).toBe(imageText(counters));
  // Which orders there were is nobody's business.
  expect(await readFile(join(dir, COUNTERS_FILE), "latin1")).not.toContain("order 1");
});

test("a file that is damaged or cut anywhere is set aside, and the one before it is used", async () => {
  const dir = await temporaryFolder();
  const path = join(dir, COUNTERS_FILE);
  const older = counted(3);
  await write(dir, older, 1);
  await write(dir, counted(4), 2);
  const [whole, before] = await Promise.all([readFile(path), readFile(`${path}.bak`)]);
  const places = Array.from({ length: 40 }, (_, place) => Math.floor((whole.length * place) / 40));
  const broken = places.flatMap((place) => {
    const flipped = Buffer.from(whole);
    flipped[place]! ^= 0x10;
    return [flipped, whole.subarray(0, place)];
  });
  for (const bytes of broken) {
    await writeFile(path, bytes);
    await writeFile(`${path}.bak`, before);
    const ready = await read(dir);
    expect(ready).toMatchObject({ sequence: 1, damaged: [path] });
    expect(imageText(ready.counters)).toBe(imageText(older));
    const aside = (await readdir(dir)).filter((name) => name.includes(".corrupt-"));
    expect(aside).toHaveLength(1);
    await rm(join(dir, aside[0]!));
  }
  await rm(path, { force: true });
  expect(await read(dir)).toMatchObject({ sequence: 1, damaged: [] });
});

test("without a good generation nothing starts from nothing", async () => {
  const dir = await temporaryFolder();
  const path = join(dir, COUNTERS_FILE);
  await writeFile(path, "");
  await expect(read(dir)).rejects.toMatchObject({ code: "corrupt" });
  await rm(path);
  await writeFile(`${path}.bak`, "x");
  await expect(read(dir)).rejects.toMatchObject({ code: "corrupt" });
});

test("a file of another form counts as damaged", async () => {
  const dir = await temporaryFolder();
  const path = join(dir, COUNTERS_FILE);
  await write(dir, counted(3), 1);
  const whole = await readFile(path);
  const length = whole.readUInt32LE(4);
  const head = Buffer.from(whole.toString("utf8", 12, 12 + length).replace('"schema":1', '"schema":9'));
  whole.writeUInt32LE(crc32(head), 8);
  head.copy(whole, 12);
  await writeFile(path, whole);
  await expect(read(dir)).rejects.toMatchObject({ code: "corrupt" });
  expect(await readdir(dir)).toEqual([COUNTERS_FILE]);
});
