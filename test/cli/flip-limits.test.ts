import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Options } from "#src/cli/command.ts";
import { exceeded, parseNewBlocks, readFlipLimits } from "#src/cli/replay/flip-limits.ts";
import type { Comparison } from "#src/contract/records/flip.ts";

function comparison(compared: number, flipped: number, newBlocks: number): Comparison {
  const changes = { unchanged: compared - flipped, flipped, new: 0, missing: 0, failed: 0 };
  return { baseline: "a", run: "b", matrix: [], changes, compared, newBlocks, flips: [] };
}

const beyond = (text: string, compared: number, newBlocks: number): boolean =>
  exceeded(comparison(compared, newBlocks, newBlocks), {
    maxFlips: null,
    maxNewBlocks: parseNewBlocks(text),
  }) !== null;

describe("--max-new-blocks", () => {
  test.each(["", "-1", "1.5", "1e3", "%", "101%", "100.1%", "0,5%", " 1", "1 %", "0x1", "1%%", "1."])(
    "%j is refused",
    (text) => {
      expect(() => parseNewBlocks(text)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
    },
  );

  test("a count", () => {
    expect([beyond("3", 10, 3), beyond("3", 10, 4), beyond("0", 10, 0), beyond("0", 10, 1)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test("a share is exact where floating point is not", () => {
    expect([beyond("0.1%", 1_000, 1), beyond("0.1%", 1_000, 2), beyond("0.1%", 999, 1)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([beyond("100%", 7, 7), beyond("0%", 7, 1), beyond("0.000001%", 100_000_000, 1)]).toEqual([
      false,
      true,
      false,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (tenths, whole) => {
          const allowed = Math.floor((tenths * whole) / 1000);
          const text = `${Math.floor(tenths / 10)}.${tenths % 10}%`;
          expect(beyond(text, whole, allowed)).toBe(false);
          if (allowed < whole) expect(beyond(text, whole, allowed + 1)).toBe(true);
        },
      ),
    );
  });
});

test("without limits nothing is beyond them; with limits, nothing compared proves nothing", () => {
  expect(exceeded(comparison(0, 0, 0), { maxFlips: null, maxNewBlocks: null })).toBeNull();
  expect(exceeded(comparison(5, 5, 5), { maxFlips: null, maxNewBlocks: null })).toBeNull();
  expect(exceeded(comparison(0, 0, 0), { maxFlips: 3, maxNewBlocks: null })).toContain("prove nothing");
});

test("the sentence says how many and how many are allowed", () => {
  expect(exceeded(comparison(9, 2, 0), { maxFlips: 1, maxNewBlocks: null })).toBe(
    "2 verdicts changed, and --max-flips allows 1.",
  );
  expect(exceeded(comparison(9, 1, 1), { maxFlips: 1, maxNewBlocks: parseNewBlocks("0.5%") })).toBe(
    "1 verdict of 9 compared became block, and --max-new-blocks allows 0.5%.",
  );
});

test("the options are read together", () => {
  expect(readFlipLimits(new Options({}))).toEqual({ maxFlips: null, maxNewBlocks: null });
  expect(readFlipLimits(new Options({ maxFlips: "0", maxNewBlocks: "2" }))).toEqual({
    maxFlips: 0,
    maxNewBlocks: { kind: "count", count: 2 },
  });
  expect(() => readFlipLimits(new Options({ maxFlips: "-1" }))).toThrow("--max-flips");
});
