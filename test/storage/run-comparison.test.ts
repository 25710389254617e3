// Comparisons, groups and sums of runs in SQL, beside the same in memory.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { FLIPS_KEPT, type Comparison } from "#src/contract/records/flip.ts";
import { trustedVerdict, type RunRow } from "#src/contract/records/run.ts";
import { comparisonOf } from "#src/replay/flips.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { comparedRows, earlierSide, RATES, runRow, type Verdict } from "../replay/rows.ts";
import { runsIn } from "./open-runs.ts";
import { header } from "./run-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function open(): Runs {
  const runs = runsIn(temporaryFolder());
  onTestFinished(() => runs.close());
  return runs;
}

async function write(runs: Runs, id: string, rows: readonly RunRow[]): Promise<void> {
  const journal = await runs.create(header(id));
  await Promise.all(rows.map((row) => journal.intend(row, row.at)));
  await Promise.all(
    rows.map(async ({ seq, result }) => result === null || (await journal.settle(seq, result))),
  );
  await journal.close();
}

async function compare(runs: Runs, id: string, baseline: string | null): Promise<Comparison> {
  const { groups, others, flips } = await runs.compare(id, baseline, RATES, FLIPS_KEPT);
  return comparisonOf({ baseline: baseline ?? "", run: id }, groups, others, flips, RATES);
}

const verdict = fc.constantFrom<Verdict>(
  ...([
    "pass",
    "pass",
    "block",
    "block",
    "3ds_or_block",
    "unknown",
    "indeterminate",
    "not_sent",
    null,
  ] as const),
);
const rules = fc.constantFrom(undefined, [], ["A"], ["B", "A"]);
const payment = fc.record({
  key: fc.oneof(
    fc.constantFrom("a\ud800", "a\ud801", '"a\\ud800"', "a\ufffd", "nul\0", "nul\0b"),
    fc.string(),
  ),
  amount: fc.option(fc.oneof(fc.nat(), fc.constantFrom(Number.MAX_SAFE_INTEGER, 1.5)), { nil: undefined }),
  currency: fc.constantFrom(980, 978, 392, undefined),
  was: verdict,
  now: verdict,
  rules: fc.tuple(rules, rules),
  in: fc.constantFrom("both", "both", "earlier", "later"),
});

const two = fc.uniqueArray(payment, { maxLength: 40, selector: ({ key }) => key }).map((payments) => {
  const side = (name: "earlier" | "later"): RunRow[] =>
    payments
      .filter((each) => each.in === "both" || each.in === name)
      .toSorted(({ key: a }, { key: b }) => (name === "earlier" || a < b ? -1 : 1))
      .map(({ key, amount, currency, was, now, rules: [before, after] }, index) => {
        const request = {
          ...(amount === undefined ? {} : { amount }),
          ...(currency === undefined ? {} : { currency }),
        };
        const row = runRow(index + 1, name === "earlier" ? was : now, { key, request });
        const hit = name === "earlier" ? before : after;
        return row.result === null || hit === undefined
          ? row
          : { ...row, result: { ...row.result, basis: { score: 0, rules: hit } } };
      });
  return { earlier: side("earlier"), later: side("later") };
});

describe("in the database", () => {
  it("two runs compare as they do in memory, with both sides of each flip", async () => {
    const runs = open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(two, async ({ earlier, later }) => {
        const [before, after] = [`before-${(count += 1)}`, `after-${count}`];
        await write(runs, before, earlier);
        await write(runs, after, later);
        const expected = await comparedRows({ baseline: before, run: after }, earlier, later);
        const found = await compare(runs, after, before);
        const sides = new Map(earlier.map((row) => [row.key, row]));
        const byName = (list: readonly object[]): string[] =>
          list
            .map((each) =>
              JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value)),
            )
            .sort();
        expect(byName(found.causes)).toEqual(byName(expected.causes));
        expect({ ...found, causes: [] }).toEqual({
          ...expected,
          causes: [],
          flips: expected.flips.map((flip) => ({ ...flip, before: sides.get(flip.key) })),
        });
        expect(
          await runs.earlier(
            before,
            later.map(({ key }) => key),
          ),
        ).toEqual(later.map(({ key }) => (sides.has(key) ? earlierSide(sides.get(key)!) : null)));
      }),
      { numRuns: 40 },
    );
  });

  it("a run compares with what its items carried, without those that were withdrawn", async () => {
    const runs = open();
    const journal = await runs.create(header("a1"));
    const rows = [
      runRow(1, "block", { was: "pass" }),
      runRow(2, "pass"),
      runRow(3, "unknown", { was: "pass" }),
    ];
    for (const row of rows) {
      await journal.intend(row, row.at);
      await journal.settle(row.seq, row.result!);
    }
    await journal.intend(runRow(4, "pass", { was: "block" }), 4);
    await journal.withdraw([4]);
    await journal.close();
    const { changes, flips } = await compare(runs, "a1", null);
    expect(changes).toEqual({ unchanged: 0, flipped: 1, new: 1, missing: 0, failed: 1 });
    expect(flips).toEqual([
      { key: "o-1", change: "flipped", was: "pass", now: "block", before: null, after: rows[0] },
    ]);
  });

  it("the hits of rules are summed, and the first rows of each kind found", async () => {
    const runs = open();
    const rows = [
      runRow(1, "block", { expect: "pass" }),
      runRow(2, "unknown"),
      runRow(3, null, { expect: "block" }),
      runRow(4, "pass", { expect: "pass" }),
    ];
    const ruled = rows.map((row, index) =>
      row.result === null
        ? row
        : {
            ...row,
            result: { ...row.result, basis: { score: 0, rules: [["A", "B"], ["B"], [], []][index]! } },
          },
    );
    await write(runs, "a1", ruled);
    expect(await runs.hits("a1")).toEqual([
      { code: "B", hits: 2, decided: 1 },
      { code: "A", hits: 1, decided: 1 },
    ]);
    const kept = await runs.kept("a1", { unexpected: 9, noVerdict: 9, items: 2 });
    expect(kept).toEqual({
      unexpected: ruled.filter(
        ({ expect: wanted, result }) => wanted !== null && wanted !== trustedVerdict(result),
      ),
      noVerdict: ruled.slice(1, 3),
      items: ruled.slice(0, 2),
    });
  });

  it("no item stands in place of one that is lost", async () => {
    const dir = temporaryFolder();
    const runs = runsIn(dir);
    onTestFinished(() => runs.close());
    const rows = [runRow(1, "pass"), runRow(2, "block")];
    await write(runs, "a1", rows);
    const database = new DatabaseSync(join(dir, "runs.db"));
    database.exec("DELETE FROM item WHERE place = (SELECT min(place) FROM item)");
    database.close();
    expect((await runs.kept("a1", { unexpected: 9, noVerdict: 9, items: 9 })).items).toEqual([rows[1]]);
  });

  it("a worker gives the same", async () => {
    const dir = temporaryFolder();
    const [runs, hosted] = [runsIn(dir), runsIn(dir, { inWorker: "everything" })];
    onTestFinished(async () => void (await Promise.all([runs.close(), hosted.close()])));
    await write(runs, "a1", [runRow(1, "pass"), runRow(2, "pass")]);
    await write(hosted, "b2", [runRow(1, "block"), runRow(2, "pass")]);
    const compared = await compare(hosted, "b2", "a1");
    expect(compared.changes).toMatchObject({ flipped: 1, unchanged: 1 });
    expect(compared).toEqual(await compare(runs, "b2", "a1"));
    expect(await hosted.earlier("a1", ["o-1"])).toEqual(await runs.earlier("a1", ["o-1"]));
  });

  it("an item that is sent again is compared by its new outcome, and a removed run leaves nothing", async () => {
    const runs = open();
    await write(runs, "a1", [runRow(1, "pass")]);
    await write(runs, "b2", [runRow(1, "not_sent")]);
    expect((await compare(runs, "b2", "a1")).changes.failed).toBe(1);
    const journal = await runs.resume("b2");
    await journal.intend(runRow(1, "block"), 9);
    expect((await compare(runs, "b2", "a1")).changes.failed).toBe(1);
    await journal.settle(1, runRow(1, "block").result!);
    await journal.close();
    expect((await compare(runs, "b2", "a1")).changes.flipped).toBe(1);
    await runs.remove("a1");
    await write(runs, "c3", []);
    expect((await compare(runs, "b2", "c3")).changes).toMatchObject({ new: 1, missing: 0 });
  });
});
