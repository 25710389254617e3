// Good payments blocked and bad ones passed, span by span of the time of the payments.

import { SPANS_KEPT, type Outcomes, type OutcomeSpan } from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const HOUR: Milliseconds = 3_600_000;

interface Span extends OutcomeSpan {
  total: number;
  readonly current: { goodBlocked: number; badPassed: number };
  readonly proposed: { goodBlocked: number; badPassed: number };
}

interface Spans {
  /** Takes payments in the order of their time. */
  take(at: Milliseconds, part: "bad" | "good" | "unlabelled", was: Recommendation, now: Recommendation): void;
  read(): Pick<Outcomes, "spans" | "spanMs">;
}

/** Hours in UTC; doubled where there would be more than `SPANS_KEPT`. */
export function createSpans(): Spans {
  let spanMs = HOUR;
  const spans: Span[] = [];
  const startOf = (at: Milliseconds): Milliseconds => Math.floor(at / spanMs) * spanMs;

  function spanOf(at: Milliseconds): Span {
    const first = spans[0]?.from ?? startOf(at);
    const index = Math.max(0, (startOf(at) - first) / spanMs);
    while (spans.length <= index) {
      const none = { goodBlocked: 0, badPassed: 0 };
      const from = first + spans.length * spanMs;
      spans.push({ from, total: 0, current: { ...none }, proposed: { ...none } });
    }
    return spans[index]!;
  }

  return {
    take(at, part, was, now) {
      const first = spans[0]?.from ?? at;
      const before = spanMs;
      while (startOf(at) - startOf(first) >= SPANS_KEPT * spanMs) spanMs *= 2;
      for (const shorter of spanMs === before ? [] : spans.splice(0)) {
        const span = spanOf(shorter.from);
        span.total += shorter.total;
        for (const side of ["current", "proposed"] as const) {
          span[side].goodBlocked += shorter[side].goodBlocked;
          span[side].badPassed += shorter[side].badPassed;
        }
      }
      const span = spanOf(at);
      span.total += 1;
      for (const [counts, verdict] of [[span.current, was] as const, [span.proposed, now] as const]) {
        if (part === "good" && verdict === "block") counts.goodBlocked += 1;
        if (part === "bad" && verdict === "pass") counts.badPassed += 1;
      }
    },
    read: () => ({ spans, spanMs }),
  };
}
