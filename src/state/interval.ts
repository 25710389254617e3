// Something done again and again, which keeps no process alive.

import type { Milliseconds } from "#src/contract/clock.ts";

/** Runs something at an interval and returns how to stop. */
export type Every = (interval: Milliseconds, run: () => void) => () => void;

export function everyInterval(interval: Milliseconds, run: () => void): () => void {
  const timer = setInterval(run, interval);
  timer.unref();
  return () => clearInterval(timer);
}
