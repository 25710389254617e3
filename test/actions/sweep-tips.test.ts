// Bisection against brute force: what is found as a tipping point is one, and none that can be seen is missed.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { probeRange, stretchesOf } from "#src/actions/check/sweep-tips.ts";
import { samplesOf, type SweepPoint, type SweepVerdict } from "#src/contract/records/sweep.ts";

const VERDICTS: readonly SweepVerdict[] = ["pass", "3ds_or_block", "block", "refused"];

/** A step function over whole numbers: what holds from each edge on. */
interface Steps {
  readonly first: SweepVerdict;
  readonly edges: readonly (readonly [from: number, verdict: SweepVerdict])[];
}

const steps = (from: number, to: number): fc.Arbitrary<Steps> =>
  fc.record({
    first: fc.constantFrom(...VERDICTS),
    edges: fc
      .array(fc.tuple(fc.integer({ min: from, max: to }), fc.constantFrom(...VERDICTS)), { maxLength: 8 })
      .map((edges) => edges.toSorted(([a], [b]) => a - b)),
  });

const verdictAt = ({ first, edges }: Steps, value: number): SweepVerdict =>
  edges.findLast(([from]) => from <= value)?.[1] ?? first;

const pointAt = (wanted: Steps, value: number): SweepPoint => ({
  value,
  verdict: verdictAt(wanted, value),
  reason: null,
  codes: null,
});

/** Every value whose verdict is another one than that of the value before. */
const bruteForce = (wanted: Steps, from: number, to: number): number[] => {
  const tips: number[] = [];
  for (let value = from + 1; value <= to; value += 1) {
    if (verdictAt(wanted, value) !== verdictAt(wanted, value - 1)) tips.push(value);
  }
  return tips;
};

const sweep = async (wanted: Steps, from: number, to: number, count: number) => {
  let asked = 0;
  const points = await probeRange(samplesOf({ from, to, steps: count }), (value) => {
    asked += 1;
    return Promise.resolve(pointAt(wanted, value));
  });
  const stretches = stretchesOf(points, true);
  return { points, stretches, asked, tips: stretches.slice(1).map((stretch) => Number(stretch.from.value)) };
};

const range = fc.record({
  from: fc.integer({ min: 0, max: 500 }),
  length: fc.integer({ min: 1, max: 1_500 }),
});

describe("the values at which a verdict tips", () => {
  it("are tipping points by brute force, each of them exact", async () => {
    await fc.assert(
      fc.asyncProperty(
        range.chain(({ from, length }) =>
          fc.record({
            from: fc.constant(from),
            to: fc.constant(from + length),
            wanted: steps(from, from + length),
            count: fc.integer({ min: 2, max: 60 }),
          }),
        ),
        async ({ from, to, wanted, count }) => {
          const { stretches, tips, points } = await sweep(wanted, from, to, count);
          const real = bruteForce(wanted, from, to);
          expect(real).toEqual(expect.arrayContaining(tips));
          expect(stretches.every(({ exact }) => exact)).toBe(true);
          // Between neighbours that were tried and agree, what was missed comes and goes again.
          for (const [index, { value }] of points.entries()) {
            const next = points[index + 1];
            if (next === undefined) continue;
            const inside = real.filter((tip) => tip > Number(value) && tip <= Number(next.value));
            if (points[index]!.verdict === next.verdict) expect(inside.length).not.toBe(1);
            else expect(inside).toEqual([next.value]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("are all found where no verdict holds for less than the space between two samples", async () => {
    await fc.assert(
      fc.asyncProperty(
        range,
        fc.integer({ min: 2, max: 60 }),
        fc.infiniteStream(fc.nat()),
        async ({ from, length }, count, random) => {
          const to = from + length;
          const samples = samplesOf({ from, to, steps: count });
          const widest = Math.max(...samples.slice(1).map((value, index) => value - samples[index]!));
          const edges: [number, SweepVerdict][] = [];
          const draw = (below: number): number => (random.next().value as number) % below;
          for (
            let at = from + widest + draw(widest + 3);
            at <= to - widest;
            at += widest + draw(widest * 2)
          ) {
            edges.push([at, VERDICTS[draw(VERDICTS.length)]!]);
          }
          const wanted: Steps = { first: "pass", edges };
          const { tips } = await sweep(wanted, from, to, count);
          expect(tips).toEqual(bruteForce(wanted, from, to));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("cost a logarithm each", async () => {
    const wanted: Steps = {
      first: "pass",
      edges: [
        [25_001, "3ds_or_block"],
        [200_000, "block"],
      ],
    };
    const { tips, asked } = await sweep(wanted, 1_000, 500_000, 48);
    expect(tips).toEqual([25_001, 200_000]);
    expect(asked).toBeLessThanOrEqual(48 + 2 * 16);
  });

  it("are not narrowed down where an answer is no verdict", async () => {
    const wanted: Steps = { first: "pass", edges: [[500, "unknown"]] };
    const { asked, stretches } = await sweep(wanted, 0, 1_000, 5);
    expect(asked).toBe(5);
    expect(stretches.map(({ from, exact }) => [from.value, exact])).toEqual([
      [0, true],
      [500, false],
    ]);
  });

  it("end with what is known when nothing more may be asked", async () => {
    const wanted: Steps = { first: "pass", edges: [[300, "block"]] };
    let left = 6;
    const points = await probeRange([0, 250, 500, 750, 1_000], (value) =>
      Promise.resolve((left -= 1) < 0 ? null : pointAt(wanted, value)),
    );
    expect(points.map(({ value }) => value)).toEqual([0, 250, 375, 500, 750, 1_000]);
    expect(stretchesOf(points, true).map(({ from, exact }) => [from.value, exact])).toEqual([
      [0, true],
      [375, false],
    ]);
  });
});

describe("a list", () => {
  it("is told in runs of neighbours, with the rules that came and went", () => {
    const point = (value: string, verdict: SweepVerdict, codes: string[]): SweepPoint => ({
      value,
      verdict,
      reason: null,
      codes,
    });
    const stretches = stretchesOf(
      [
        point("a", "pass", []),
        point("b", "block", ["X", "Y"]),
        point("c", "block", ["X"]),
        point("d", "pass", ["Z"]),
      ],
      false,
    );
    expect(
      stretches.map(({ from, to, gained, lost, exact }) => [from.value, to.value, gained, lost, exact]),
    ).toEqual([
      ["a", "a", [], [], true],
      ["b", "c", ["X", "Y"], [], true],
      ["d", "d", ["Z"], ["X"], true],
    ]);
  });
});
