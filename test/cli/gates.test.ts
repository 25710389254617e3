// Gates: what is read from their options, and when each fails. How runs end by them is in compare.transcript.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANSWER_GATES, FLIP_GATES } from "#src/cli/option-specs.ts";
import { readOptions } from "#src/cli/option.ts";
import { acceptsMissing, failedGates, type Gates } from "#src/cli/replay/gates.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunSummary } from "#src/contract/records/run.ts";
import { runSummary } from "../replay/report-sample.ts";

function comparison(compared: number, flipped: number, newBlocks: number): Comparison {
  const changes = { unchanged: compared - flipped, flipped, new: 0, missing: 0, failed: 0 };
  return {
    baseline: "a",
    run: "b",
    matrix: [],
    changes,
    compared,
    newBlocks,
    released: 0,
    causes: [],
    projects: [],
    flips: [],
  };
}

function summary(total: number, answered: number, p95 = 40): RunSummary {
  const latencies = answered === 0 ? null : { p50: p95, p95, p99: p95, max: p95 };
  return { ...runSummary({ total, pass: answered, unknown: total - answered }), latencies };
}

interface Case {
  readonly compared?: Comparison;
  readonly totals?: RunSummary | null;
}

const gatesOf = (options: Readonly<Record<string, string>>): Gates =>
  readOptions({ ...FLIP_GATES, ...ANSWER_GATES }, (name) => options[name], {}).values;

/** The names of the gates that fail. */
const failing = (options: Record<string, string>, { compared, totals = null }: Case): string[] =>
  failedGates({ comparison: compared ?? null, summary: totals }, gatesOf(options)).map(({ gate }) => gate);
const said = (options: Record<string, string>, { compared, totals = null }: Case): string[] =>
  failedGates({ comparison: compared ?? null, summary: totals }, gatesOf(options)).map(
    ({ message }) => message,
  );

describe("their options", () => {
  test.each(
    ["maxFlips", "maxNewBlocks", "minAnswered"].flatMap((name) => {
      const wrong = ["", "-1", "1.5", "1e3", "%", "101%", "100.1%", "0,5%", " 1", "1 %", "0x1", "1%%", "1."];
      return wrong.map((text) => [name, text] as const);
    }),
  )("%s refuses %j", (name, text) => {
    expect(() => gatesOf({ [name]: text })).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  });

  test.each(["", "50", "ms", "-5ms", "fast", "1.5h", "0.0001s"])("maxP95 refuses %j", (text) => {
    expect(() => gatesOf({ maxP95: text })).toThrow("--max-p95 takes a duration");
  });

  test("without gates nothing fails", () => {
    expect(failing({}, { compared: comparison(5, 5, 5), totals: summary(5, 0) })).toEqual([]);
    expect(failing({}, {})).toEqual([]);
  });
});

describe("limits on changes", () => {
  const flips = (text: string, compared: number, count: number): boolean =>
    failing({ maxFlips: text }, { compared: comparison(compared, count, 0) }).length > 0;
  const blocks = (text: string, compared: number, count: number): boolean =>
    failing({ maxNewBlocks: text }, { compared: comparison(compared, count, count) }).length > 0;

  test.each([flips, blocks])("a count, and a share that is exact where floating point is not", (beyond) => {
    expect([beyond("3", 10, 3), beyond("3", 10, 4), beyond("0", 10, 0), beyond("0", 10, 1)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
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

  test("nothing compared proves nothing, and each gate says so", () => {
    const wanted = { maxFlips: "3", maxNewBlocks: "100%" };
    for (const compared of [comparison(0, 0, 0), undefined]) {
      const sentences = said(wanted, compared === undefined ? {} : { compared });
      expect(sentences).toEqual([
        expect.stringContaining("--max-flips 3 proves nothing"),
        expect.stringContaining("--max-new-blocks 100% proves nothing"),
      ]);
    }
  });

  test("the sentence says how many and how many are allowed", () => {
    expect(said({ maxFlips: "1" }, { compared: comparison(9, 2, 0) })).toEqual([
      "2 verdicts changed, and --max-flips allows 1.",
    ]);
    expect(said({ maxFlips: "1", maxNewBlocks: "0.5%" }, { compared: comparison(9, 1, 1) })).toEqual([
      "1 verdict of 9 compared became block, and --max-new-blocks allows 0.5%.",
    ]);
  });
});

describe("limits on answers", () => {
  test("the p95 may be the limit and no more, and its sentence never rounds it to the limit", () => {
    expect(failing({ maxP95: "50ms" }, { totals: summary(9, 9, 50) })).toEqual([]);
    expect(said({ maxP95: "50ms" }, { totals: summary(9, 9, 50.001) })).toEqual([
      "The p95 of the latencies is 50.001 ms, and --max-p95 allows 50ms.",
    ]);
    expect(failing({ maxP95: "1.5s" }, { totals: summary(9, 9, 1_500) })).toEqual([]);
    expect(failing({ maxP95: "1.5s" }, { totals: summary(9, 9, 1_500.4) })).toEqual(["max-p95"]);
  });

  test("answers, as a share that is exact and as a count", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (tenths, total) => {
          const enough = Math.ceil((tenths * total) / 1000);
          const share = { minAnswered: `${Math.floor(tenths / 10)}.${tenths % 10}%` };
          expect(failing(share, { totals: summary(total, enough) })).toEqual([]);
          expect(failing(share, { totals: summary(total, enough - 1) })).toEqual(["min-answered"]);
          const count = { minAnswered: String(enough) };
          expect(failing(count, { totals: summary(total, enough) })).toEqual([]);
          expect(failing(count, { totals: summary(total, enough - 1) })).toEqual(["min-answered"]);
        },
      ),
    );
    expect(said({ minAnswered: "99%" }, { totals: summary(1_000, 989) })).toEqual([
      "989 of 1 000 items have a trustworthy verdict, and --min-answered asks for 99%.",
    ]);
  });

  test("nothing answered, or unknown totals, prove nothing", () => {
    for (const totals of [summary(3, 0), summary(0, 0), null]) {
      expect(said({ maxP95: "1h", minAnswered: "0%" }, { totals })).toEqual([
        expect.stringContaining("--max-p95 1h proves nothing"),
        expect.stringContaining("--min-answered 0% proves nothing"),
      ]);
    }
  });

  test("missing verdicts are accepted by the gate that holds, and by nothing else", () => {
    const accepts = (options: Record<string, string>): boolean => {
      const gates = gatesOf(options);
      return acceptsMissing(gates, failedGates({ comparison: null, summary: summary(10, 9, 40) }, gates));
    };
    expect([
      accepts({}),
      accepts({ maxP95: "1s" }),
      accepts({ minAnswered: "90%" }),
      accepts({ minAnswered: "91%" }),
    ]).toEqual([false, false, true, false]);
    expect(accepts({ minAnswered: "90%", maxP95: "1ms" })).toBe(true);
  });
});
