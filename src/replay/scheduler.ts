// Starts items in order: at most so many at once, at a constant rate where one is wanted, with pause and stop.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** Time as the scheduler sees it; tests put a clock of their own behind it. */
export interface ScheduleClock {
  /** Monotonic, in ms. */
  now(): Milliseconds;
  /** Calls `wake` after the given time; the result takes that back. */
  after(ms: Milliseconds, wake: () => void): () => void;
  /** Lets timers and sockets have their turn: a loop of settled promises never does. */
  breathe(): Promise<void>;
}

export const systemClock: ScheduleClock = {
  now: () => performance.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
  breathe: () => new Promise((resolve) => void setImmediate(resolve)),
};

export interface ScheduleOptions<T> {
  /** Read as slowly as the items are started. */
  readonly items: AsyncIterable<T>;
  readonly concurrency: number;
  /** Starts in a second; null: as fast as the concurrency allows. */
  readonly ratePerS: number | null;
  /** What has to be done before an item may be started. A few items ahead of their start, in order, several at once. */
  prepare(item: T): Promise<void>;
  /** Gets items that were prepared and will never be started. */
  abandon(items: readonly T[]): Promise<void>;
  /** The item itself; it holds one of the places until it is over. */
  work(item: T): Promise<void>;
  readonly clock?: ScheduleClock;
}

export interface Schedule {
  readonly inFlight: number;
  readonly state: "running" | "paused" | "stopping";
  /** Time under way, pauses left out. */
  activeMs(): Milliseconds;
  pause(): void;
  resume(): void;
  /** Starts nothing new; `ended` waits for what is in flight. */
  stop(): void;
  /** `done`: every item was started and is over. Rejects with the first error of items, preparation or work. */
  readonly ended: Promise<"done" | "stopped">;
}

/** Late starts are made up for within this time; what is later than that is left out, never sent in a burst. */
const CATCH_UP_MS = 100;
/** Preparation costs about one disk sync: at a constant rate no more is prepared than starts within this time. */
const AHEAD_MS = 20;
/** Timers and sockets wait no longer than this. */
const BREATH_MS = 10;

export function schedule<T>(options: ScheduleOptions<T>): Schedule {
  return new Scheduler(options);
}

interface Entry<T> {
  readonly item: T;
  state: "preparing" | "ready" | "failed";
}

class Scheduler<T> implements Schedule {
  readonly ended: Promise<"done" | "stopped">;
  readonly #options: ScheduleOptions<T>;
  readonly #clock: ScheduleClock;
  readonly #ahead: number;
  /** Read and not started yet, in order. */
  readonly #queue: Entry<T>[] = [];
  #inFlight = 0;
  #paused = false;
  #stopped = false;
  /** No more items will be read. */
  #exhausted = false;
  /** A start waits for the next item only. */
  #wanting = false;
  #failure: { readonly error: unknown } | null = null;
  #sleepers: (() => void)[] = [];
  #activeBefore = 0;
  #activeSince: Milliseconds | null;

  constructor(options: ScheduleOptions<T>) {
    const { concurrency, ratePerS, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#ahead =
      ratePerS === null ? concurrency : Math.min(concurrency, Math.floor((ratePerS * AHEAD_MS) / 1000));
    this.#activeSince = clock.now();
    this.ended = this.#run();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get state(): Schedule["state"] {
    if (this.#stopped) return "stopping";
    return this.#paused ? "paused" : "running";
  }

  activeMs(): Milliseconds {
    return this.#activeBefore + (this.#activeSince === null ? 0 : this.#clock.now() - this.#activeSince);
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#activeBefore = this.activeMs();
    this.#activeSince = null;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#activeSince = this.#clock.now();
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  async #run(): Promise<"done" | "stopped"> {
    // Not waited for: a source such as a pipe may never give its next item.
    void this.#read();
    await this.#start();
    const cut = this.#stopped && !(this.#exhausted && this.#queue.length === 0);
    await this.#until(() => this.#inFlight === 0 && this.#queue.every(({ state }) => state !== "preparing"));
    const abandoned = this.#queue.filter(({ state }) => state === "ready").map(({ item }) => item);
    if (abandoned.length > 0) await this.#options.abandon(abandoned);
    this.#activeBefore = this.activeMs();
    this.#activeSince = null;
    if (this.#failure !== null) throw this.#failure.error;
    return cut ? "stopped" : "done";
  }

  /** Reads items and has them prepared, as far ahead as is wanted. */
  async #read(): Promise<void> {
    const room = (): boolean => this.#queue.length < this.#ahead + Number(this.#wanting);
    const iterator = this.#options.items[Symbol.asyncIterator]();
    try {
      for (;;) {
        await this.#until(() => this.#stopped || (!this.#paused && room()));
        if (this.#stopped) break;
        const next = await iterator.next();
        this.#exhausted = next.done === true;
        if (next.done === true || this.#stopped) break;
        void this.#prepare(next.value);
      }
    } catch (error) {
      this.#exhausted = true;
      // Whatever was read before it is still started; after a stop nobody asks any more.
      if (!this.#stopped) this.#failure ??= { error };
    }
    this.#wake();
    // Not waited for, as above.
    iterator.return?.().catch(() => undefined);
  }

  async #prepare(item: T): Promise<void> {
    const entry: Entry<T> = { item, state: "preparing" };
    this.#queue.push(entry);
    try {
      await this.#options.prepare(item);
      entry.state = "ready";
    } catch (error) {
      entry.state = "failed";
      this.#fail(error);
    }
    this.#wake();
  }

  async #start(): Promise<void> {
    const { concurrency, ratePerS } = this.#options;
    const interval = ratePerS === null ? 0 : 1000 / ratePerS;
    let due = this.#clock.now();
    let breathedAt = due;
    for (;;) {
      await this.#until(() => this.#stopped || (!this.#paused && this.#inFlight < concurrency));
      if (interval > 0) await this.#reach(due);
      this.#wanting = true;
      this.#wake();
      await this.#until(() => this.#stopped || (!this.#paused && this.#next() !== "wait"));
      this.#wanting = false;
      if (this.#stopped || this.#next() === "none") return;
      const now = this.#clock.now();
      due = Math.max(due + interval, now - CATCH_UP_MS);
      void this.#work(this.#queue.shift()!.item);
      this.#wake();
      if (now - breathedAt < BREATH_MS) continue;
      await this.#clock.breathe();
      breathedAt = this.#clock.now();
    }
  }

  /** Whether the first item can be started now, or there will be none. */
  #next(): "ready" | "wait" | "none" {
    const first = this.#queue[0];
    if (first !== undefined) return first.state === "ready" ? "ready" : "wait";
    return this.#exhausted ? "none" : "wait";
  }

  async #reach(due: Milliseconds): Promise<void> {
    const now = this.#clock.now();
    if (now >= due) return;
    let reached = false;
    const forget = this.#clock.after(due - now, () => {
      reached = true;
      this.#wake();
    });
    await this.#until(() => reached || this.#stopped);
    forget();
  }

  async #work(item: T): Promise<void> {
    this.#inFlight += 1;
    try {
      await this.#options.work(item);
    } catch (error) {
      this.#fail(error);
    }
    this.#inFlight -= 1;
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => void this.#sleepers.push(resolve));
  }

  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }
}
