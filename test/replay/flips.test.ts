import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CARRIED, carriedBy, FLIPS_KEPT, sharedFlips, type Comparison } from "#src/contract/records/flip.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { comparedRows, RATES, runResult, runRow, type Verdict } from "./rows.ts";

const LABELS = { baseline: "earlier", run: "later" };

const compare = (earlier: readonly RunRow[], later: readonly RunRow[]): Promise<Comparison> =>
  comparedRows(LABELS, earlier, later);

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

test("within a kind the flips of the most money come first, whatever its currency", async () => {
  const of = (seq: number, amount: number | undefined, currency: number): RunRow =>
    runRow(seq, "block", { request: amount === undefined ? { currency } : { amount, currency } });
  const later = [
    of(1, 4_900_00, 980),
    of(2, undefined, 978),
    of(3, 101_00, 978),
    of(4, 9_999_99, 392),
    of(5, 100_00, 978),
  ];
  const { flips, matrix } = await compare(
    later.map(({ seq }) => runRow(seq, "pass")),
    later,
  );
  // What has no amount or no rate comes last, by its place in the sources.
  expect(flips.map(({ after }) => after!.seq)).toEqual([3, 1, 5, 2, 4]);
  expect(matrix[2]!.eur).toBeCloseTo(301);
});

test("of very many flips the worst are kept, and a small kind keeps its places", async () => {
  const size = 3 * FLIPS_KEPT;
  const earlier: RunRow[] = [];
  const later: RunRow[] = [];
  for (let seq = size; seq >= 1; seq -= 1) {
    const [was, now] =
      seq % 1_000 === 0
        ? (["3ds_or_block", "block"] as const)
        : seq % 3 === 0
          ? (["pass", "block"] as const)
          : (["3ds_or_block", "pass"] as const);
    earlier.push(runRow(seq, was));
    later.push(runRow(seq, now));
  }
  const { flips, changes } = await compare(earlier, later);
  expect(changes.flipped).toBe(size);
  expect(flips).toHaveLength(FLIPS_KEPT);
  const seqs = (was: string): number[] =>
    flips.filter((flip) => flip.was === was && flip.now === "block").map(({ after }) => after!.seq);
  expect(seqs("3ds_or_block")).toEqual([1_000, 2_000, 3_000]);
  expect(seqs("pass").length).toBeGreaterThan(490);
  expect(seqs("pass").slice(0, 3)).toEqual([3, 6, 9]);
  expect(sharedFlips(flips, 7).map(({ was, now }) => `${was} ${now}`)).toEqual([
    ...Array<string>(3).fill("pass block"),
    ...Array<string>(2).fill("3ds_or_block block"),
    ...Array<string>(2).fill("3ds_or_block pass"),
  ]);
});

test("flips are grouped by the rules that decided, where both sides say them, and by project", () => {
  const flips = new FlipCounter(LABELS, RATES);
  const take = (
    seq: number,
    before: string[] | undefined,
    after: string[] | undefined,
    project: string,
  ): void => {
    const row = runRow(seq, "pass");
    const result = runResult("pass", after === undefined ? {} : { basis: { score: 0, rules: after } });
    flips.take({ ...row, result }, { verdict: "block", rules: before }, project);
  };
  take(1, ["BIN_BURST", "LATE"], [], "a/low");
  take(2, ["BIN_BURST"], [], "a/low");
  take(3, ["BIN_BURST"], ["LATE"], "b/low");
  take(4, undefined, [], "b/low");
  const { causes, projects } = flips.comparison();
  expect(causes.map(({ before, after, count }) => [before, after, count])).toEqual([
    // Rules hit in a pass, and decide none.
    ["BIN_BURST", null, 3],
  ]);
  expect(causes[0]).toMatchObject({ was: "block", now: "pass", money: [{ currency: 980, amount: 36_000n }] });
  expect(projects.map(({ project, count }) => [project, count])).toEqual([
    ["a/low", 2],
    ["b/low", 2],
  ]);
});

test("without a baseline an item is compared with the verdict that it carries", () => {
  const flips = new FlipCounter({ baseline: CARRIED, run: "later" }, RATES);
  const take = (row: RunRow): string => flips.take(row, carriedBy(row));
  expect(take(runRow(1, "block", { was: "pass" }))).toBe("flipped");
  expect(take(runRow(2, "pass", { was: "pass" }))).toBe("unchanged");
  expect(take(runRow(3, "pass"))).toBe("new");
  expect(take(runRow(4, "unknown", { was: "pass" }))).toBe("failed");
  expect(take(runRow(5, "unknown"))).toBe("new");
  const { changes, compared, newBlocks } = flips.comparison();
  expect(changes).toEqual({ unchanged: 1, flipped: 1, new: 2, missing: 0, failed: 1 });
  expect({ compared, newBlocks }).toEqual({ compared: 2, newBlocks: 1 });
});
