// Sums by spans of time, in memory that does not grow: where there would be too many spans, each becomes twice as long.

import { SPANS_KEPT } from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

export type Sums<K extends string> = Readonly<Record<K, { count: number; eur: number }>>;

/** Payments of each kind, and their worth in EUR: none so far. */
export function noSums<K extends string>(kinds: readonly K[]): Sums<K> {
  return Object.fromEntries(kinds.map((kind) => [kind, { count: 0, eur: 0 }])) as Sums<K>;
}

interface TimeSpan<T> {
  readonly from: Milliseconds;
  readonly sums: T;
}

/**
 * @param shortest length of a span at first
 * @param border a time at which a span begins, however long spans become
 * @param add adds the sums of a shorter span to those of the longer one that takes its place
 */
export function createTimeSpans<T>(
  shortest: Milliseconds,
  border: Milliseconds,
  make: () => T,
  add: (to: T, shorter: T) => void,
) {
  let spanMs = shortest;
  const spans: TimeSpan<T>[] = [];
  const startOf = (time: Milliseconds): Milliseconds =>
    border + Math.floor((time - border) / spanMs) * spanMs;

  function spanOf(time: Milliseconds): T {
    const first = spans[0]?.from ?? startOf(time);
    const index = Math.max(0, (startOf(time) - first) / spanMs);
    while (spans.length <= index) spans.push({ from: first + spans.length * spanMs, sums: make() });
    return spans[index]!.sums;
  }

  return {
    /** The sums of the span of this time. Times come in order. */
    at(time: Milliseconds): T {
      const first = spans[0]?.from ?? time;
      const before = spanMs;
      while (startOf(time) - startOf(first) >= SPANS_KEPT * spanMs) spanMs *= 2;
      for (const { from, sums } of spanMs === before ? [] : spans.splice(0)) add(spanOf(from), sums);
      return spanOf(time);
    },
    /** In the order of time, without gaps. */
    read: () => ({ spans: spans as readonly TimeSpan<T>[], spanMs }),
  };
}
