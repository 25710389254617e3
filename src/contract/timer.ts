// A timer that runs once and can be cancelled; tests replace it by a clock of their own.

import type { Milliseconds } from "./wire/clock.ts";

/** Runs a callback once after a delay. @returns cancels it */
export type After = (delay: Milliseconds, run: () => void) => () => void;

export function afterTimeout(delay: Milliseconds, run: () => void): () => void {
  const timer = setTimeout(run, delay);
  return () => clearTimeout(timer);
}
