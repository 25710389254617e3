// Something done later, second by second, or again and again; each can be called off, and tests put their own time here.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Runs something once, after a while, and returns how to call that off. */
export type After = (delay: Milliseconds, run: () => void) => () => void;

/** Runs something at an interval and returns how to stop. */
export type Every = (interval: Milliseconds, run: () => void) => () => void;

export function afterTimeout(delay: Milliseconds, run: () => void): () => void {
  const timer = setTimeout(run, delay);
  return () => clearTimeout(timer);
}

/** An interval that keeps no process alive. */
export function everyInterval(interval: Milliseconds, run: () => void): () => void {
  const timer = setInterval(run, interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Two frames of a console that draws thirty a second. */
const DRAWN_MS: Milliseconds = 70;

/** For before something that holds up everything else while it computes: what was set until now is drawn first. */
export function untilDrawn(): Promise<void> {
  return new Promise((resolve) => {
    afterTimeout(DRAWN_MS, resolve);
  });
}

export interface SecondsLeft {
  /** Counts from now on, in place of what was counted before. */
  start(seconds: number): void;
  /** Counts no more; says nothing. */
  stop(): void;
}

/**
 * Counts seconds down. They are counted and not read from a clock: one that is set back must not keep a secret in the open.
 * @param onTick is told after each second how many are left, at least 1
 * @param onEnd is told once none is left
 */
export function secondsLeft(after: After, onTick: (left: number) => void, onEnd: () => void): SecondsLeft {
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
    start(seconds) {
      stop();
      wait(seconds);
    },
    stop,
  };
}
