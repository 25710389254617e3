// A sandbox that remembers a million cards: an honest client is answered in time while its state is saved, kept, set back and reset.

import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { saveCounters } from "#src/sandbox/state/saved-counters.ts";
import {
  call,
  CHECK,
  makeProject,
  openTestStore,
  send,
  temporaryFolder,
} from "../sandbox/sandbox-under-test.ts";
import { startSandboxProcess } from "./sandbox-process.ts";

const CARDS = 1_000_000;

/** Worst time that an honest client may wait, in ms. */
const PATIENCE_MS = 1_000;

/** The number of the last save of the counters, by the names of its pieces. */
function savesOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database.prepare("SELECT name FROM value WHERE name LIKE 'counters % keys 0'").all();
    return names.length === 1 ? Number(String(names[0]!.name).split(" ")[1]) : 0;
  } finally {
    database.close();
  }
}

/** Asks again and again while something goes on; the longest wait, in ms. */
async function longestWait(ask: () => Promise<number>, meanwhile: Promise<unknown>): Promise<number> {
  const state = { over: false };
  const ended = meanwhile.finally(() => (state.over = true));
  let longest = 0;
  while (!state.over) {
    const began = performance.now();
    expect(await ask()).toBe(200);
    longest = Math.max(longest, performance.now() - began);
  }
  await ended;
  return longest;
}

test("nobody waits a second while the state of a million cards is saved, kept, set back and reset", async () => {
  const dir = await temporaryFolder();
  const first = await startSandboxProcess(dir);
  const company = await first.company();
  const project = await makeProject(first, company);
  await first.admin("POST", ADMIN.stop);
  await once(first.child, "exit");

  const counters = createCounters();
  const now = Date.now();
  for (let card = 0; card < CARDS; card += 1) {
    const keys = { card: `card ${card}`, payer: `payer ${card % 50_000}` };
    const attempt = { keys, pairs: [["payer", "card"]], eurCents: 100, amount: 100, currency: 978 } as const;
    counters.record(now - CARDS + card, attempt);
  }
  const store = await openTestStore(join(dir, "state"));
  await saveCounters(store, { sequence: 0, total: 0, counters: counters.image(), answers: [] });
  await store.close();

  const sandbox = await startSandboxProcess(dir);
  let number = 0;
  const check = async (): Promise<number> => {
    number += 1;
    const body = { ...CHECK, order_id: `o-${number}`, payer: { payer_id: `p-${number}` } };
    return (await call(sandbox, "check", project, body)).status;
  };
  const health = async (): Promise<number> => (await send(sandbox.port, { path: "/health" })).status;
  const waits: Record<string, number> = {};

  // What a busy machine makes an honest client wait when nothing goes on.
  waits["nothing"] = await longestWait(check, new Promise((resolve) => setTimeout(resolve, 3_000)));
  waits["snapshot"] = await longestWait(check, sandbox.admin("POST", ADMIN.snapshots, { name: "large" }));
  waits["restore"] = await longestWait(check, sandbox.admin("POST", ADMIN.restore, { name: "large" }));
  // The counters are saved when more than a thousand decisions are behind them and nobody asks for another.
  for (let batch = 0; batch < 100; batch += 1) await Promise.all(Array.from({ length: 12 }, check));
  const saved = expect
    .poll(() => savesOf(join(dir, "state", "state.db")), { timeout: 120_000, interval: 200 })
    .toBe(2);
  waits["saving"] = await longestWait(health, saved);
  waits["reset"] = await longestWait(check, sandbox.admin("POST", ADMIN.reset, { keepProjects: true }));
  process.stdout.write(`longest wait of an honest client, in ms: ${JSON.stringify(waits)}\n`);
  for (const [what, wait] of Object.entries(waits)) {
    expect(wait - waits["nothing"], what).toBeLessThan(PATIENCE_MS);
  }
  expect((await sandbox.status()).writable).toBe(true);
});
