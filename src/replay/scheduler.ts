// Starts items with limited concurrency, in order within a lane, with an optional constant rate, pause and stop.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** The scheduler's clock, which tests replace. */
export interface ScheduleClock {
  /** Monotonic, in ms. */
  now(): Milliseconds;
  /** Calls `wake` after the given time; the result cancels it. */
  after(ms: Milliseconds, wake: () => void): () => void;
  /** Lets timers and sockets run, which a loop of settled promises never does. */
  yieldToEvents(): Promise<void>;
}

export const systemClock: ScheduleClock = {
  now: () => performance.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
  yieldToEvents: () => new Promise((resolve) => void setImmediate(resolve)),
};

export interface ScheduleOptions<T> {
  /** Read as slowly as the items are started. */
  readonly items: AsyncIterable<T>;
  readonly concurrency: number;
  /** Starts in a second; null: as fast as the concurrency allows. */
  readonly ratePerS: number | null;
  /** Items that share a lane run one after the other, in order; absent: all run side by side. */
  lanesOf?(item: T): readonly string[];
  /** Required before an item starts. Called for a few items ahead, concurrently. */
  prepare(item: T): Promise<void>;
  /** Receives prepared items that will never start. */
  abandon(items: readonly T[]): Promise<void>;
  /** Processes the item; it counts against the concurrency until it settles. */
  work(item: T): Promise<void>;
  readonly clock?: ScheduleClock;
}

/** Late starts are caught up within this time; older ones are dropped, not sent in a burst. */
const CATCH_UP_MS = 100;
/** At a constant rate, items are prepared this far ahead; preparation costs about one disk sync. */
const AHEAD_MS = 20;
/** Longest time without letting timers and sockets run. */
const YIELD_MS = 10;

/** Items that wait for another one of their lanes: beyond so many none is read, which bounds the memory. */
const MOST_WAITING = 1_024;

interface Entry<T> {
  readonly item: T;
  /** Number in the order in which items were read. */
  readonly place: number;
  readonly lanes: readonly string[];
  /** Entries of its lanes that must be over before it. */
  before: number;
  /** Entries that wait for this one. */
  readonly behind: Entry<T>[];
  state: "waiting" | "preparing" | "ready" | "failed";
}

export class Scheduler<T> {
  /** `done`: every item was processed. Rejects with the first error of items, preparation or work. */
  readonly ended: Promise<"done" | "stopped">;
  readonly #options: ScheduleOptions<T>;
  readonly #clock: ScheduleClock;
  readonly #ahead: number;
  /** Read, with every lane free, and not started yet. */
  readonly #queue: Entry<T>[] = [];
  /** The last entry of each lane that is taken. */
  readonly #lastOf = new Map<string, Entry<T>>();
  /** Read, and behind another one of its lanes. */
  #waiting = 0;
  #taken = 0;
  #inFlight = 0;
  #paused = false;
  #stopped = false;
  /** No more items will be read. */
  #exhausted = false;
  /** A start is waiting for the next item. */
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

  get state(): "running" | "paused" | "stopping" {
    if (this.#stopped) return "stopping";
    return this.#paused ? "paused" : "running";
  }

  /** Active time, without pauses. */
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

  /** Starts nothing new; `ended` waits for items in flight. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  async #run(): Promise<"done" | "stopped"> {
    // Not awaited: a source such as a pipe may never give its next item.
    void this.#read();
    await this.#start();
    const cut = this.#stopped && !(this.#exhausted && this.#queue.length + this.#waiting === 0);
    await this.#until(() => this.#inFlight === 0 && this.#queue.every(({ state }) => state !== "preparing"));
    const abandoned = this.#queue.filter(({ state }) => state === "ready").map(({ item }) => item);
    if (abandoned.length > 0) await this.#options.abandon(abandoned);
    this.#activeBefore = this.activeMs();
    this.#activeSince = null;
    if (this.#failure !== null) throw this.#failure.error;
    return cut ? "stopped" : "done";
  }

  /** Reads items and prepares them, up to `#ahead`. */
  async #read(): Promise<void> {
    const room = (): boolean =>
      this.#queue.length < this.#ahead + Number(this.#wanting) && this.#waiting < MOST_WAITING;
    const iterator = this.#options.items[Symbol.asyncIterator]();
    try {
      for (;;) {
        await this.#until(() => this.#stopped || (!this.#paused && room()));
        if (this.#stopped) break;
        const next = await iterator.next();
        this.#exhausted = next.done === true;
        if (next.done === true || this.#stopped) break;
        this.#take(next.value);
      }
    } catch (error) {
      this.#exhausted = true;
      // Items read before it are still started; after a stop the error does not matter.
      if (!this.#stopped) this.#failure ??= { error };
    }
    this.#wake();
    // Not awaited, as above.
    iterator.return?.().catch(() => undefined);
  }

  #take(item: T): void {
    const lanes = this.#options.lanesOf?.(item) ?? [];
    const place = (this.#taken += 1);
    const entry: Entry<T> = { item, place, lanes, before: 0, behind: [], state: "waiting" };
    for (const lane of lanes) {
      const last = this.#lastOf.get(lane);
      if (last !== undefined && last !== entry) {
        last.behind.push(entry);
        entry.before += 1;
      }
      this.#lastOf.set(lane, entry);
    }
    if (entry.before === 0) void this.#prepare(entry);
    else this.#waiting += 1;
  }

  /** Lets those start that were behind an entry. */
  #leave(entry: Entry<T>): void {
    for (const lane of entry.lanes) {
      if (this.#lastOf.get(lane) === entry) this.#lastOf.delete(lane);
    }
    for (const next of entry.behind) {
      next.before -= 1;
      if (next.before > 0) continue;
      this.#waiting -= 1;
      void this.#prepare(next);
    }
  }

  async #prepare(entry: Entry<T>): Promise<void> {
    entry.state = "preparing";
    // What had to wait for its lane goes before what was read after it.
    const later = this.#queue.findIndex(({ place }) => place > entry.place);
    this.#queue.splice(later < 0 ? this.#queue.length : later, 0, entry);
    try {
      await this.#options.prepare(entry.item);
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
    let yieldedAt = due;
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
      void this.#work(this.#queue.shift()!);
      this.#wake();
      if (now - yieldedAt < YIELD_MS) continue;
      await this.#clock.yieldToEvents();
      yieldedAt = this.#clock.now();
    }
  }

  /** Whether an item can start now, must be waited for, or none is left. */
  #next(): "ready" | "wait" | "none" {
    const first = this.#queue[0];
    if (first !== undefined) return first.state === "ready" ? "ready" : "wait";
    return this.#exhausted && this.#waiting === 0 ? "none" : "wait";
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

  async #work(entry: Entry<T>): Promise<void> {
    this.#inFlight += 1;
    try {
      await this.#options.work(entry.item);
    } catch (error) {
      this.#fail(error);
    }
    this.#inFlight -= 1;
    if (!this.#stopped) this.#leave(entry);
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
