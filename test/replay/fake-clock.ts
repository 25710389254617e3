// A clock for the scheduler that moves only when it is told to, and whose timers may come late.

import type { ScheduleClock } from "#src/replay/scheduler.ts";

export class FakeClock implements ScheduleClock {
  #now = 0;
  #timers: { at: number; wake: () => void }[] = [];
  readonly #late: () => number;

  /** @param late how late the next timer fires, in ms */
  constructor(late: () => number = () => 0) {
    this.#late = late;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, wake: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms) + this.#late(), wake };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  yieldToEvents(): Promise<void> {
    return Promise.resolve();
  }

  /** A wait that work can take. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Moves from timer to timer until the promise is settled, or no timer is left. */
  async runUntil(ended: Promise<unknown>, limit = Infinity): Promise<void> {
    let over = false;
    const note = (): void => void (over = true);
    ended.then(note, note);
    for (;;) {
      // Everything that settled promises can do by themselves happens first.
      await new Promise((resolve) => void setImmediate(resolve));
      const next = this.#timers.sort((a, b) => a.at - b.at)[0];
      if (over || next === undefined || next.at > limit) return;
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}
