import { CARRIED } from "#src/contract/records/flip.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLIPS_KEPT, type Comparison } from "#src/contract/records/flip.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { createFlips, indexBaseline } from "#src/replay/flips.ts";
import { createKeyTable } from "#src/replay/sources/key-table.ts";
import { rowsOf, runRow, type Verdict } from "./rows.ts";

const LABELS = { baseline: "earlier", run: "later" };

async function compare(earlier: readonly RunRow[], later: readonly RunRow[]): Promise<Comparison> {
  const flips = createFlips(LABELS, await indexBaseline(rowsOf(earlier)));
  for (const row of later) flips.take(row);
  return flips.comparison(true);
}

const verdict = fc.constantFrom<Verdict>(
  "pass",
  "block",
  "3ds_or_block",
  "unknown",
  "indeterminate",
  "refused",
  "not_sent",
  null,
);
const row = fc.record({
  verdict,
  amount: fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }),
  currency: fc.option(fc.constantFrom(980, 978, 392), { nil: undefined }),
});

/** The same payments in both runs, some of them in one only, each with two verdicts. */
const runs = fc
  .array(fc.record({ payment: row, other: verdict, in: fc.constantFrom("both", "earlier", "later") }), {
    maxLength: 60,
  })
  .map((items) => {
    const made = items.map(({ payment: { verdict, amount, currency }, other, in: where }, index) => {
      const request = {
        ...(amount === undefined ? {} : { amount }),
        ...(currency === undefined ? {} : { currency }),
      };
      return {
        where,
        earlier: runRow(index + 1, verdict, { request }),
        later: runRow(index + 1, other, { request }),
      };
    });
    return {
      earlier: made.filter(({ where }) => where !== "later").map((each) => each.earlier),
      later: made.filter(({ where }) => where !== "earlier").map((each) => each.later),
    };
  });

const shown = (money: Comparison["matrix"][number]["money"]): string[] =>
  money.map(({ currency, amount }) => `${currency} ${amount}`).sort();

describe("laws", () => {
  test("the matrix adds up to what was compared, and the changes to all items", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ earlier, later }) => {
        const { matrix, changes, compared, newBlocks, flips } = await compare(earlier, later);
        expect(matrix).toHaveLength(9);
        expect(matrix.reduce((sum, { count }) => sum + count, 0)).toBe(compared);
        expect(compared).toBe(changes.unchanged + changes.flipped);
        expect(changes.unchanged + changes.flipped + changes.failed + changes.new).toBe(later.length);
        expect(changes.unchanged + changes.flipped + changes.failed + changes.missing).toBe(earlier.length);
        expect(flips).toHaveLength(changes.flipped);
        expect(newBlocks).toBe(flips.filter(({ now }) => now === "block").length);
      }),
    );
  });

  test("a run has no flips against itself", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ earlier }) => {
        const { matrix, changes, flips } = await compare(earlier, earlier);
        expect(flips).toEqual([]);
        expect(changes).toMatchObject({ flipped: 0, new: 0, missing: 0 });
        expect(matrix.filter(({ was, now, count }) => was !== now && count > 0)).toEqual([]);
      }),
    );
  });

  test("with the sides swapped, the matrix is transposed", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ earlier, later }) => {
        const there = await compare(earlier, later);
        const back = await compare(later, earlier);
        for (const { was, now, count, money } of there.matrix) {
          const mirrored = back.matrix.find((cell) => cell.was === now && cell.now === was)!;
          expect(mirrored.count).toBe(count);
          expect(shown(mirrored.money)).toEqual(shown(money));
        }
        expect(back.changes).toEqual({
          ...there.changes,
          new: there.changes.missing,
          missing: there.changes.new,
        });
      }),
    );
  });

  test("the order of arrival changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        runs.chain(({ earlier, later }) =>
          fc.record({
            earlier: fc.constant(earlier),
            later: fc.constant(later),
            mixed: fc.shuffledSubarray(later, { minLength: later.length }),
          }),
        ),
        async ({ earlier, later, mixed }) => {
          expect(await compare(earlier, mixed)).toEqual(await compare(earlier, later));
        },
      ),
    );
  });

  test("keys are told apart whatever they are made of", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: "binary" }).chain((text) => fc.constantFrom(text, `${text}\ud800`))),
        (keys) => {
          const table = createKeyTable();
          for (const [index, key] of keys.entries()) table.set(key, index);
          expect(table.size).toBe(keys.length);
          expect(keys.map((key) => table.get(key))).toEqual(keys.map((_, index) => index));
        },
      ),
    );
    const table = createKeyTable();
    table.set("a\ud800", 1);
    table.set("a\ud801", 2);
    table.set('"a\\ud800"', 3);
    expect([table.get("a\ud800"), table.get("a\ud801"), table.get('"a\\ud800"')]).toEqual([1, 2, 3]);
    expect(table.get("a\ufffd")).toBeUndefined();
  });
});

test("only an answered call counts as a verdict, whatever else its row says", async () => {
  const forged = runRow(1, "unknown");
  const { changes } = await compare(
    [runRow(1, "pass")],
    [{ ...forged, result: { ...forged.result!, recommendation: "pass" } }],
  );
  expect(changes).toMatchObject({ failed: 1, unchanged: 0 });
});

test("the worst flips come first, and money is summed by currency", async () => {
  const kinds: (readonly [Verdict, Verdict])[] = [
    ["3ds_or_block", "pass"],
    ["block", "3ds_or_block"],
    ["3ds_or_block", "block"],
    ["pass", "3ds_or_block"],
    ["block", "pass"],
    ["pass", "block"],
    ["pass", "block"],
    ["pass", "block"],
  ];
  const earlier = kinds.map(([was], index) => runRow(index + 1, was));
  const later = kinds.map(([, now], index) => runRow(index + 1, now));
  later[7] = runRow(8, "block", { request: { amount: 5, currency: 978 } });
  const { flips, matrix, newBlocks } = await compare(earlier, later);
  expect(flips.map(({ key, was, now }) => `${key} ${was} ${now}`)).toEqual([
    "o-6 pass block",
    "o-7 pass block",
    "o-8 pass block",
    "o-5 block pass",
    "o-4 pass 3ds_or_block",
    "o-3 3ds_or_block block",
    "o-2 block 3ds_or_block",
    "o-1 3ds_or_block pass",
  ]);
  expect(newBlocks).toBe(4);
  expect(matrix.map(({ was, now }) => `${was} ${now}`).slice(0, 4)).toEqual([
    "pass pass",
    "pass 3ds_or_block",
    "pass block",
    "3ds_or_block pass",
  ]);
  expect(matrix[2]!.money).toEqual([
    { currency: 980, amount: 24_000n },
    { currency: 978, amount: 5n },
  ]);
});

test("sums stay exact beyond 2^53, and numbers that are not exact do not enter them", async () => {
  const amount = Number.MAX_SAFE_INTEGER;
  const rows = [1, 2, 3].map((seq) => runRow(seq, "pass", { request: { amount, currency: 980 } }));
  rows.push(
    runRow(4, "pass", { request: { amount: 1.5, currency: 980 } }),
    runRow(5, "pass", { request: {} }),
  );
  const { matrix } = await compare(rows, rows);
  expect(matrix[0]).toMatchObject({ count: 5, money: [{ currency: 980, amount: 3n * BigInt(amount) }] });
});

test("of very many flips the worst are kept, in a stable order", async () => {
  const size = 3 * FLIPS_KEPT;
  const earlier: RunRow[] = [];
  const later: RunRow[] = [];
  for (let seq = size; seq >= 1; seq -= 1) {
    const [was, now] = seq % 3 === 0 ? (["pass", "block"] as const) : (["3ds_or_block", "pass"] as const);
    // A few more of the worst than are kept.
    earlier.push(runRow(seq, seq > size - 10 ? "pass" : was));
    later.push(runRow(seq, seq > size - 10 ? "block" : now));
  }
  const { flips, changes } = await compare(earlier, later);
  expect(changes.flipped).toBe(size);
  expect(flips).toHaveLength(FLIPS_KEPT);
  expect(flips.every(({ was, now }) => was === "pass" && now === "block")).toBe(true);
  const places = flips.map(({ after }) => after!.seq);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBe(3);
});

test("without a baseline an item is compared with the verdict that it carries", () => {
  const flips = createFlips({ baseline: CARRIED, run: "later" }, null);
  expect(flips.take(runRow(1, "block", { was: "pass" }))).toBe("flipped");
  expect(flips.take(runRow(2, "pass", { was: "pass" }))).toBe("unchanged");
  expect(flips.take(runRow(3, "pass"))).toBe("new");
  expect(flips.take(runRow(4, "unknown", { was: "pass" }))).toBe("failed");
  expect(flips.take(runRow(5, "unknown"))).toBe("new");
  const { changes, compared, newBlocks } = flips.comparison(true);
  expect(changes).toEqual({ unchanged: 1, flipped: 1, new: 2, missing: 0, failed: 1 });
  expect({ compared, newBlocks }).toEqual({ compared: 2, newBlocks: 1 });
});

test("missing items are counted once the run has ended", async () => {
  const flips = createFlips(LABELS, await indexBaseline(rowsOf([runRow(1, "pass"), runRow(2, "pass")])));
  flips.take(runRow(1, "pass"));
  expect(flips.comparison(false).changes.missing).toBe(0);
  expect(flips.comparison(true).changes.missing).toBe(1);
});

test("a table of very many keys stays small", { timeout: 120_000 }, () => {
  const table = createKeyTable();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 500_000; index += 1) table.set(`order-${index}`, index % 4);
  expect(table.size).toBe(500_000);
  expect(table.get("order-499999")).toBe(499_999 % 4);
  expect(table.get("order-500000")).toBeUndefined();
  // 16 MiB and, while nothing has been collected, the smaller ones before it.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});
