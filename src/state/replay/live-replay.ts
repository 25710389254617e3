// The running replay: polled a few times a second, and not while it is paused.

import type { StoreApi } from "zustand/vanilla";
import type {
  Replayed,
  ReplayEvent,
  ReplayInput,
  ReplayProgress,
  ReplayRun,
} from "#src/actions/replay/replay.ts";
import { orderText, sortedText, timeText } from "#src/display/run-lines.ts";
import type { After } from "#src/state/timers.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import type { LiveReplay, ReplaysState } from "./replays-state.ts";

/** Polling interval: four frames a second read as motion and cost the run nothing measurable. */
const LOOK_MS = 250;
const REJECTED_KEPT = 100;

/** @param store its `live` is what is known of the one under way */
export function createLiveReplays(store: StoreApi<ReplaysState>, start: ReplayEngine["start"], after: After) {
  let under: { readonly stop: AbortController; run: ReplayRun | null } | null = null;
  let ending: Promise<unknown> = Promise.resolve();
  let cancelLook: (() => void) | null = null;
  let sentBefore = 0;

  const change = (part: Partial<LiveReplay>): void => {
    const { live } = store.getState();
    if (live !== null) store.setState({ live: { ...live, ...part } });
  };

  const look = (): void => {
    cancelLook?.();
    cancelLook = null;
    const progress = under?.run?.progress();
    if (progress === undefined) return;
    change({ progress });
    // Paused, nothing moves once the last answer has come.
    if (progress.state !== "paused" || progress.inFlight > 0) cancelLook = after(LOOK_MS, look);
  };

  const note = (text: string | null): void => {
    const { notes = [] } = store.getState().live ?? {};
    if (text !== null) change({ notes: [...notes, text] });
  };

  const heard = (event: ReplayEvent): void => {
    if (event.type === "started") {
      change({ header: event.header, alreadySent: event.alreadySent });
      note(orderText(event.header, event.keepsOrder));
    } else if (event.type === "time") note(timeText(event.time, event.from));
    else if (event.type === "sorted") note(sortedText(event.outOfOrder));
    else if (event.type === "tripped") change({ tripped: event.message });
    else if (event.type === "rejected") {
      const rejected = store.getState().live?.rejected ?? [];
      if (rejected.length < REJECTED_KEPT) change({ rejected: [...rejected, event.line] });
    }
  };

  const sentNow = (): number => {
    const { live } = store.getState();
    return live === null || live.isIsolated ? 0 : sentIn(live.progress?.summary ?? null, live.alreadySent);
  };

  const run = async (input: ReplayInput, isolated: string | null): Promise<Replayed> => {
    const stop = new AbortController();
    const mine = { stop, run: null as ReplayRun | null };
    under = mine;
    const live: LiveReplay = {
      isPaused: false,
      header: null,
      continues: input.continues,
      isIsolated: isolated !== null,
      alreadySent: 0,
      progress: null,
      rejected: [],
      notes: [],
      tripped: null,
    };
    store.setState({ live });
    try {
      mine.run = await start(input, isolated, stop.signal, heard);
      if (store.getState().live?.isPaused) mine.run.pause();
      look();
      const replayed = await mine.run.ended;
      const { alreadySent = 0 } = store.getState().live ?? {};
      if (isolated === null) sentBefore += sentIn(replayed.info.summary, alreadySent);
      return replayed;
    } finally {
      cancelLook?.();
      cancelLook = null;
      under = null;
      store.setState({ live: null });
    }
  };

  return {
    /** Items sent to the service of the profile by the replays of this session so far. */
    sent: () => sentBefore + sentNow(),
    /**
     * Starts one and stays until it has ended.
     * @param isolated as in `SetupInput`; null by default
     * @throws Fault as `startReplay` lists them
     */
    run(input: ReplayInput, isolated: string | null = null): Promise<Replayed> {
      const running = run(input, isolated);
      ending = running.catch(() => undefined);
      return running;
    },
    /** Pauses, or goes on; one that is still starting does so once it can. */
    togglePause() {
      if (under === null || under.stop.signal.aborted) return;
      const isPaused = store.getState().live?.isPaused !== true;
      change({ isPaused });
      if (isPaused) under.run?.pause();
      else under.run?.resume();
      look();
    },
    /** False when none is under way, or it is being cancelled already. */
    cancel() {
      if (under === null || under.stop.signal.aborted) return false;
      under.stop.abort();
      look();
      return true;
    },
    /** Cancels, and resolves once what was in flight has ended. */
    async close() {
      under?.stop.abort();
      await ending;
    },
  };
}

/** Items of a run that left in this session: what was refused here, and what was sent before, did not. */
function sentIn(summary: ReplayProgress["summary"] | null, alreadySent: number): number {
  if (summary === null) return 0;
  return Math.max(0, summary.counts.total - summary.counts.notSent - alreadySent);
}
