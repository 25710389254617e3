// Time that passes when a test says so: a clock, timers and sleeps.

import { interrupted } from "#src/contract/fault.ts";

export interface FakeTime {
  now(): number;
  after(delay: number, run: () => void): () => void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Moves the clock and runs what is due on the way, in order. */
  pass(ms: number): void;
  /** Moves the clock alone, as on a machine that slept: timers go on where they were. */
  jump(ms: number): void;
  /** Timers that are set. */
  pending(): number;
}

export function createFakeTime(start: number): FakeTime {
  let timers: { left: number; readonly run: () => void }[] = [];
  let now = start;

  function after(delay: number, run: () => void): () => void {
    const timer = { left: delay, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  }

  function step(ms: number): void {
    now += ms;
    for (const timer of timers) timer.left -= ms;
    const due = timers.filter((timer) => timer.left <= 0);
    timers = timers.filter((timer) => timer.left > 0);
    for (const timer of due) timer.run();
  }

  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stopped = interrupted`Stopped while waiting.`;
        if (signal.aborted) return reject(stopped);
        const cancel = after(ms, resolve);
        signal.addEventListener("abort", () => {
          cancel();
          reject(stopped);
        });
      }),
    pass(ms) {
      for (let left = ms; left > 0;) {
        const next = Math.min(left, ...timers.map((timer) => Math.max(1, timer.left)));
        step(next);
        left -= next;
      }
    },
    jump(ms) {
      now += ms;
    },
    pending: () => timers.length,
  };
}
