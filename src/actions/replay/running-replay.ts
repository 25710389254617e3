// A replay under way: reads the sources, sends what is due, keeps every intent and result, and adds up.

import { setMaxListeners } from "node:events";

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault, interrupted, usage } from "#src/contract/fault.ts";
import { CARRIED } from "#src/contract/records/flip.ts";
import type { RunItem, RunRow, RunSummary } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RunTurn } from "#src/contract/wire/run-turn.ts";
import { notSent, type CheckResult } from "#src/contract/wire/outcome.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { CourseTally } from "#src/replay/run-course.ts";
import { Scheduler } from "#src/replay/scheduler.ts";
import { readSources, requireSources } from "#src/replay/sources/source.ts";
import { STEP_MS } from "#src/replay/sources/timeline.ts";
import { Tally } from "#src/replay/tally.ts";
import { DueItems } from "./due-items.ts";
import { lanesOf, RunTurns } from "./run-turns.ts";
import { openReplay, type OpenReplay } from "./open-replay.ts";
import { sourcePlaces } from "./replay-places.ts";
import { sorterOf } from "./time-order.ts";
import type { Replayed, ReplayEvent, ReplayInput, ReplayProgress, ReplayRun } from "./replay.ts";

const MOST_AT_ONCE = 256;
const FASTEST_PER_S = 100_000;
/** How long a cancelled run waits for answers before it cuts the calls that are left. */
const CANCEL_WAIT_MS = 10_000;

class RunningReplay implements ReplayRun {
  readonly ended: Promise<Replayed>;
  readonly #context: ActionContext;
  readonly #input: ReplayInput;
  readonly #onEvent: (event: ReplayEvent) => void;
  /** Cuts what is in flight. */
  readonly #cut = new AbortController();
  /** Ends the reading of the sources: a pipe that nobody reads to its end would keep this process alive. */
  readonly #ended = new AbortController();
  #open: OpenReplay | null = null;
  #due: DueItems | null = null;
  #schedule: Scheduler<RunItem> | null = null;
  #paused = false;
  #intended = 0;
  #tripped = false;
  #notSaved: Fault | null = null;
  #failure: { readonly error: unknown } | null = null;
  readonly #saving = new Set<Promise<void>>();

  constructor(
    context: ActionContext,
    input: ReplayInput,
    signal: AbortSignal,
    onEvent: (event: ReplayEvent) => void,
  ) {
    this.#context = context;
    this.#input = input;
    this.#onEvent = onEvent;
    setMaxListeners(0, this.#cut.signal);
    this.ended = this.#run(signal);
  }

  pause(): void {
    this.#paused = true;
    this.#schedule?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#schedule?.resume();
  }

  progress(): ReplayProgress {
    const open = this.#open;
    const flips = open?.flips ?? new FlipCounter({ baseline: CARRIED, run: "" }, new Map());
    return {
      summary: this.#summary(),
      fraction: this.#due?.fraction ?? null,
      etaMs: this.#due?.etaMs() ?? null,
      inFlight: this.#schedule?.inFlight ?? 0,
      state: this.#schedule?.state ?? (this.#paused ? "paused" : "running"),
      comparison: flips.comparison(),
      course: (open?.course ?? new CourseTally()).read(),
      latest: flips.latest,
    };
  }

  async #run(signal: AbortSignal): Promise<Replayed> {
    expectBounds(this.#input);
    const stopEarly = (): void => {
      if (signal.aborted) throw interrupted`Stopped before anything was sent.`;
    };
    stopEarly();
    const found = await sourcePlaces(this.#context, this.#input.stdin);
    // A wrong name comes out before anything is asked of the vault or the service.
    if (this.#input.continues === null) await requireSources(this.#input.sources, found);
    const open = (this.#open = await openReplay(this.#context, this.#input));
    const { journal } = open;
    let timer: NodeJS.Timeout | null = null;
    const cancel = (): void => {
      this.#schedule?.stop();
      timer ??= setTimeout(() => this.#cut.abort(), CANCEL_WAIT_MS);
    };
    try {
      stopEarly();
      this.#onEvent({
        type: "started",
        header: journal.header,
        alreadySent: journal.sentBefore,
        keepsOrder: open.keepsOrder,
      });
      const places = { ...found, ignoredColumns: journal.header.ignoredColumns };
      const reading = readSources(journal.header.sources, places, {
        strict: this.#input.strict,
        signal: this.#ended.signal,
      });
      const start = { startAt: journal.header.at, stepMs: STEP_MS };
      const due = (this.#due = new DueItems(open, reading, {
        onEvent: this.#onEvent,
        start,
        sorter: () => sorterOf(journal.header.sources, places, start, this.#ended.signal),
        activeMs: () => this.#schedule?.activeMs() ?? 0,
        sleep: (ms, until) => this.#context.sleep(ms, until),
        signal: this.#ended.signal,
      }));
      this.#schedule = this.#startSchedule(open, due);
      if (this.#paused) this.#schedule.pause();
      signal.addEventListener("abort", cancel, { once: true });
      return await this.#finish(open, await this.#endOf(this.#schedule));
    } finally {
      this.#ended.abort();
      signal.removeEventListener("abort", cancel);
      if (timer !== null) clearTimeout(timer);
      await journal.close();
      // A run that never had an item tells nobody anything, unless it is an empty part of a merge.
      const empty = journal.highest === 0 && this.#intended === 0 && journal.header.shard === undefined;
      if (empty) await (await this.#context.runs()).remove(journal.header.id).catch(() => undefined);
    }
  }

  #startSchedule(open: OpenReplay, due: DueItems): Scheduler<RunItem> {
    const intended = new Map<number, { readonly at: Milliseconds; readonly body: string }>();
    const turns = new RunTurns();
    const { orderBy } = open.pace;
    return new Scheduler({
      items: due.items(),
      ...open.pace,
      ...(orderBy === undefined || open.keepsOrder
        ? {}
        : { lanesOf: (item) => lanesOf(item.request, orderBy) }),
      prepare: async (item) => {
        const at = this.#context.now();
        this.#intended += 1;
        intended.set(item.seq, { at, body: await open.journal.intend(item, at) });
      },
      abandon: (items) => open.journal.withdraw(items.map(({ seq }) => seq)),
      work: async (item) => {
        const { at, body } = intended.get(item.seq)!;
        intended.delete(item.seq);
        const result = await turns.take((turn) => this.#send(open, item, body, turn));
        due.countSent();
        this.#save(open, { ...item, at, result });
      },
    });
  }

  async #send(
    { journal, credential }: OpenReplay,
    item: RunItem,
    body: string,
    turn: () => RunTurn,
  ): Promise<CheckResult> {
    const isRecorded = this.#due!.time === "recorded";
    const service = await this.#context.service();
    try {
      const options = { signal: this.#cut.signal, body, at: isRecorded ? item.time : undefined, turn };
      const result = await service.client.check(item.request, credential, options);
      if (!isRecorded) service.follow(result);
      return result;
    } catch (error) {
      // Nothing to sign with, e.g. an unknown algorithm: the intent must not stay behind as unknown.
      if (error instanceof Fault) await journal.settle(item.seq, notSent(error));
      throw error;
    }
  }

  /** The place of the item is free at once: the next one need not wait for this one's disk. */
  #save(open: OpenReplay, row: RunRow): void {
    const saving = open.journal
      .settle(row.seq, row.result!)
      .catch((error: unknown) => this.#fault(error))
      .then(() => this.#settled(open, row))
      .catch((error: unknown) => this.#fault(error))
      .then(() => void this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  async #settled({ tally, course, flips, side }: OpenReplay, row: RunRow): Promise<void> {
    tally.take(row);
    course.take(row);
    const { failuresInARow } = tally;
    const [earlier = null] = await side.earlierOf([row]);
    this.#onEvent({ type: "settled", row, change: flips.take(row, earlier) });
    const limit = this.#input.stopAfterFailures;
    if (limit === 0 || failuresInARow < limit || this.#tripped) return;
    this.#tripped = true;
    this.#schedule?.stop();
    const items = limit === 1 ? "An item" : `${limit} items in a row`;
    const message = `${items} got no trustworthy verdict, so the run was stopped; the last one: ${row.result!.explanation}`;
    this.#onEvent({ type: "tripped", message });
  }

  /** Whatever it is, nothing more is sent. */
  #fault(error: unknown): void {
    if (error instanceof Fault && error.code === "storage") this.#notSaved ??= error;
    else this.#failure ??= { error };
    this.#schedule?.stop();
  }

  /** Waits for every item and its record. */
  async #endOf(running: Scheduler<RunItem>): Promise<"done" | "stopped"> {
    let how: "done" | "stopped" = "stopped";
    try {
      how = await running.ended;
    } catch (error) {
      this.#fault(error);
    }
    while (this.#saving.size > 0) await Promise.all(this.#saving);
    return how;
  }

  async #finish({ journal, flips, side }: OpenReplay, how: "done" | "stopped"): Promise<Replayed> {
    const summary = this.#summary();
    const whole = how === "done" && this.#notSaved === null && summary.undecided === undefined;
    const state = whole ? "complete" : "partial";
    await journal.finish(state, summary).catch((error: unknown) => this.#fault(error));
    if (this.#failure !== null) throw this.#failure.error;
    const tripped = this.#tripped || this.#notSaved !== null;
    const info = { ...journal.header, state, summary } as const;
    return {
      info,
      side,
      // A disk that failed has not all of it.
      ...(this.#notSaved === null
        ? await side.compare(info)
        : { comparison: flips.comparison(), golden: null }),
      leftOut: this.#due!.leftOut,
      warnings: this.#due!.warnings(),
      stopped: tripped ? "tripped" : how === "done" ? "done" : "cancelled",
      notSaved: this.#notSaved,
    };
  }

  #summary(): RunSummary {
    if (this.#open === null) return new Tally().summary(0, 0);
    const { tally, journal } = this.#open;
    const durationMs = journal.durationMs + (this.#schedule?.activeMs() ?? 0);
    const rejected = Math.max(journal.rejected, this.#due?.rejected ?? 0);
    return tally.summary(rejected, durationMs, this.#due?.time ?? undefined);
  }
}

/** @throws Fault("usage") */
function expectBounds({ concurrency, ratePerS, sources, continues }: ReplayInput): void {
  const counts = concurrency === undefined || (Number.isInteger(concurrency) && concurrency >= 1);
  if (!counts || (concurrency ?? 1) > MOST_AT_ONCE) {
    throw usage`A replay sends 1 to ${MOST_AT_ONCE} items at once, not ${concurrency!}.`;
  }
  if (ratePerS != null && !(ratePerS > 0 && ratePerS <= FASTEST_PER_S)) {
    throw usage`The rate of a replay is above 0 and at most ${FASTEST_PER_S} items a second.`;
  }
  if (sources.length === 0 && continues === null) {
    throw usage`Give at least one source: a file, a folder, the name of a saved payload, "history:<filter>", "run:<id>", or "-".`;
  }
}

/**
 * Starts a replay. The signal cancels: nothing new is started, what is in flight is waited for (10 s at most, then it is
 * cut and unknown), and the run stays as a clean partial one.
 * Each intent is durable before the first byte of its request leaves. An intent without an outcome is unknown, and never
 * sent again by itself; what was certainly not decided is sent again when the run is continued.
 * `ended` rejects with Fault("usage") for sources or runs that cannot be used, Fault("bad_input") for a bad line of a strict
 * run, Fault("credential_missing" | "vault_locked"), Fault("interrupted") when it was cancelled before its first item.
 */
export function startReplay(
  context: ActionContext,
  input: ReplayInput,
  signal: AbortSignal,
  onEvent: (event: ReplayEvent) => void,
): ReplayRun {
  return new RunningReplay(context, input, signal, onEvent);
}
