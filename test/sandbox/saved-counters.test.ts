// What was counted, as the store has it: whole, interrupted, damaged or lost.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCounters, type Counters } from "#src/rules/counters/counters.ts";
import { loadCounters, saveCounters, type AnswerEntry } from "#src/sandbox/state/saved-counters.ts";
import type { Store } from "#src/sandbox/state/store.ts";
import { imageText } from "../rules/images.ts";
import { alter, openTestStore, temporaryFolder } from "./sandbox-under-test.ts";

const SECRET = "secret";
const KEPT = 60_000;
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

const named = (what: string, count: number): string[] =>
  Array.from({ length: count }, (_, piece) => `counters 2 ${what} ${piece}`);

async function save(store: Store, counters: Counters, sequence: number, answers = 1): Promise<void> {
  const kept = Array.from({ length: answers }, (_, number) => answer(number));
  await saveCounters(store, { sequence, total: sequence, counters: counters.image(), answers: kept });
}

test("what was saved is loaded, through many pieces, and takes the place of what was saved before", async () => {
  const store = await openTestStore();
  expect(await loadCounters(store, SECRET, KEPT)).toMatchObject({ sequence: 0, total: 0 });
  await save(store, counted(3), 1);
  const counters = counted(5_000);
  await save(store, counters, 7, 4_500);
  const ready = await loadCounters(store, SECRET, KEPT);
  expect(ready).toMatchObject({ sequence: 7, total: 7 });
  expect([...ready.answers.entries()]).toEqual(Array.from({ length: 4_500 }, (_, number) => answer(number)));
  expect(imageText(ready.counters)).toBe(imageText(counters));
  expect(store.names("").toSorted()).toEqual(["counters", ...named("answers", 3), ...named("keys", 4)]);
});

test("a save that is interrupted changes nothing, and the next one removes what it left", async () => {
  const store = await openTestStore();
  await save(store, counted(3), 1);
  const image = { ...counted(5_000).image() };
  const interrupted = {
    ...image,
    *pieces() {
      yield image.pieces().next().value as Int32Array<ArrayBuffer>;
      throw new Error("interrupted");
    },
  };
  const saving = saveCounters(store, { sequence: 2, total: 2, counters: interrupted, answers: [] });
  await expect(saving).rejects.toThrow("interrupted");
  expect(await loadCounters(store, SECRET, KEPT)).toMatchObject({ sequence: 1 });
  await save(store, counted(2), 3);
  expect(store.names("counters ").toSorted()).toEqual([...named("answers", 1), ...named("keys", 4)]);
});

test("what is damaged, lost or moved is refused, and nothing starts from nothing", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  await save(store, counted(5_000), 1);
  await store.close();
  const path = join(dir, "state.db");
  const whole = await readFile(path);
  for (const damage of [
    "UPDATE value SET bytes = zeroblob(100) WHERE name = 'counters'",
    "UPDATE value SET bytes = substr(bytes, 2) WHERE name = 'counters 1 keys 0'",
    "DELETE FROM value WHERE name = 'counters 1 keys 1'",
    "UPDATE value SET bytes = (SELECT bytes FROM value WHERE name = 'counters 1 keys 1') WHERE name = 'counters 1 keys 0'",
    "DELETE FROM value WHERE name = 'counters 1 answers 0'",
  ]) {
    await writeFile(path, whole);
    alter(dir, damage);
    const damaged = await openTestStore(dir);
    await expect(loadCounters(damaged, SECRET, KEPT), damage).rejects.toMatchObject({ code: "corrupt" });
    await damaged.close();
  }
});
