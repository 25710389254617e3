import { expect, it } from "vitest";
import { findOverlap } from "#src/actions/rules/rule-overlap.ts";
import type { BacktestSummary } from "#src/rules/backtest.ts";

/** A summary of transactions, each with the codes that hit it. */
function summaryOf(
  transactions: readonly (readonly string[])[],
): Pick<BacktestSummary, "total" | "rules" | "overlaps"> {
  const codes = [...new Set(transactions.flat())].sort();
  const count = (...all: string[]): number =>
    transactions.filter((hits) => all.every((code) => hits.includes(code))).length;
  return {
    total: transactions.length,
    rules: codes.map((code) => ({
      code,
      current: null,
      proposed: count(code),
      both: 0,
      alone: 0,
      decided: 0,
    })),
    overlaps: codes.flatMap((a, i) =>
      codes
        .slice(i + 1)
        .map((b) => ({ codes: [a, b] as const, count: count(a, b) }))
        .filter((pair) => pair.count > 0),
    ),
  };
}

const rest: readonly (readonly string[])[] = Array.from({ length: 20 }, () => []);

it("names rules that always hit together as one group", () => {
  const { together, within } = findOverlap(
    summaryOf([["A", "B", "C"], ["A", "B", "C"], ["D"], ["D"], ...rest]),
  );
  expect(together).toEqual([{ codes: ["A", "B", "C"], count: 2 }]);
  expect(within).toEqual([]);
});

it("names a rule that never hits without another one, which hits least", () => {
  const hits = [["A", "B", "C"], ["A", "B", "C"], ["B", "C"], ["C"], ...rest];
  expect(findOverlap(summaryOf(hits))).toEqual({
    together: [],
    within: [
      { code: "B", other: "C", count: 3, otherCount: 4 },
      { code: "A", other: "B", count: 2, otherCount: 3 },
    ],
  });
});

it("says nothing of a single hit, nor of a rule that hits most of all transactions", () => {
  expect(findOverlap(summaryOf([["A", "B"], ...rest]))).toEqual({ together: [], within: [] });
  const everywhere = [["A", "Z"], ["A", "Z"], ["Z"], ["Z"], ["Z"]];
  expect(findOverlap(summaryOf(everywhere)).within).toEqual([]);
});
