// Good payments blocked and bad ones passed, span by span of the time of the payments.

import { SPANS_KEPT, type Outcomes, type OutcomeSpan } from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const HOUR: Milliseconds = 3_600_000;

type Counts = { -readonly [K in keyof OutcomeSpan["current"]]: OutcomeSpan["current"][K] };

interface Span {
  total: number;
  readonly current: Counts;
  readonly proposed: Counts;
}

interface Spans {
  take(at: Milliseconds, part: "bad" | "good" | "unlabelled", was: Recommendation, now: Recommendation): void;
  read(): Pick<Outcomes, "spans" | "spanMs">;
}

/** Hours in UTC; doubled where there would be more than `SPANS_KEPT`. */
export function createSpans(): Spans {
  let spanMs = HOUR;
  let spans = new Map<number, Span>();
  let [first, last] = [Infinity, -Infinity];

  function span(index: number): Span {
    let found = spans.get(index);
    if (found === undefined) spans.set(index, (found = emptySpan()));
    return found;
  }

  function double(): void {
    spanMs *= 2;
    const halves = spans;
    spans = new Map();
    [first, last] = [Math.floor(first / 2), Math.floor(last / 2)];
    for (const [index, half] of halves) {
      const whole = span(Math.floor(index / 2));
      whole.total += half.total;
      for (const side of ["current", "proposed"] as const) {
        whole[side].goodBlocked += half[side].goodBlocked;
        whole[side].badPassed += half[side].badPassed;
      }
    }
  }

  return {
    take(at, part, was, now) {
      const hour = (): number => Math.floor(at / spanMs);
      [first, last] = [Math.min(first, hour()), Math.max(last, hour())];
      while (last - first >= SPANS_KEPT) double();
      const taken = span(hour());
      taken.total += 1;
      count(taken.current, part, was);
      count(taken.proposed, part, now);
    },
    read() {
      const length = last < first ? 0 : last - first + 1;
      const read = (index: number): OutcomeSpan => ({
        from: index * spanMs,
        ...structuredClone(spans.get(index) ?? emptySpan()),
      });
      return { spans: Array.from({ length }, (_, i) => read(first + i)), spanMs };
    },
  };
}

function emptySpan(): Span {
  return {
    total: 0,
    current: { goodBlocked: 0, badPassed: 0 },
    proposed: { goodBlocked: 0, badPassed: 0 },
  };
}

function count(counts: Counts, part: string, verdict: Recommendation): void {
  if (part === "good" && verdict === "block") counts.goodBlocked += 1;
  if (part === "bad" && verdict === "pass") counts.badPassed += 1;
}
