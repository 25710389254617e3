// The time of each payment of a source, in the order of the source.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recorded } from "./source-items.ts";

/** From one payment without a time to the next, unless another step is asked for. */
export const STEP_MS: Milliseconds = 60_000;

export interface TimelineStart {
  /** Time of a first payment without one, and from one to the next. */
  readonly startAt: Milliseconds;
  readonly stepMs: Milliseconds;
}

export interface Timeline {
  next(recorded: Recorded | undefined): { readonly at: Milliseconds; readonly timed: boolean };
}

/**
 * The time of each transaction: the sandbox's virtual time where it decided, else the time on record moved by what the
 * last decision of the same profile told, else one step after the transaction before.
 */
export function createTimeline({ startAt, stepMs }: TimelineStart): Timeline {
  const offsets = new Map<string, Milliseconds>();
  let last: Milliseconds | null = null;
  return {
    next(recorded) {
      const profile = recorded?.place?.profile ?? "";
      if (recorded?.virtualAt != null) offsets.set(profile, recorded.virtualAt - recorded.at);
      const timed = recorded !== undefined;
      const at: Milliseconds = timed
        ? recorded.at + (offsets.get(profile) ?? 0)
        : last === null
          ? startAt
          : last + stepMs;
      last = at;
      return { at, timed };
    },
  };
}

/**
 * Whether the payments of a source are in the order of their time, which one out of order makes false.
 * @param signal ends the reading; the result means nothing then
 */
export async function isInOrder(
  times: AsyncIterable<readonly (Recorded | undefined)[]>,
  start: TimelineStart,
  signal: AbortSignal,
): Promise<boolean> {
  const timeline = createTimeline(start);
  let last: Milliseconds = -Infinity;
  for await (const batch of times) {
    for (const recorded of batch) {
      const { at } = timeline.next(recorded);
      if (at < last) return false;
      last = at;
    }
    if (signal.aborted) break;
  }
  return true;
}
