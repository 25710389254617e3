// What became of payments: kept beside the entries by order id, against a model of what was written.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { LABELS, laterLabel, type OrderLabel } from "#src/contract/records/label.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn, hostedHistoryIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;
const CARD = ["4111", "1111", "1111", "1111"].join("");

function opened(dir: string, open: (dir: string) => History = historyIn): History {
  const history = open(dir);
  onTestFinished(() => history.close());
  return history;
}

/** Ids that differ in case alone, and letters whose cases SQLite does not know. */
const IDS = ["a", "A", "\u212A", "k", "\u03A3", "\u03C3", "\uFFFD", "a b", "%"];
const label: fc.Arbitrary<OrderLabel> = fc.record({
  orderId: fc.constantFrom(...IDS),
  label: fc.constantFrom(...LABELS),
  at: fc.option(fc.nat(5), { nil: null }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(label, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...IDS) },
  { weight: 1, arbitrary: fc.constant(null) },
);

describe("labels", () => {
  it("are those that were written, by several sessions, as of any time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const dir = temporaryFolder();
        const sessions = [historyIn(dir), historyIn(dir)];
        let written: OrderLabel[] = [];
        for (const [index, what] of steps.entries()) {
          const history = sessions[index % 2]!;
          // Starts again: only what is on disk counts.
          if (what === null) await history.close();
          else if (typeof what === "string") {
            await history.labels.remove(what);
            written = written.filter(({ orderId }) => orderId !== what);
          } else {
            await history.labels.set(what);
            written.push(...what);
          }
        }
        for (const asOf of [null, 0, 3]) {
          const wanted = IDS.flatMap((id) => {
            const own = written.filter(({ orderId }) => orderId === id);
            const latest = own.reduce<OrderLabel | null>((kept, each) => laterLabel(kept, each, asOf), null);
            return latest === null ? [] : [[id, latest.label]];
          });
          expect([...(await sessions[0]!.labels.of(IDS, asOf))]).toEqual(wanted);
        }
        const listed = await Array.fromAsync(sessions[1]!.labels.list());
        expect(new Set(listed.map(({ orderId }) => orderId))).toEqual(
          new Set(written.map(({ orderId }) => orderId)),
        );
        // Nothing that was known is lost, and the same twice is kept once.
        const text = (each: OrderLabel): string => JSON.stringify([each.orderId, each.label, each.at]);
        const known = listed.flatMap((order) => order.known.map(text));
        expect(known.toSorted()).toEqual([...new Set(written.map(text))].toSorted());
        await Promise.all(sessions.map((session) => session.close()));
      }),
      { numRuns: 40 },
    );
  });

  it("are refused for what is no order id, and then none of them is there", async () => {
    const history = opened(temporaryFolder());
    for (const orderId of ["", CARD, "\0", "\uD800", "x".repeat(129)]) {
      const labels: OrderLabel[] = [
        { orderId: "fine", label: "good", at: null },
        { orderId, label: "fraud", at: null },
      ];
      await expect(history.labels.set(labels)).rejects.toMatchObject({ code: "bad_input" });
    }
    expect(await Array.fromAsync(history.labels.list())).toEqual([]);
  });

  it.each([
    ["here", historyIn],
    ["in a worker", hostedHistoryIn],
  ])("are with the entries, %s, and stay when these are pruned", async (_, open) => {
    const dir = temporaryFolder();
    const history = opened(dir, open);
    await history.labels.set([{ orderId: "A-1", label: "fraud", at: 5 }]);
    for (const [id, order] of [
      ["e1", "A-1"],
      ["e2", "a-1"],
      ["e3", undefined],
    ] as const) {
      await history.intend(intent(id, { request: order === undefined ? {} : { order_id: order } }));
    }
    await history.settle(intent("e1", { result: answer() }));
    await history.annotate("e1", "noted");
    expect(await history.hasChanged()).toBe(false);
    const labelsOf = async (): Promise<unknown[]> =>
      (await history.page(0, 9)).map(({ id, label: found }) => [id, found]);
    expect(await labelsOf()).toEqual([
      ["e3", undefined],
      ["e2", undefined],
      ["e1", "fraud"],
    ]);
    expect((await history.find("e1"))?.label).toBe("fraud");
    expect((await history.at([0]))[0]).toMatchObject({ id: "e1", label: "fraud", note: "noted" });
    await opened(dir).labels.set([{ orderId: "A-1", label: "good", at: 6 }]);
    expect(await history.hasChanged()).toBe(true);
    expect((await history.latest(3))[2]).toMatchObject({ id: "e1", label: "good" });
    await history.prune({ before: Date.UTC(2100, 0), dryRun: false }, NEVER, quiet);
    expect(await history.count()).toBe(0);
    expect(await history.labels.of(["A-1"], null)).toEqual(new Map([["A-1", "good"]]));
    expect(await history.labels.of(["A-1"], 5)).toEqual(new Map([["A-1", "fraud"]]));
    await history.labels.withdraw([{ orderId: "A-1", label: "good", at: 6 }]);
    expect(await history.labels.of(["A-1"], null)).toEqual(new Map([["A-1", "fraud"]]));
    await history.labels.withdraw([{ orderId: "A-1", label: "fraud", at: 5 }]);
    expect(await history.labels.of(["A-1"], null)).toEqual(new Map());
    await history.labels.set([{ orderId: "A-1", label: "good", at: 6 }]);
    await history.labels.remove("A-1");
    expect(await history.labels.of(["A-1"], null)).toEqual(new Map());
  });
});

const PAGE_BYTES = 4096;
/** sqlite.org/fileformat.html, 1.3 */
const LAST_BYTE_OF_USER_VERSION = 63;

/** Where the first page of the table of labels begins. */
function rootOfLabels(path: string): number {
  const connection = new DatabaseSync(path, { readOnly: true });
  const found = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'label'").get()!;
  connection.close();
  return (Number(found.rootpage) - 1) * PAGE_BYTES;
}

describe("a flipped bit", () => {
  it("is never read as another label, and costs no more than a page of them", async () => {
    const dir = temporaryFolder();
    const path = join(dir, "history.db");
    const orders = Array.from({ length: 80 }, (_, index) => `order-${index}`);
    const written = new Map(orders.map((id, index) => [id, LABELS[index % LABELS.length]!]));
    const history = historyIn(dir);
    await history.labels.set(Array.from(written, ([orderId, each]) => ({ orderId, label: each, at: null })));
    for (const id of orders.slice(0, 20)) await history.intend(intent(id, { request: { order_id: id } }));
    await history.close();
    const good = readFileSync(path);
    const root = rootOfLabels(path);
    const offset = fc.oneof(
      fc.nat(good.length - 1),
      // Where the tables are declared, at the end of the first page, and where the order of the labels is kept.
      fc.integer({ min: 3000, max: PAGE_BYTES - 1 }),
      fc.integer({ min: root, max: root + PAGE_BYTES - 1 }),
    );
    await fc.assert(
      fc.asyncProperty(offset, fc.nat(7), async (at, bit) => {
        const bad = Buffer.from(good);
        bad[at]! ^= 1 << bit;
        writeFileSync(path, bad);
        const damaged = historyIn(dir);
        try {
          const fault = (error: unknown): never[] => {
            expect(error).toMatchObject({ code: expect.stringMatching(/^(?:corrupt|storage)$/) });
            return [];
          };
          for (const each of await damaged.latest(20).catch(fault)) {
            expect([undefined, written.get(each.id)]).toContain(each.label);
          }
          const found = await damaged.labels.of(orders, null).catch(fault);
          for (const [id, each] of found) expect(each).toBe(written.get(id));
          await damaged.salvage(Date.UTC(2026, 1, 1), quiet);
          // A damaged first page, or the first page of their table, takes the places of all of them with it.
          const saved = await Array.fromAsync(damaged.labels.list());
          for (const { orderId, label: each } of saved) expect(each).toBe(written.get(orderId));
          const isFirst = at < PAGE_BYTES || (at >= root && at < root + PAGE_BYTES);
          if (!isFirst) expect(saved.length).toBeGreaterThan(10);
          expect(await damaged.verify(NEVER, quiet)).toMatchObject({ damagedLabels: [], pages: [] });
        } finally {
          await damaged.close();
        }
      }),
      {
        numRuns: 60,
        examples: [
          [good.indexOf("known TEXT"), 0],
          [LAST_BYTE_OF_USER_VERSION, 0],
        ],
      },
    );
  });

  it("in an order id or a label is found, named, and taken away by a removal", async () => {
    const dir = temporaryFolder();
    const path = join(dir, "history.db");
    const history = historyIn(dir);
    await history.labels.set([{ orderId: "the-order", label: "fraud", at: null }]);
    await history.intend(intent("e1", { request: { order_id: "the-order" } }));
    await history.close();
    const bytes = readFileSync(path);
    const at = bytes.indexOf('fraud[["');
    bytes[at]! ^= 1;
    writeFileSync(path, bytes);
    const damaged = opened(dir);
    expect((await damaged.latest(1))[0]?.label).toBeUndefined();
    expect(damaged.problems.map(({ message }) => message)).toEqual([
      'The label of order the-order is damaged; remove it with "verdict label remove", and set it again.',
    ]);
    expect(await damaged.verify(NEVER, quiet)).toMatchObject({ damagedLabels: ["the-order"], damaged: [] });
    const again: OrderLabel[] = [{ orderId: "the-order", label: "good", at: null }];
    await expect(damaged.labels.set(again)).rejects.toMatchObject({ code: "corrupt" });
    await damaged.labels.remove("the-order");
    await damaged.labels.set(again);
    expect((await damaged.latest(1))[0]?.label).toBe("good");
  });
});
