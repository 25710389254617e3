// The items of a replay that are due: read from its sources, given their time, without those that were sent before.

import { usage } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import type { RejectedLine, RunItem, RunTime } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import { isChosen } from "#src/replay/sources/item-choice.ts";
import type { SourceReading } from "#src/replay/sources/source.ts";
import type { SourceLine } from "#src/replay/sources/source-items.ts";
import { createTimeline, type TimelineStart } from "#src/replay/sources/timeline.ts";
import { WarningTally, type Warnings } from "#src/replay/warning-tally.ts";
import type { TimeSorter } from "#src/storage/database/time-sorter.ts";
import type { OpenReplay } from "./open-replay.ts";
import { withFreshOrderId } from "./replay-places.ts";
import type { ReplayEvent } from "./replay.ts";

/** Items that are skipped in one go before timers have their turn. */
const SKIP_BATCH = 500;
/** A pause during a wait is noticed within this time. */
const RHYTHM_MS: Milliseconds = 250;

/** What the items need of the replay that sends them. */
interface Replaying {
  onEvent(event: ReplayEvent): void;
  /** Time under way, without pauses. */
  activeMs(): Milliseconds;
  /** Time of the items that carry none. */
  readonly start: TimelineStart;
  /** What puts the items in the order of time; null where they are in it. */
  sorter(): Promise<TimeSorter<RunItem> | null>;
  /** @throws Fault("interrupted") when the signal fires */
  sleep(ms: Milliseconds, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

export class DueItems {
  readonly #open: OpenReplay;
  readonly #reading: SourceReading;
  readonly #replaying: Replaying;
  readonly #warned = new WarningTally();
  /** Share of the sources up to the item that was read last; null where it cannot be known. */
  #read: number | null;
  /** Undefined until the first item, and null where the items keep the order of the sources. */
  #sorter: TimeSorter<RunItem> | null | undefined;
  /** When the first item of this session was met, and the share before it. */
  #first: { readonly fraction: number | null; readonly ms: Milliseconds } | null = null;
  #taken = 0;
  #sent = 0;
  #rejected = 0;
  #leftOut = 0;
  /** Null until the first item. */
  #time: RunTime | null = null;
  /** Whether the first item of the sources has a time of its own. */
  #carriesTime: boolean | null = null;
  #isTimeTold = false;
  /** Time of the first item whose rhythm is kept. */
  #firstTime: Milliseconds | null = null;

  constructor(open: OpenReplay, reading: SourceReading, replaying: Replaying) {
    this.#open = open;
    this.#reading = reading;
    this.#replaying = replaying;
    this.#read = reading.fraction();
  }

  /**
   * Share of the items that were sent, 0 to 1, from how far the sources are read, or from the number of items where that is known:
   * many of those that were read may wait for others. Null where it cannot be known.
   */
  get fraction(): number | null {
    if (this.#sorter != null) return this.#sent / this.#sorter.count;
    if (this.#read === null || this.#first === null) return this.#read;
    const { fraction } = this.#first;
    return fraction === null ? null : fraction + ((this.#read - fraction) * this.#sent) / this.#taken;
  }

  /** Call it for each item that was sent. */
  countSent(): void {
    this.#sent += 1;
  }

  /** Bad lines so far. */
  get rejected(): number {
    return this.#rejected;
  }

  /** By which time the items are sent and decided; null before the first one. */
  get time(): RunTime | null {
    return this.#time;
  }

  /** Items of the sources that are not of this run, so far. */
  get leftOut(): number {
    return this.#leftOut;
  }

  warnings(): Warnings {
    return this.#warned.sum();
  }

  /** From the share that this session has sent, and the time it took for that. */
  etaMs(): Milliseconds | null {
    const { fraction } = this;
    const done = (fraction ?? 0) - (this.#first?.fraction ?? fraction ?? 0);
    return fraction === null || done <= 0 ? null : (this.#sendingMs() * (1 - fraction)) / done;
  }

  /** Time since the first item, without pauses. */
  #sendingMs(): Milliseconds {
    return this.#replaying.activeMs() - (this.#first?.ms ?? 0);
  }

  /**
   * The items that are to be sent, in the order of the sources, or of time where that matters.
   * @throws Fault("usage") when the sources are shorter than the run, or not what it sent; Fault("storage") when they cannot be
   *   sorted
   */
  async *items(): AsyncGenerator<RunItem> {
    try {
      for await (const item of this.#unsent()) {
        if (this.#sorter === undefined)
          this.#sorter = this.#time === "now" ? null : await this.#replaying.sorter();
        if (this.#sorter === null) yield await this.#due(item);
        else this.#sorter.add(item.time!, item);
        // Nobody takes the items of a run that was stopped while they are sorted.
        if (this.#replaying.signal.aborted) return;
      }
      if (this.#sorter == null) return;
      const { outOfOrder } = this.#sorter;
      if (outOfOrder > 0) this.#replaying.onEvent({ type: "sorted", outOfOrder });
      for (const item of this.#sorter.sorted()) yield await this.#due(item);
    } finally {
      this.#sorter?.close();
    }
  }

  /** Waits until the time of the item has come. */
  async #due(item: RunItem): Promise<RunItem> {
    if (!this.#isTimeTold) {
      this.#isTimeTold = true;
      const from = this.#carriesTime === true ? item.time! : null;
      this.#replaying.onEvent({ type: "time", time: this.#time!, from });
    }
    this.#first ??= { fraction: this.fraction, ms: this.#replaying.activeMs() };
    this.#taken += 1;
    if (item.warnings !== undefined) this.#warned.take(item.warnings);
    if (item.time !== undefined) await this.#reach(item.time);
    return item;
  }

  /** The items that were not sent before, in the order of the sources. */
  async *#unsent(): AsyncGenerator<RunItem> {
    const { journal } = this.#open;
    const { freshOrderIds, id } = journal.header;
    const timeline = createTimeline(this.#replaying.start);
    let last = 0;
    for await (const read of this.#reading.batches) {
      const from = this.#read;
      const to = this.#reading.fraction();
      // The bad lines of the sources count in every choice of their items.
      const ours = read.filter((line) => "rejected" in line || isChosen(journal.header, line.item));
      this.#leftOut += read.length - ours.length;
      const lines = freshOrderIds ? ours.map((line) => withFreshOrder(line, id)) : ours;
      const sent = await journal.findSent(lines.flatMap((line) => ("item" in line ? line.item : [])));
      for (const [index, line] of lines.entries()) {
        this.#read = from === null || to === null ? to : from + ((to - from) * index) / lines.length;
        if ("rejected" in line) {
          this.#reject(line.rejected);
          continue;
        }
        const item = this.#timed(line.item, timeline.next(line.recorded).at);
        last = item.seq;
        if (last % SKIP_BATCH === 0) await systemClock.yieldToEvents();
        if (sent.has(last) || (freshOrderIds && this.#isCardNow(item))) continue;
        yield item;
      }
      this.#read = to;
    }
    if (last < journal.highest) {
      throw usage`The sources end after item ${last}, but the run has sent item ${journal.highest}; give the same sources again.`;
    }
  }

  /** The item with the time by which it is sent or decided; the first one decides which where nothing was asked for. */
  #timed(item: RunItem, at: Milliseconds): RunItem {
    this.#carriesTime ??= item.time !== undefined;
    this.#time ??= this.#open.time ?? (this.#carriesTime ? "recorded" : "now");
    return this.#time === "now" ? item : { ...item, time: at };
  }

  /** Keeps the rhythm of the payments, faster; the first one is due at once. Pauses stop this time, too. */
  async #reach(time: Milliseconds): Promise<void> {
    if (this.#time === null || !this.#time.startsWith("x")) return;
    const { signal } = this.#replaying;
    this.#firstTime ??= time;
    const dueMs = (time - this.#firstTime) / Number(this.#time.slice(1));
    for (;;) {
      const left = dueMs - this.#sendingMs();
      if (left <= 0 || signal.aborted) return;
      await this.#replaying.sleep(Math.min(left, RHYTHM_MS), signal).catch(() => undefined);
    }
  }

  /** Whether the order id has become a card number, which must not be sent. */
  #isCardNow({ origin, request }: RunItem): boolean {
    if (findCardData(request) === null) return false;
    this.#reject({
      origin,
      message:
        "The order id with the end of the run id added looks like a card number, so the item was not sent.",
    });
    return true;
  }

  #reject(line: RejectedLine): void {
    this.#rejected += 1;
    this.#replaying.onEvent({ type: "rejected", line });
  }
}

function withFreshOrder(line: SourceLine, runId: string): SourceLine {
  return "item" in line ? { ...line, item: withFreshOrderId(line.item, runId) } : line;
}
