// The parts under the state: the store, used signatures, flat sets and stored answers.

import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { StoredAnswers } from "#src/sandbox/state/stored-answers.ts";
import { openStoreIn } from "#src/sandbox/state/file-state.ts";
import type { LoggedItems, Store } from "#src/sandbox/state/store.ts";
import { UsedSignatures, FingerprintSet } from "#src/sandbox/state/used-signatures.ts";
import { alter, openTestStore, temporaryFolder } from "./sandbox-under-test.ts";

test("a fingerprint set is a set", () => {
  const fingerprint = fc.oneof(
    fc.uint8Array({ minLength: 8, maxLength: 8 }),
    // Few different values, and many that want the same slot.
    fc.tuple(fc.nat(3), fc.nat(3)).map(([high, low]) => new Uint8Array([0, 0, 0, high, 0, 0, low, 0])),
  );
  fc.assert(
    fc.property(fc.array(fingerprint, { maxLength: 400 }), (added) => {
      const set = new FingerprintSet();
      const model = new Set<string>();
      for (const bytes of added) {
        // Zero marks a free slot and is kept as one: the two are one value.
        const text = Buffer.from(bytes)
          .toString("hex")
          .replace(/^0{16}$/, "0000000000000001");
        const print = Buffer.from(bytes).toString("latin1");
        expect(set.has(print)).toBe(model.has(text));
        expect(set.add(print)).toBe(!model.has(text));
        model.add(text);
        expect(set.size).toBe(model.size);
      }
    }),
  );
});

async function rowsOf(store: Store, from = 0): Promise<LoggedItems[]> {
  return await Array.fromAsync(store.rows("decision", from));
}

test("what is appended in one turn is one row, in order, and is found by its numbers", async () => {
  const store = await openTestStore();
  await Promise.all([1, 2, 3].map((n) => store.append("decision", n, `item ${n}`)));
  await store.append("decision", 4, "item 4");
  const first = { number: 1, items: ["item 1", "item 2", "item 3"] };
  const second = { number: 4, items: ["item 4"] };
  expect(await rowsOf(store)).toEqual([first, second]);
  expect(await rowsOf(store, 3)).toEqual([first, second]);
  expect(await rowsOf(store, 4)).toEqual([second]);
  expect([store.find("decision", 2), store.find("decision", 4)]).toEqual([first, second]);
  await store.forget("decision", 4);
  expect(store.find("decision", 2)).toBeUndefined();
  expect(store.find("decision", 4)).toEqual(second);
});

test("many rows are measured and removed while other work goes on", async () => {
  const dir = await temporaryFolder();
  await (await openTestStore(dir)).close();
  const numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000) SELECT n";
  alter(dir, `INSERT INTO decision ${numbers}, zeroblob(100) FROM c`);
  const store = await openTestStore(dir);
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  onTestFinished(() => clearInterval(ticking));
  expect(await store.newestWithin("decision", 200_000)).toBe(0);
  expect(await store.newestWithin("decision", 99)).toBe(Number.MAX_SAFE_INTEGER);
  expect(await store.newestWithin("decision", 50_050)).toBe(1_501);
  await store.forget("decision", 1_501);
  expect(turns).toBeGreaterThan(0);
  expect([store.find("decision", 1_500), store.find("decision", 1_501)?.number]).toEqual([undefined, 1_501]);
});

test("values and items of one turn are written together, and all values of a change or none", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  await Promise.all([store.append("decision", 1, "a"), store.keep("rules", "text")]);
  await store.change({ one: { n: 1 }, two: new Uint8Array([1, 2]), gone: 1 });
  await store.change({ gone: undefined });
  await expect(store.change({ one: 2, bad: 1n })).rejects.toThrow();
  expect(store.isWritable).toBe(false);
  await store.close();
  const again = await openTestStore(dir);
  expect([again.value("rules"), again.value("one"), again.value("gone")]).toEqual([
    "text",
    { n: 1 },
    undefined,
  ]);
  expect(again.bytes("two")).toEqual(Buffer.from([1, 2]));
  expect(again.names("o")).toEqual(["one"]);
});

test("the file shows nobody what it says", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  await store.change({ accounts: "olena@example.com" });
  await store.append("decision", 1, "olena@example.com ".repeat(50));
  await store.close();
  expect(await readFile(join(dir, "state.db"), "latin1")).not.toContain("olena");
});

test("a row or value that was changed, or moved to another place, is told from a whole one", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  for (const n of [1, 2, 3]) await store.append("decision", n, n);
  await store.change({ a: 1, b: 2 });
  await store.close();
  alter(dir, "UPDATE decision SET bytes = (SELECT bytes FROM decision WHERE number = 1) WHERE number = 2");
  alter(dir, "UPDATE value SET bytes = (SELECT bytes FROM value WHERE name = 'b') WHERE name = 'a'");
  const again = await openTestStore(dir);
  expect((await rowsOf(again)).map(({ items }) => items)).toEqual([[1], null, [3]]);
  expect(() => again.value("a")).toThrow("damaged value");
  expect(again.value("b")).toBe(2);
  await expect(again.verify()).rejects.toMatchObject({ code: "corrupt" });
});

test("a copy has what there was at the call, and can take the place of the store", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  await store.change({ name: "before" });
  const path = join(dir, "copy.db");
  await writeFile(path, "");
  const copying = store.copyTo(path);
  await store.change({ name: "after" });
  await copying;
  await store.append("decision", 1, "later");
  const copy = await store.another(path);
  expect(copy.value("name")).toBe("before");
  await store.copyLog("decision", copy, 0);
  await copy.verify();
  await copy.close();
  await store.exchange(path, async () => undefined);
  expect([store.value("name"), store.find("decision", 1)?.items]).toEqual(["before", ["later"]]);
  await store.change({ name: "next" });
  await store.close();
  expect((await openTestStore(dir)).value("name")).toBe("next");
});

test("an exchange of a file that was removed makes no new one", async () => {
  const dir = await temporaryFolder();
  const store = await openStoreIn(dir, false, () => undefined);
  onTestFinished(() => store.close());
  const next = await store.another(join(dir, "next.db"));
  await next.close();
  await rm(store.path);
  await expect(store.exchange(next.path, async () => undefined)).rejects.toThrow();
  expect(store.isWritable).toBe(false);
});

test("an exchange that takes longer than the disk may wait ends with a store that can be written", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const dir = await temporaryFolder();
  const store = await openStoreIn(dir, true, (failure) => expect.fail(String(failure)));
  onTestFinished(() => store.close());
  const next = await store.another(join(dir, "next.db"));
  await next.close();
  await store.append("decision", 1, "synced later");
  const exchanging = store.exchange(next.path, async () => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  await exchanging;
  await store.change({ written: true });
  expect(store.value("written")).toBe(true);
});

test("what is written during an exchange waits for it, and is in the other store", async () => {
  const store = await openTestStore();
  const next = await store.another(`${store.path}.next`);
  await store.append("request", 1, "before");
  const exchanging = store.exchange(next.path, async () => {
    await store.copyLog("request", next, 0);
    await next.close();
  });
  const state = { over: false };
  void exchanging.finally(() => (state.over = true));
  const written: Promise<unknown>[] = [];
  for (let number = 2; !state.over && number < 10_000; number += 1) {
    written.push(store.append("request", number, "during"), store.change({ number }));
    await new Promise((turn) => setImmediate(turn));
  }
  await exchanging;
  await Promise.all(written);
  const rows = await Array.fromAsync(store.rows("request"));
  expect(rows.flatMap(({ items }) => items)).toHaveLength(1 + written.length / 2);
  expect(store.value("number")).toBe(1 + written.length / 2);
});

test("the log of a store that is exchanged does not get into the other one while a program has it open", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  const next = await store.another(join(dir, "next.db"));
  await next.change({ name: "next" });
  for (let number = 1; number < 60; number += 1) await store.change({ [`old ${number}`]: "x".repeat(3_000) });
  const shell = new DatabaseSync(store.path);
  onTestFinished(() => shell.close());
  shell.prepare("SELECT count(*) FROM value").get();
  await store.exchange(next.path, () => next.finish());
  expect(store.names("")).toEqual(["name"]);
  await store.change({ more: true });
  await store.close();
  const again = await openTestStore(dir);
  expect(again.names("").toSorted()).toEqual(["more", "name"]);
  await again.verify();
});

test("a store that a program reads is not exchanged, and stays what it is", async () => {
  const dir = await temporaryFolder();
  const store = await openTestStore(dir);
  await store.change({ name: "own" });
  const shell = new DatabaseSync(store.path);
  onTestFinished(() => shell.close());
  shell.exec("BEGIN; SELECT 1 FROM sqlite_schema");
  await store.change({ more: true });
  const next = await store.another(join(dir, "next.db"));
  await expect(store.exchange(next.path, () => next.finish())).rejects.toMatchObject({ code: "storage" });
  await store.change({ most: true });
  expect(store.names("").toSorted()).toEqual(["more", "most", "name"]);
});

test.skipIf(process.platform === "win32")(
  "a FIFO in the place of the store is refused, and nobody waits for its other end",
  async () => {
    const dir = await temporaryFolder();
    execFileSync("mkfifo", [join(dir, "state.db")]);
    await writeFile(join(dir, "state.key"), Buffer.alloc(32), { mode: 0o600 });
    await expect(openTestStore(dir)).rejects.toThrow("state.db is not a regular file; move it.");
  },
);

test("stored answers are those of a list that is searched", () => {
  const put = fc.record({ order: fc.nat(6), later: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 60 }), (puts) => {
      const answers = new StoredAnswers<{ at: number }>(5, 4);
      let model: { order: string; answer: { at: number } }[] = [];
      let at = 0;
      for (const { order, later } of puts) {
        at += later;
        const answer = { at };
        answers.keep(`${order}`, answer);
        model = [...model.filter((kept) => kept.order !== `${order}`), { order: `${order}`, answer }];
        model = model.filter((kept) => at - kept.answer.at < 5).slice(-4);
        expect([...answers.entries()]).toEqual(model.map((kept) => [kept.order, kept.answer]));
      }
    }),
  );
});

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

test("rows of used signatures go when all of them are out of the window", async () => {
  const store = await openTestStore();
  const used = await UsedSignatures.open(store, 5 * MINUTE, 1_000, () => expect.fail());
  for (const later of [0, 7 * MINUTE, 20 * MINUTE]) {
    const remembered = await used.remember(`at ${later}`, NOW + later, NOW + later);
    if (remembered.state === "new") await remembered.durable;
  }
  expect((await Array.fromAsync(store.rows("signature"))).map(({ number }) => number)).toEqual([
    NOW + 20 * MINUTE,
  ]);
});
