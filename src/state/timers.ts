// Intervals, limits and countdowns that can be cancelled, and that tests replace by a fake clock.

import { afterTimeout, type After } from "#src/contract/timer.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

export { afterTimeout, type After } from "#src/contract/timer.ts";

/** Runs something at an interval and returns how to stop. */
export type Every = (interval: Milliseconds, run: () => void) => () => void;

/** Time that stands still until it is told to go to the next timer: for what nobody waits for. */
export function createVirtualTime() {
  const timers = new Map<() => void, Milliseconds>();
  let now = 0;
  return {
    now: (): Milliseconds => now,
    after(delay: Milliseconds, run: () => void) {
      const timer = (): void => run();
      timers.set(timer, now + delay);
      return () => timers.delete(timer);
    },
    /** Moves the clock, and runs no timer. */
    pass: (ms: Milliseconds) => void (now += ms),
    /** Moves the clock to the next timer and runs it. @returns false where there is none */
    next() {
      const [first] = [...timers].sort(([, one], [, other]) => one - other);
      if (first === undefined) return false;
      const [timer, due] = first;
      timers.delete(timer);
      now = Math.max(now, due);
      timer();
      return true;
    },
  };
}

export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** Waits until something has ended in whatever way, up to a limit. @returns whether it ended in time */
export async function endedWithin(limit: Milliseconds, ending: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = afterTimeout(limit, () => resolve(false));
  const ended = ending.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(cancel);
}

/** An interval that keeps no process alive. */
export function everyInterval(interval: Milliseconds, run: () => void): () => void {
  const timer = setInterval(run, interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Two frames of a console that draws thirty a second. */
const DRAWN_MS: Milliseconds = 70;

/** Resolves once pending state is drawn; used before work that blocks the event loop. */
export function untilDrawn(): Promise<void> {
  return new Promise((resolve) => {
    afterTimeout(DRAWN_MS, resolve);
  });
}

/**
 * Counts seconds down by timers and not by a clock: one that is set back must not keep a secret revealed.
 * @param onTick called each second with the seconds left, at least 1
 * @param onEnd called when none is left
 */
export function secondsLeft(after: After, onTick: (left: number) => void, onEnd: () => void) {
  let cancel: (() => void) | null = null;

  function wait(left: number): void {
    cancel = after(1_000, () => {
      cancel = null;
      if (left <= 1) return onEnd();
      onTick(left - 1);
      wait(left - 1);
    });
  }

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  return {
    /** Starts the countdown again. */
    start(seconds: number) {
      stop();
      wait(seconds);
    },
    /** Stops without calling back. */
    stop,
  };
}
