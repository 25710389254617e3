// verdicts.lock: the same run gives the same bytes, and what is read is what was written.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareGolden, earlierIn, goldenText, parseGolden, type Golden } from "#src/replay/golden.ts";
import { readLines } from "#src/replay/sources/source-lines.ts";
import { rowsOf, runResult, runRow, type Verdict } from "./rows.ts";

const LABELS = { baseline: "verdicts.lock", run: "r1" };

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
const parsed = (text: string) => parseGolden(readLines(chunks(text), "lock"), "lock");
const textOf = (golden: Golden, shards = 1): string => goldenText({ golden, shards });
const goldenOf = async (rows: ReturnType<typeof runRow>[]): Promise<Golden> =>
  (await compareGolden(rowsOf(rows), new Map(), LABELS, new Map(), undefined)).golden.now;

const keys = fc.uniqueArray(
  fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "grapheme-ascii", minLength: 1 })),
  { maxLength: 20 },
);
const verdicts = fc.constantFrom<Exclude<Verdict, null>>("pass", "block", "3ds_or_block");
const basis = fc.record({
  score: fc.integer(),
  rules: fc.array(fc.string({ unit: "binary" }), { maxLength: 3 }),
});
const decided = fc.record({ basis }, { requiredKeys: [] });

describe("verdicts.lock", () => {
  it("reads back what it holds, whatever keys and rules are called, in one order", async () => {
    await fc.assert(
      fc.asyncProperty(keys, fc.infiniteStream(fc.tuple(verdicts, decided)), async (names, drawn) => {
        const rows = names.map((key, index) => {
          const [verdict, more] = drawn.next().value!;
          return runRow(index + 1, verdict, { key, result: runResult(verdict, more) });
        });
        const golden = await goldenOf(rows);
        const text = textOf(golden);
        expect(textOf(await goldenOf(rows.toReversed()))).toBe(text);
        expect(await parsed(text)).toEqual({ golden, shards: 1 });
        expect(await parsed(textOf(golden, 4))).toEqual({ golden, shards: 4 });
        const same = await compareGolden(rowsOf(rows), golden, LABELS, new Map(), undefined);
        expect(same.golden).toMatchObject({ added: [], missing: [], otherBasis: 0 });
        expect(same.comparison.changes.flipped).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("is one line an item, for people", async () => {
    const rows = [
      runRow(2, "block", {
        result: runResult("block", { basis: { score: 120, rules: ["HIGH_AMOUNT", "CARD_BURST"] } }),
      }),
      runRow(1, "pass", { key: "two words" }),
      runRow(3, "refused"),
    ];
    expect(textOf(await goldenOf(rows))).toBe(
      `# verdicts.lock, form 1: key verdict score rules\n"two words" pass - -\no-2 block 120 HIGH_AMOUNT,CARD_BURST\n`,
    );
  });

  it("tells apart verdicts, their basis, and items that one side has", async () => {
    const golden = await goldenOf([
      runRow(1, "pass"),
      runRow(2, "pass", { result: runResult("pass", { basis: { score: 10, rules: ["A"] } }) }),
      runRow(3, "block"),
      runRow(4, "block"),
    ]);
    const now = [
      runRow(1, "block"),
      runRow(2, "pass", { result: runResult("pass", { basis: { score: 20, rules: ["B"] } }) }),
      runRow(3, null),
      runRow(9, "pass"),
    ];
    const { comparison, golden: facts } = await compareGolden(
      rowsOf(now),
      golden,
      LABELS,
      new Map(),
      undefined,
    );
    expect(facts).toMatchObject({ added: ["o-9"], missing: ["o-4"], otherBasis: 1 });
    expect(comparison.changes).toEqual({ unchanged: 1, flipped: 1, failed: 1, new: 1, missing: 1 });
    expect(now.map(({ key }) => earlierIn(golden, key))).toEqual([
      { verdict: "pass" },
      { verdict: "pass", rules: ["A"] },
      { verdict: "block" },
      null,
    ]);
  });

  it("misses only items of its shard", async () => {
    const golden = await goldenOf(Array.from({ length: 40 }, (_, index) => runRow(index + 1, "pass")));
    const missing = [];
    for (const part of [1, 2, 3]) {
      const { golden: facts } = await compareGolden(rowsOf([]), golden, LABELS, new Map(), { part, of: 3 });
      missing.push(...facts.missing);
    }
    expect(missing.sort()).toEqual([...golden.keys()].sort());
  });

  it.each([
    ["", /./],
    ["{}\n", /its first line is not/],
    ["# verdicts.lock, form 2: key verdict score rules\n", /its first line is not/],
    ["# verdicts.lock, form 1: key verdict score rules; four shards\n", /its first line is not/],
    ["o-1 maybe - -", /lock:2 is not a key/],
    ["<<<<<<< HEAD", /lock:2 is not a key/],
    ['"o-1 pass - -', /lock:2 is not a key/],
    ["o-1 pass - -\no-1 block - -", /lock:3 names an item again/],
  ])("refuses %j and says where", async (text, reason) => {
    const head = textOf(new Map());
    const whole = text.startsWith("{") || text.startsWith("#") ? text : `${head}${text}`;
    if (text === "") expect((await parsed(whole)).golden.size).toBe(0);
    else await expect(parsed(whole)).rejects.toThrow(reason);
  });
});
