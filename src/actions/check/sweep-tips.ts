// Finds the values at which the verdict changes within a range of whole numbers: tries samples, then bisects each change
// until it lies between neighbours. The verdict may change any number of times.

import type { SweepPoint, SweepStretch, SweepVerdict } from "#src/contract/records/sweep.ts";

/** Outcomes that do not depend on the value; a retry may give another one. */
const UNCERTAIN: ReadonlySet<SweepVerdict> = new Set(["unknown", "not_sent", "indeterminate"]);

/** Tries a value; null when no more may be tried. */
export type Probe = (value: number) => Promise<SweepPoint | null>;

/**
 * Tries the samples, then the middle between neighbours with different verdicts, and so on. A change and back between two
 * samples is not seen; every other change is found exactly.
 * @param samples ascending
 * @returns every value that was tried, ascending
 */
export async function probeRange(samples: readonly number[], probe: Probe): Promise<SweepPoint[]> {
  const points: SweepPoint[] = [];
  for (const value of samples) {
    const point = await probe(value);
    if (point === null) return points;
    points.push(point);
  }
  // From left to right, bisecting each gap, so that the known part is exact when the sweep is cut short.
  for (let at = 0; at + 1 < points.length;) {
    const [left, right] = [points[at]!, points[at + 1]!];
    const gap = Number(right.value) - Number(left.value);
    if (gap <= 1 || left.verdict === right.verdict || isUncertain(left) || isUncertain(right)) {
      at += 1;
      continue;
    }
    const point = await probe(Number(left.value) + Math.floor(gap / 2));
    if (point === null) return points;
    points.splice(at + 1, 0, point);
  }
  return points;
}

function isUncertain({ verdict }: SweepPoint): boolean {
  return UNCERTAIN.has(verdict);
}

/**
 * Groups adjacent points with the same verdict.
 * @param isRange the points are ascending whole numbers: a change is exact only between neighbours. In a list it always is
 */
export function stretchesOf(points: readonly SweepPoint[], isRange: boolean): SweepStretch[] {
  const stretches: SweepStretch[] = [];
  let before: SweepPoint | null = null;
  for (const point of points) {
    const last = stretches.at(-1);
    if (last !== undefined && last.from.verdict === point.verdict) {
      stretches[stretches.length - 1] = { ...last, to: point };
    } else {
      stretches.push({
        from: point,
        to: point,
        exact: before === null || !isRange || Number(point.value) - Number(before.value) === 1,
        gained: without(point.codes, before?.codes),
        lost: without(before?.codes, point.codes),
      });
    }
    before = point;
  }
  return stretches;
}

/** The `codes` that are not in `others`; empty unless both are known. */
function without(
  codes: readonly string[] | null | undefined,
  others: readonly string[] | null | undefined,
): readonly string[] {
  if (codes === null || codes === undefined || others === null || others === undefined) return [];
  return codes.filter((code) => !others.includes(code));
}
