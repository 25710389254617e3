// The store of the Replay screen: the runs, the form of a new replay, the running one and the shown result.

import type { StoreApi } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { agreeToBatch } from "#src/state/live-fence.ts";
import { faultOf, inConsole } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { chosenBaseline } from "./chosen-baseline.ts";
import { createLiveReplays } from "./live-replay.ts";
import type { Replayed, ReplayEngine, ReplayInput } from "./replay-engine.ts";
import { createReplayForms } from "./replay-form.ts";
import { againWords, setupInput, sourceWord, type SetupInput } from "./replay-setup.ts";
import { askLeave, busyText, endedText, batchSummary } from "./replay-words.ts";
import {
  chosenRun,
  createReplaysStore,
  NONE_AGAIN,
  shownThing,
  whyNotGoOn,
  type ReplaysState,
  type SetupState,
} from "./replays-state.ts";
import { createRunList } from "./run-list.ts";
import { createRunResult } from "./run-result.ts";

/** A replay that is begun from another screen, where it was asked about already. */
export type SendAgain = Omit<SetupInput, "time" | "isolated">;

/** What the console asks of every replay; it stops after so many items in a row without a trustworthy verdict. */
const CONSOLE_DEFAULTS = { strict: false, stopAfterFailures: 20, stdin: null } as const;

export function createReplays(
  context: Context,
  session: Session,
  engine: ReplayEngine,
  after: After = afterTimeout,
) {
  const store = createReplaysStore();
  const { getState, setState } = store;
  const { profile } = context;
  let closed = false;
  let partial: string | null = null;
  const live = createLiveReplays(store, engine.start, after);
  const { reopen, ...forms } = createReplayForms(context, session, engine, store, after, (setup) =>
    start(setup),
  );
  const stopSaying = sayElsewhere(session, store);
  // A zoomed pane of what was shown is none of what is shown now.
  const stopZooming = store.subscribe((now, before) => {
    const isOpen = session.store.getState().screen === "replay";
    if (isOpen && shownThing(now) !== shownThing(before)) session.zoom(0);
  });

  const { keepFlips, ...list } = createRunList(session, engine, store, (id) => {
    result.close();
    if (partial === id) partial = null;
  });
  const { show, ...result } = createRunResult(session, engine, store, keepFlips);

  const ended = async (replayed: Replayed): Promise<void> => {
    const { info, comparison, stopped, notSaved } = replayed;
    partial =
      info.state === "partial" && info.isolated === undefined
        ? info.id
        : partial === info.id
          ? null
          : partial;
    if (closed) return;
    const { screen } = session.store.getState();
    const well = stopped !== "tripped" && notSaved === null;
    session.say(endedText(replayed, screen !== "replay", session.keyName), well ? "done" : "error");
    setState({ selectedId: info.id });
    keepFlips(info.id, comparison);
    await Promise.all([list.load(), show(info, info.baseline)]);
  };

  const begin = async (input: ReplayInput, isolated: string | null = null): Promise<void> => {
    if (getState().live !== null) return;
    const { setup } = getState();
    forms.close();
    result.close();
    try {
      await ended(await live.run(input, isolated));
    } catch (error) {
      const fault = faultOf(error);
      // What was filled in is not lost by a fault that can be mended there.
      if (setup !== null) reopen(setup);
      if (!closed)
        session.say(
          inConsole(fault.message, session.keyName),
          fault.code === "interrupted" ? "note" : "error",
        );
      await list.load();
    }
  };

  const ask = async (what: string, input: ReplayInput): Promise<void> => {
    const batch = { what, yes: "start" };
    if (await agreeToBatch(session, profile, batch)) await begin(input);
  };

  const start = (setup: SetupState): void => {
    const { source, isolated, ...wanted } = setupInput(setup.form);
    const input = {
      ...CONSOLE_DEFAULTS,
      ...wanted,
      sources: [sourceWord(source, context.home.data)],
      baseline: chosenBaseline(setup, getState().runs, context.home.data)?.id ?? null,
      continues: null,
    };
    // Nothing reaches the service of the profile, so that there is nothing to agree to.
    if (isolated !== null) void begin(input, isolated);
    else void ask(batchSummary(setup.preflight, profile.amountUnit), input);
  };

  return {
    ...forms,
    ...list,
    ...result,
    store,
    /** Opens the form of a new replay. */
    async setUp() {
      const { runs, baselineId } = getState();
      if (!(await forms.open({ runs, baseline: baselineId }))) return;
      result.close();
    },
    /** Opens the form of a replay of items of the chosen run that failed or changed. */
    async again() {
      const { runs, flips } = getState();
      const run = chosenRun(getState());
      const [first, ...others] = run === null ? [] : againWords(run, flips.get(run.id));
      if (run === null || first === undefined) return session.say(NONE_AGAIN, "note");
      const again = { run, words: [first, ...others] as const };
      if (await forms.open({ runs, baseline: null, again })) result.close();
    },
    /** Opens the selected run, compared with what it was compared with. */
    open() {
      const run = chosenRun(getState());
      if (run !== null) void show(run, run.baseline);
    },
    /** Opens the later one of the chosen run and the marked one, compared with the other; the mark ends. */
    compare() {
      const { markedId, runs } = getState();
      const chosen = chosenRun(getState());
      const marked = runs.find(({ id }) => id === markedId);
      if (chosen === null || marked === undefined || marked.id === chosen.id) return;
      setState({ markedId: null });
      const [earlier, later] = [marked, chosen].toSorted((one, other) => one.at - other.at);
      void show(later!, earlier!.id);
    },
    /** From a finding to its run, from there to the list, from there to all runs, and away from a mark. False when there is nothing to leave. */
    back() {
      if (result.back()) return true;
      const { filter, markedId } = getState();
      if (filter !== "") list.setFilter("");
      else if (markedId !== null) setState({ markedId: null });
      else return false;
      return true;
    },
    /** Begins a replay of a source; the screen shows it. */
    sendAgain({ source, ...wanted }: SendAgain) {
      void begin({ ...CONSOLE_DEFAULTS, ...wanted, sources: [source], baseline: null, continues: null });
    },
    /** Why none can be begun now; null when one can. */
    whyNotNow: () =>
      getState().live === null
        ? null
        : `A replay is under way; ${session.keyName("shell.replay")} shows it, and ${session.keyName("replay.live.cancel")} there cancels it.`,
    togglePause: () => live.togglePause(),
    /** Asks whether to cancel the replay under way. */
    async askCancel() {
      const under = getState().live;
      if (under === null || under.progress?.state === "stopping") return;
      if (await session.agree(askLeave(under))) live.cancel();
    },
    /** Cancels without asking. False when none is under way, or it was cancelled already. */
    cancel: () => live.cancel(),
    /** Continues the run that is selected or shown. */
    async goOn() {
      const run = chosenRun(getState());
      const why = whyNotGoOn(getState(), profile.name, session.keyName);
      if (run === null || why !== null) return session.say(why ?? "", "note");
      const input = {
        ...CONSOLE_DEFAULTS,
        sources: [],
        project: undefined,
        concurrency: undefined,
        ratePerS: undefined,
        baseline: null,
        continues: run.id,
        freshOrderIds: run.freshOrderIds,
      };
      void ask("Send the rest of the run", input);
    },
    /** Items sent by replays in this session, and the run that was left unfinished. */
    sent(): { readonly items: number; readonly partial: string | null } {
      // One that has not ended when the console is left has to be continued as well.
      const { live: now } = getState();
      const open = now === null || now.isIsolated ? null : (now.header?.id ?? now.continues);
      return { items: live.sent(), partial: open ?? partial };
    },
    /** Cancels what is under way and waits for its end. */
    async close() {
      closed = true;
      list.close();
      result.close();
      stopSaying();
      stopZooming();
      forms.close();
      await live.close();
    },
  };
}

/** The verbs never reject for a fault, which is shown as a toast. */
export type Replays = ReturnType<typeof createReplays>;

/** Shows a line about the replay under way on every screen but its own. @returns how to stop */
function sayElsewhere(session: Session, { getState, subscribe }: StoreApi<ReplaysState>): () => void {
  let isSaid = false;
  const say = (): void => {
    const { live } = getState();
    if (live !== null && session.store.getState().screen !== "replay") {
      session.setBusy(busyText(live, session.keyName));
      isSaid = true;
    } else if (isSaid) {
      session.setBusy(null);
      isSaid = false;
    }
  };
  const stops = [
    subscribe((now, before) => {
      if (now.live !== before.live) say();
    }),
    session.store.subscribe((now, before) => {
      if (now.screen !== before.screen) say();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
