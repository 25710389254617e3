// The course of a run: its verdicts over the time of the payments, and how long the answers took. Bounded, however long the run.

import { trustedVerdict, type RunRow } from "#src/contract/records/run.ts";
import { LATENCY_BINS, MOST_BINS, type RunCourse } from "#src/contract/records/run-course.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const MOST_PARTS = 32;
/** Lengths of a part, each a multiple of the one before; after the last one they double. */
const STEPS_MS = [1, 5, 15, 30, 60, 180, 360, 720, 1_440].map((minutes) => minutes * 60_000);

export class CourseTally {
  readonly #latencies = Array.from({ length: MOST_BINS }, () => 0);
  #parts = new Map<number, Record<Recommendation, number>>();
  #isTimed: boolean | null = null;
  #step = 1;

  take({ result, time, seq }: RunRow): void {
    const verdict = trustedVerdict(result);
    if (verdict === null) return;
    const bin = Math.floor(Math.log10(Math.max(1, result!.latencyMs ?? 1)) * LATENCY_BINS);
    this.#latencies[Math.min(MOST_BINS - 1, bin)]! += 1;
    // The first payment decides, as it does for the time of the run.
    if (this.#isTimed === null) {
      this.#isTimed = time !== undefined;
      if (this.#isTimed) this.#step = STEPS_MS[0]!;
    }
    const at = this.#isTimed ? time : seq;
    if (at === undefined) return;
    this.#part(Math.floor(at / this.#step))[verdict] += 1;
    while (this.#last() - this.#first() >= MOST_PARTS) this.#lengthen();
  }

  read(): RunCourse {
    const [first, last] = this.#parts.size === 0 ? [0, -1] : [this.#first(), this.#last()];
    return {
      isTimed: this.#isTimed === true,
      from: first * this.#step,
      step: this.#step,
      parts: Array.from({ length: last - first + 1 }, (_, index) => ({
        ...(this.#parts.get(first + index) ?? noAnswers()),
      })),
      latencies: [...this.#latencies],
    };
  }

  #first(): number {
    return Math.min(...this.#parts.keys());
  }

  #last(): number {
    return Math.max(...this.#parts.keys());
  }

  #part(place: number): Record<Recommendation, number> {
    const known = this.#parts.get(place) ?? noAnswers();
    this.#parts.set(place, known);
    return known;
  }

  /** Makes longer parts of several. */
  #lengthen(): void {
    const longer = this.#isTimed ? STEPS_MS.find((step) => step > this.#step) : undefined;
    const times = (longer ?? this.#step * 2) / this.#step;
    const shorter = this.#parts;
    this.#parts = new Map();
    this.#step *= times;
    for (const [place, counts] of shorter) {
      const part = this.#part(Math.floor(place / times));
      for (const verdict of Object.keys(counts) as Recommendation[]) part[verdict] += counts[verdict];
    }
  }
}

function noAnswers(): Record<Recommendation, number> {
  return { pass: 0, "3ds_or_block": 0, block: 0 };
}
