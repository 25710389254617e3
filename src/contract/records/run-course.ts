// The course of a run: its verdicts over the time of the payments, and how long the answers took.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";

/** Answers by verdict. */
type PartCounts = Readonly<Record<Recommendation, number>>;

export interface RunCourse {
  /** False where the payments carry no time: their places in the sources stand for it. */
  readonly isTimed: boolean;
  /** Equal parts of the time in ms, or of the places: where the first begins, and the length of each. */
  readonly from: number;
  readonly step: number;
  readonly parts: readonly PartCounts[];
  /** Answers by how long they took: the first bin begins at 1 ms, and `LATENCY_BINS` of them are a tenfold. */
  readonly latencies: readonly number[];
}

/** Bins of a tenfold. */
export const LATENCY_BINS = 8;
/** Bins of all latencies; a course has fewer parts. */
export const MOST_BINS = 5 * LATENCY_BINS;
