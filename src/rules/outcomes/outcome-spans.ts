// Good payments blocked and bad ones passed, span by span of the time of the payments.

import { SPANS_KEPT, type ByKind, type Outcomes, type OutcomeSpan } from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { createTimeSpans } from "./time-spans.ts";

const HOUR: Milliseconds = 3_600_000;
const SIDES = ["current", "proposed"] as const;

interface Sums extends Omit<OutcomeSpan, "from"> {
  total: number;
  readonly current: { goodBlocked: number; badPassed: number };
  readonly proposed: { goodBlocked: number; badPassed: number };
}

/** Hours in UTC; doubled where there would be more than `SPANS_KEPT`. */
export function createSpans() {
  const none = { goodBlocked: 0, badPassed: 0 };
  const make = (): Sums => ({ total: 0, current: { ...none }, proposed: { ...none } });
  const spans = createTimeSpans(HOUR, SPANS_KEPT, 0, make, (to, shorter) => {
    to.total += shorter.total;
    for (const side of SIDES) {
      to[side].goodBlocked += shorter[side].goodBlocked;
      to[side].badPassed += shorter[side].badPassed;
    }
  });
  return {
    /** Takes payments in the order of their time. */
    take(at: Milliseconds, part: keyof ByKind, was: Recommendation, now: Recommendation): void {
      const span = spans.at(at);
      span.total += 1;
      for (const [counts, verdict] of [[span.current, was] as const, [span.proposed, now] as const]) {
        if (part === "good" && verdict === "block") counts.goodBlocked += 1;
        if (part === "bad" && verdict === "pass") counts.badPassed += 1;
      }
    },
    read(): Pick<Outcomes, "spans" | "spanMs"> {
      const { spans: read, spanMs } = spans.read();
      return { spans: read.map(({ from, sums }) => ({ from, ...sums })), spanMs };
    },
  };
}
