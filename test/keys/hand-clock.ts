// A clock that goes on when the test says so, for the timers of the key parser.

import type { After } from "#src/contract/timer.ts";

export interface HandClock {
  readonly after: After;
  /** Lets all timers ring that are due by then, in their order. */
  wait(ms: number): void;
  pending(): number;
}

export function handClock(): HandClock {
  const timers = new Map<() => void, number>();
  let now = 0;
  return {
    after(ms, run) {
      timers.set(run, now + ms);
      return () => timers.delete(run);
    },
    wait(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].filter(([, at]) => at <= until).sort(([, one], [, other]) => one - other);
        if (next === undefined) break;
        now = next[1];
        timers.delete(next[0]);
        next[0]();
      }
      now = until;
    },
    pending: () => timers.size,
  };
}
