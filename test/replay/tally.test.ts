// What a run adds up to: counts that sum up, and percentiles beside exact ones.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { OUTCOMES, type CheckResult } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { Tally } from "#src/replay/tally.ts";
import { runResult, runRow } from "./rows.ts";

const results: fc.Arbitrary<CheckResult | null> = fc.option(
  fc
    .record({
      outcome: fc.constantFrom(...OUTCOMES),
      recommendation: fc.option(fc.constantFrom(...RECOMMENDATIONS)),
      latencyMs: fc.option(fc.double({ min: 0.01, max: 30_000, noNaN: true })),
    })
    .map((parts) => runResult("pass", parts)),
);
const rows: fc.Arbitrary<RunRow> = fc
  .record({ expect: fc.option(fc.constantFrom(...RECOMMENDATIONS)), result: results })
  .map((changes) => runRow(1, null, changes));

function verdictOf({ result }: RunRow): string | null {
  return result?.outcome === "answered" ? result.recommendation : null;
}

describe("a tally", () => {
  it("counts every item once, and only a trustworthy answer as a verdict", () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 60 }), (all) => {
        const tally = new Tally();
        for (const row of all) tally.take(row);
        const { counts, expectationsFailed } = tally.summary(0, 1_000);
        const { total, ...parts } = counts;
        expect(total).toBe(all.length);
        expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        expect(counts.pass).toBe(all.filter((row) => verdictOf(row) === "pass").length);
        expect(counts.threeDs).toBe(all.filter((row) => verdictOf(row) === "3ds_or_block").length);
        expect(counts.block).toBe(all.filter((row) => verdictOf(row) === "block").length);
        expect(counts.unknown).toBe(
          all.filter(({ result }) => result === null || result.outcome === "unknown").length,
        );
        expect(expectationsFailed).toBe(
          all.filter((row) => row.expect !== null && row.expect !== verdictOf(row)).length,
        );
      }),
    );
  });

  it("gives percentiles that are exact to three digits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.05, max: 29_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (values) => {
          const tally = new Tally();
          for (const latencyMs of values) {
            tally.take(runRow(1, null, { result: runResult("pass", { latencyMs }) }));
          }
          const sorted = values.toSorted((a, b) => a - b);
          // The nearest rank, as HDR histograms take it.
          const exact = (share: number): number =>
            sorted[Math.max(1, Math.floor(share * sorted.length + 0.5)) - 1]!;
          const { p50, p95, p99, max } = tally.summary(0, 1).latencies!;
          for (const [measured, wanted] of [
            [p50, exact(0.5)],
            [p95, exact(0.95)],
            [p99, exact(0.99)],
            [max, exact(1)],
          ] as const) {
            expect(Math.abs(measured - wanted)).toBeLessThanOrEqual(wanted * 0.002 + 0.0015);
          }
        },
      ),
    );
  });

  it("has no latencies and no rate before the first answer", () => {
    expect(new Tally().summary(3, 0)).toMatchObject({ rejected: 3, latencies: null, ratePerS: null });
  });

  it("counts failures in a row, up to the next verdict", () => {
    const tally = new Tally();
    tally.take(runRow(1, null));
    tally.take(runRow(2, "refused"));
    expect(tally.failuresInARow).toBe(2);
    tally.take(runRow(3, "block"));
    expect(tally.failuresInARow).toBe(0);
  });
});
