// The course of a run: parts of the time or of the places that grow with the run, and bins of latencies.

import { describe, expect, it } from "vitest";
import { LATENCY_BINS, type RunCourse } from "#src/contract/records/run-course.ts";
import { CourseTally } from "#src/replay/run-course.ts";
import { runResult, runRow } from "../console/replay-engine.ts";

const MINUTE = 60_000;
const at = Date.UTC(2026, 2, 1);

function course(times: readonly (number | undefined)[], latencyMs = 12): RunCourse {
  const tally = new CourseTally();
  for (const [index, time] of times.entries()) {
    const result = runResult(index % 3 === 0 ? "block" : "pass", { latencyMs });
    tally.take(runRow(index + 1, { result, ...(time === undefined ? {} : { time }) }));
  }
  return tally.read();
}

const answers = ({ parts }: RunCourse): number =>
  parts.reduce((sum, { pass, block, "3ds_or_block": secure }) => sum + pass + block + secure, 0);

describe("the course of a run", () => {
  it("is by minutes at first, and by longer parts as it grows, in any order, and keeps every answer", () => {
    expect(course([at, at + 2 * MINUTE])).toMatchObject({ isTimed: true, from: at, step: MINUTE });
    const day = Array.from({ length: 1_440 }, (_, minute) => at + ((minute * 7) % 1_440) * MINUTE);
    const { step, parts, from } = course(day);
    expect([step, parts.length, from]).toEqual([60 * MINUTE, 24, at]);
    expect(answers(course(day))).toBe(1_440);
    expect(answers(course([...day, 0]))).toBe(1_441);
  });

  it("is by places in the sources where the payments carry no time", () => {
    const places = course(Array.from({ length: 1_000 }, () => undefined));
    expect(places).toMatchObject({ isTimed: false, from: 0, step: 32 });
    expect(answers(places)).toBe(1_000);
  });

  it("counts answers by how long they took, a tenfold in so many bins", () => {
    const bins = (latencyMs: number): number => course([at], latencyMs).latencies.indexOf(1);
    expect([0.2, 1, 10, 100, 1e9].map(bins)).toEqual([
      0,
      0,
      LATENCY_BINS,
      2 * LATENCY_BINS,
      5 * LATENCY_BINS - 1,
    ]);
  });

  it("has nothing of what got no trustworthy verdict", () => {
    const tally = new CourseTally();
    tally.take(runRow(1, { result: runResult(null) }));
    expect(tally.read().parts).toEqual([]);
  });
});
