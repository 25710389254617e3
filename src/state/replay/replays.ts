// What the Replay screen remembers: the runs, the form of a new one, the one under way, and the result that is looked at.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { keyName } from "#src/display/key-name.ts";
import { faultOf, guarded } from "#src/state/guarded.ts";
import { askBeforeBatch } from "#src/state/live-fence.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { createLiveReplays, type LiveReplay } from "./live-replay.ts";
import { replayEngine, type Replayed, type ReplayEngine, type ReplayInput } from "./replay-engine.ts";
import { createReplayForms, type ReplayForms, type SetupState } from "./replay-form.ts";
import { askReport } from "./replay-questions.ts";
import {
  closeFinding,
  openedResult,
  openFinding,
  selectFinding,
  turnGroup,
  withRead,
  type ReplayResult,
} from "./replay-result.ts";
import { setupInput, sourceWord, type SetupInput } from "./replay-setup.ts";
import { askLeave, busyText, endedText, toldFirst } from "./replay-words.ts";

export interface ReplaysState {
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  /** False until the runs have been read for the first time. */
  readonly loaded: boolean;
  /** Why the runs could not be read. */
  readonly fault: string | null;
  /** Flips of the runs that were compared in this session, each with its own baseline. */
  readonly flips: ReadonlyMap<string, number>;
  readonly selectedId: string | null;
  /** The run that the next one that is opened is compared with. */
  readonly markedId: string | null;
  /** The run that the next replay is compared with. */
  readonly baselineId: string | null;
  /** The form of a new replay; null while it is not open. */
  readonly setup: SetupState | null;
  readonly live: LiveReplay | null;
  /** The run that is looked at; null for the list. */
  readonly result: ReplayResult | null;
}

/** A replay that is begun from another screen, where it was asked about already. */
export type SendAgain = Omit<SetupInput, "baseline">;

/** The verbs never reject for a fault, which is said in a toast. */
export interface Replays extends Pick<ReplayForms, "move" | "key" | "enter" | "leave"> {
  readonly store: StoreApi<ReplaysState>;
  /** Reads the list anew. */
  load(): Promise<void>;
  select(move: number | "first" | "last"): void;
  /** Opens the form of a new replay. */
  setUp(): Promise<void>;
  /** Enter in the form: the next field, or the start, which is asked about away from the sandbox. */
  submit(): Promise<void>;
  /** Opens the selected run, compared with the marked one if there is one. */
  open(): void;
  /** Enter on a finding shows both sides. */
  openFinding(): void;
  /** From a finding to its run, from there to the list, from there away from a mark. False when there is nothing to leave. */
  back(): boolean;
  turnGroup(step: 1 | -1): void;
  selectFinding(move: number | "first" | "last"): void;
  scrollTo(line: number): void;
  /** Begins a replay of a source; the screen shows it. */
  sendAgain(wanted: SendAgain): void;
  /** Why none can be begun now; null when one can. */
  whyNotNow(): string | null;
  turnPause(): void;
  /** Asks whether to cancel the replay under way. */
  askCancel(): void;
  /** Cancels without asking. False when none is under way, or it was told already. */
  cancel(): boolean;
  /** Goes on with the run that is selected or looked at. */
  goOn(): Promise<void>;
  /** Asks whether to remove the run that is selected or looked at. */
  remove(): void;
  /** Takes that run as the baseline of the next replay, or no longer. */
  turnBaseline(): void;
  /** Marks that run to be compared with, or no longer. */
  turnMark(): void;
  /** Asks where to write a report of the run that is looked at. */
  askReport(): void;
  /** Items sent by replays in this session, and the run that was left unfinished. */
  sent(): { readonly items: number; readonly partial: string | null };
  /** Cancels what is under way and waits for its end. */
  close(): Promise<void>;
}

export interface ReplaysOptions {
  /** Runs something later and returns how to call that off; real timers unless told. */
  readonly after?: After;
  readonly engine?: ReplayEngine;
}

/** What the console asks of every replay; it stops after so many items in a row without a trustworthy verdict. */
const SAME = { strict: false, stopAfterFailures: 20, stdin: null } as const;

/** Flips are counted for the list as far as that is cheap. */
const FLIPS_COUNTED = { runs: 50, items: 2_000 };

/** The run that keys act on: the one that is looked at, else the selected one. */
export function chosenRun({ result, runs, selectedId }: ReplaysState): RunInfo | null {
  return result?.info ?? runs.find(({ id }) => id === selectedId) ?? null;
}

/** Why the chosen run cannot be gone on with; null when it can. */
export function whyNotGoOn(state: ReplaysState, profile: string): string | null {
  const run = chosenRun(state);
  if (run === null) return "There is no run to go on with.";
  if (run.state === "complete") return `The run is complete; ${keyName("replay.new", "n")} begins a new one.`;
  return run.profile === profile
    ? null
    : "The run belongs to another profile; open the console with that one.";
}

export function createReplays(context: Context, session: Session, options: ReplaysOptions = {}): Replays {
  const { after = afterTimeout, engine = replayEngine(context) } = options;
  const store = createStore<ReplaysState>(() => ({
    runs: [],
    loaded: false,
    fault: null,
    flips: new Map(),
    selectedId: null,
    markedId: null,
    baselineId: null,
    setup: null,
    live: null,
    result: null,
  }));
  const { getState, setState } = store;
  const data = context.home.data;
  const { profile } = context;
  let closed = false;
  let partial: string | null = null;
  /** The last result that was begun to be read; what comes of an earlier one is out of date. */
  let turn = 0;

  /** Runs whose flips were counted, or were tried to be. */
  const counted = new Set<string>();

  const live = createLiveReplays(engine.start, after);
  live.store.subscribe((now) => {
    setState({ live: now.live });
    sayBusy();
  });
  const forms = createReplayForms(context, session, engine, after);
  forms.store.subscribe((now) => setState({ setup: now.setup }));

  /** Elsewhere a line tells of the replay; on its own screen it would say everything twice. */
  let saidBusy = false;
  const sayBusy = (): void => {
    const away = session.store.getState().screen !== "replay";
    const under = getState().live;
    if (under !== null && away && !closed) {
      session.setBusy(busyText(under));
      saidBusy = true;
    } else if (saidBusy) {
      session.setBusy(null);
      saidBusy = false;
    }
  };
  const stopWatching = session.store.subscribe((now, before) => {
    if (now.screen !== before.screen) sayBusy();
  });

  const changeResult = (change: (result: ReplayResult) => ReplayResult): void =>
    setState(({ result }) => ({ result: result && change(result) }));

  const load = async (): Promise<void> => {
    try {
      const runs = await engine.list();
      setState(({ selectedId, markedId, baselineId }) => ({
        runs,
        loaded: true,
        fault: null,
        selectedId: known(runs, selectedId) ?? runs[0]?.id ?? null,
        markedId: known(runs, markedId),
        baselineId: known(runs, baselineId),
      }));
      await countFlips();
    } catch (error) {
      setState({ loaded: true, fault: faultOf(error).message });
    }
  };

  /** A run of which nothing could be compared has no flips to tell of, not even none. */
  const keepFlips = (id: string, { changes, compared }: Comparison): void =>
    setState(({ flips }) => {
      const kept = new Map(flips);
      if (compared > 0) kept.set(id, changes.flipped);
      else kept.delete(id);
      return { flips: kept };
    });

  /** Compares the small runs of the list one after the other, so that it tells where something has changed. */
  const countFlips = async (): Promise<void> => {
    const wanted = getState()
      .runs.slice(0, FLIPS_COUNTED.runs)
      .filter(
        ({ id, summary }) => !counted.has(id) && (summary?.counts.total ?? Infinity) <= FLIPS_COUNTED.items,
      );
    for (const { id } of wanted) counted.add(id);
    for (const { id, baseline } of wanted) {
      if (closed) return;
      try {
        keepFlips(id, await engine.compare(id, baseline));
      } catch (error) {
        // Its baseline may be gone; the list shows that nothing is known.
        faultOf(error);
      }
    }
  };

  const show = async (info: RunInfo, baseline: string | null): Promise<void> => {
    const mine = (turn += 1);
    setState({ result: openedResult(info, baseline) });
    const read = async (): Promise<ReplayResult> => {
      const result = openedResult(info, baseline);
      const rows = await engine.rows(info);
      try {
        return withRead(result, await engine.compare(info.id, baseline), rows);
      } catch (error) {
        return withRead(result, null, rows, faultOf(error).message);
      }
    };
    const result = await guarded(session, read);
    if (mine !== turn) return;
    setState({ result });
    if (result?.comparison != null && baseline === info.baseline) keepFlips(info.id, result.comparison);
  };

  const ended = async (replayed: Replayed): Promise<void> => {
    const { info, comparison, stopped, notSaved } = replayed;
    partial = info.state === "partial" ? info.id : partial === info.id ? null : partial;
    if (closed) return;
    const { screen } = session.store.getState();
    const well = stopped !== "tripped" && notSaved === null;
    session.say(endedText(replayed, screen !== "replay"), well ? "done" : "error");
    setState({ selectedId: info.id });
    counted.add(info.id);
    keepFlips(info.id, comparison);
    await Promise.all([load(), show(info, info.baseline)]);
  };

  const begin = async (input: ReplayInput): Promise<void> => {
    if (getState().live !== null) return;
    turn += 1;
    const { setup } = getState();
    forms.close();
    setState({ result: null });
    try {
      await ended(await live.run(input));
    } catch (error) {
      const fault = faultOf(error);
      // What was filled in is not lost by a fault that can be mended there.
      if (setup !== null) forms.reopen(setup);
      if (!closed) session.say(fault.message, fault.code === "interrupted" ? "note" : "error");
      await load();
    }
  };

  const ask = (what: string, input: ReplayInput): void =>
    askBeforeBatch(session, profile, {
      title: "Start the replay",
      what,
      yes: "Start",
      run: () => void begin(input),
    });

  const start = ({ form, survey }: SetupState): void => {
    const { source, ...wanted } = setupInput(form, getState().runs);
    const input = { ...SAME, ...wanted, sources: [sourceWord(source, data)], continues: null };
    ask(toldFirst(survey, profile.amountUnit), input);
  };

  const removeNow = async (run: RunInfo): Promise<void> => {
    const removed = await guarded(session, async () => {
      await engine.remove(run.id);
      return true;
    });
    if (removed === null) return;
    const { runs } = getState();
    const at = runs.findIndex(({ id }) => id === run.id);
    turn += 1;
    setState({ selectedId: (runs[at + 1] ?? runs[at - 1])?.id ?? null, result: null });
    if (partial === run.id) partial = null;
    await load();
    session.say("The run is removed.", "done");
  };

  return {
    store,
    load,
    select(move) {
      const { runs, selectedId } = getState();
      const at = runs.findIndex(({ id }) => id === selectedId);
      const wanted = move === "first" ? 0 : move === "last" ? runs.length - 1 : at + move;
      const run = runs[Math.min(Math.max(0, wanted), runs.length - 1)];
      if (run !== undefined) setState({ selectedId: run.id });
    },
    async setUp() {
      const { runs, baselineId } = getState();
      if (!(await forms.open({ runs, baseline: baselineId }))) return;
      turn += 1;
      setState({ result: null });
    },
    move: forms.move,
    key: forms.key,
    enter: forms.enter,
    leave: forms.leave,
    submit: () => forms.submit(start),
    open() {
      const { runs, selectedId, markedId } = getState();
      const run = runs.find(({ id }) => id === selectedId);
      if (run === undefined) return;
      void show(run, markedId === null || markedId === run.id ? run.baseline : markedId);
    },
    openFinding: () => changeResult(openFinding),
    back() {
      const { result, markedId } = getState();
      if (result?.opened != null) changeResult(closeFinding);
      else if (result !== null) {
        turn += 1;
        setState({ result: null });
      } else if (markedId !== null) setState({ markedId: null });
      else return false;
      return true;
    },
    turnGroup: (step) => changeResult((result) => turnGroup(result, step)),
    selectFinding: (move) => changeResult((result) => selectFinding(result, move)),
    scrollTo: (line) => changeResult((result) => ({ ...result, scroll: Math.max(0, line) })),
    sendAgain({ source, ...wanted }) {
      void begin({ ...SAME, ...wanted, sources: [source], baseline: null, continues: null });
    },
    whyNotNow: () =>
      getState().live === null
        ? null
        : `A replay is under way; ${keyName("shell.replay", "5")} shows it, and ${keyName("replay.live.cancel", "Esc")} there cancels it.`,
    turnPause: () => live.turnPause(),
    askCancel() {
      const under = getState().live;
      if (under === null || under.progress?.state === "stopping") return;
      session.confirm({ ...askLeave(under), onYes: () => void live.cancel() });
    },
    cancel: () => live.cancel(),
    async goOn() {
      const run = chosenRun(getState());
      const why = whyNotGoOn(getState(), profile.name);
      if (run === null || why !== null) return session.say(why ?? "", "note");
      const input = {
        ...SAME,
        sources: [],
        project: undefined,
        concurrency: undefined,
        ratePerS: undefined,
        baseline: null,
        continues: run.id,
        freshOrderIds: run.freshOrderIds,
      };
      ask("Send the rest of the run", input);
    },
    remove() {
      const run = chosenRun(getState());
      if (run === null) return session.say("There is no run to remove.", "note");
      const items = run.summary === null ? "" : ` and its ${run.summary.counts.total} verdicts`;
      session.confirm({
        title: "Remove the run",
        text: `Remove the run ${run.id}${items} for good?`,
        yes: "Remove",
        onYes: () => void removeNow(run),
      });
    },
    turnBaseline() {
      const run = chosenRun(getState());
      if (run === null) return;
      const taken = getState().baselineId === run.id;
      setState({ baselineId: taken ? null : run.id });
      session.say(
        taken
          ? "The next replay is compared with what the payloads carried."
          : `The next replay is compared with this run; ${keyName("replay.new", "n")} begins it.`,
        "note",
      );
    },
    turnMark() {
      const run = chosenRun(getState());
      if (run === null) return;
      const markedId = getState().markedId === run.id ? null : run.id;
      setState({ markedId });
      if (markedId !== null)
        session.say(
          `Open another run with ${keyName("replay.open", "Enter")} to compare it with this one.`,
          "note",
        );
    },
    askReport() {
      const { result } = getState();
      if (result !== null) askReport(session, engine, result);
    },
    sent: () => ({ items: live.sent(), partial }),
    async close() {
      closed = true;
      turn += 1;
      stopWatching();
      forms.close();
      await live.close();
    },
  };
}

function known(runs: readonly RunInfo[], id: string | null): string | null {
  return runs.some((run) => run.id === id) ? id : null;
}
