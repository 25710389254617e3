// The presenter's deck: which one runs, what was computed of it, and which frame the audience sees. It has a sandbox of its
// own; nothing of the session's profile is read or written.

import { createStore, type StoreApi } from "zustand/vanilla";
import {
  checkCount,
  type Deck,
  type Demo,
  type DemoFrame,
  type DemoOpening,
} from "#src/actions/sandbox/demo.ts";
import type { Ephemeral } from "#src/app/ephemeral.ts";
import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { presentedSurprise } from "#src/display/presented.ts";
import type { ScreenName, Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";

export type { Deck, DemoFrame, DemoOpening } from "#src/actions/sandbox/demo.ts";

export interface DemoState {
  /** Decks to choose from; empty until they are read. */
  readonly choices: readonly Deck[];
  readonly selected: number;
  /** The deck that runs; null while one is chosen. */
  readonly deck: Deck | null;
  /** Its sandbox is being started, and its projects are registered. */
  readonly opening: boolean;
  /** Frames that were computed, one a check. */
  readonly frames: readonly DemoFrame[];
  /** Checks of the deck. */
  readonly checks: number;
  /** What is shown: 0 the title, then frame by frame, and behind the last one what came out of all. */
  readonly at: number;
  /** A check is under way. */
  readonly sending: boolean;
  /** The presenter's notes are shown. */
  readonly notes: boolean;
  /** Seconds after which it goes forward by itself; null only by hand. */
  readonly autoS: number | null;
  readonly paused: boolean;
  /** Why it cannot go on, in one sentence; null while it can. */
  readonly failed: string | null;
}

export interface DemoStage {
  readonly store: StoreApi<DemoState>;
  /** Opens the screen: on a deck, or on the choice of one. */
  open(opening?: DemoOpening): void;
  select(move: number | "first" | "last"): void;
  /** Runs the selected deck. */
  choose(): void;
  /** The next frame: one that was computed already, or by a check. */
  forward(): void;
  back(): void;
  first(): void;
  /** From the beginning, on a fresh sandbox. */
  restart(): void;
  toggleNotes(): void;
  /** Pauses going forward by itself, or goes on. */
  togglePause(): void;
  /** Ends the deck, then the screen. */
  end(): void;
  /** Frames whose verdict is not what the deck expects. */
  unexpected(): readonly DemoFrame[];
  /** For the shell that the user comes back to. */
  summary(): string;
  /** Resolves when every sandbox is ended and removed. */
  close(): Promise<void>;
}

export interface DemoStageOptions {
  /** Runs something later and returns how to call that off; real timers unless told. */
  readonly after?: After;
}

/** One deck that runs, until it is ended or started again. */
interface Run {
  readonly stopping: AbortController;
  demo: Demo | null;
}

const IDLE = {
  deck: null,
  opening: false,
  frames: [],
  checks: 0,
  at: 0,
  sending: false,
  paused: false,
  failed: null,
} as const;

/** Opens a sandbox of its own for a deck; the caller ends it. */
export type OpenEphemeral = (seed: number, startAt: Milliseconds) => Promise<Ephemeral>;

export function createDemoStage(
  openEphemeral: OpenEphemeral,
  session: Session,
  options: DemoStageOptions = {},
): DemoStage {
  const { after = afterTimeout } = options;
  const store = createStore<DemoState>(() => ({
    ...IDLE,
    choices: [],
    selected: 0,
    notes: false,
    autoS: null,
  }));
  const set = (change: Partial<DemoState>): void => store.setState(change);
  const { getState: get } = store;
  /** Sandboxes that are being ended, or still run. */
  const endings = new Set<Promise<void>>();
  let run: Run | null = null;
  let callOff: (() => void) | null = null;
  /** Where to go back to; null where there is nothing but the demo. */
  let before: ScreenName | null = null;
  let chooses = true;

  function openChoice(): void {
    chooses = true;
    stop();
    set(IDLE);
    if (get().choices.length > 0) return;
    import("#src/actions/sandbox/demo-decks.ts").then(
      ({ demoDecks }) => set({ choices: demoDecks() }),
      (error: unknown) => fail(error),
    );
  }

  function start(deck: Deck): void {
    stop();
    const mine: Run = { stopping: new AbortController(), demo: null };
    run = mine;
    set({ ...IDLE, deck, checks: checkCount(deck), opening: true });
    endings.add(live(mine, deck));
  }

  /** From the start of a sandbox to its end. */
  async function live(mine: Run, deck: Deck): Promise<void> {
    const { signal } = mine.stopping;
    let ephemeral: Ephemeral | null = null;
    try {
      ephemeral = await openEphemeral(deck.seed, deck.startAt);
      const { openDemo } = await import("#src/actions/sandbox/demo.ts");
      if (!signal.aborted) mine.demo = await openDemo(ephemeral.context, deck, signal);
      if (run === mine) {
        set({ opening: false });
        plan();
      }
      await aborted(signal);
    } catch (error) {
      if (run === mine) fail(error);
      else if (!(systemFault(error) instanceof Fault)) throw error;
    } finally {
      await ephemeral?.end();
    }
  }

  function stop(): void {
    callOff?.();
    callOff = null;
    run?.stopping.abort();
    run = null;
  }

  /** @throws what is no fault, but a defect */
  function fail(error: unknown): void {
    const fault = systemFault(error);
    if (!(fault instanceof Fault)) throw error;
    set({ opening: false, sending: false, failed: fault.message });
  }

  /** Goes forward by itself later, unless something is done before. */
  function plan(): void {
    callOff?.();
    callOff = null;
    const { autoS, paused, at, checks, deck, opening, failed } = get();
    if (autoS === null || paused || deck === null || opening || failed !== null || at > checks) return;
    callOff = after(autoS * 1000, () => {
      callOff = null;
      stage.forward();
    });
  }

  async function send(mine: Run, demo: Demo): Promise<void> {
    set({ sending: true });
    try {
      const frame = await demo.forward(mine.stopping.signal);
      if (run !== mine) return;
      if (frame !== null) set({ frames: [...get().frames, frame], at: get().frames.length + 1 });
      set({ sending: false });
    } catch (error) {
      if (run === mine) fail(error);
      else if (!(systemFault(error) instanceof Fault)) throw error;
    }
    if (run === mine) plan();
  }

  const stage: DemoStage = {
    store,
    open(opening) {
      const { screen } = session.store.getState();
      before = opening !== undefined ? null : screen === "demo" ? before : screen;
      set({ autoS: opening?.autoS ?? null, notes: opening?.notes ?? false });
      session.go("demo");
      if (opening === undefined || opening.deck === null) return openChoice();
      chooses = false;
      start(opening.deck);
    },
    select(move) {
      const last = get().choices.length - 1;
      const to = move === "first" ? 0 : move === "last" ? last : get().selected + move;
      set({ selected: Math.max(0, Math.min(last, to)) });
    },
    choose() {
      const { choices, selected } = get();
      const chosen = choices[selected];
      if (chosen !== undefined) start(chosen);
    },
    forward() {
      const { at, frames, checks, sending, opening, failed } = get();
      if (run?.demo == null || sending || opening || failed !== null || at > checks) return;
      if (at === frames.length && at < checks) void send(run, run.demo);
      else {
        set({ at: at + 1 });
        plan();
      }
    },
    back() {
      if (get().sending) return;
      set({ at: Math.max(0, get().at - 1) });
      plan();
    },
    first() {
      if (get().sending) return;
      set({ at: 0 });
      plan();
    },
    restart() {
      const { deck } = get();
      if (deck !== null) start(deck);
    },
    toggleNotes: () => set({ notes: !get().notes }),
    togglePause() {
      set({ paused: !get().paused });
      plan();
    },
    end() {
      if (get().deck !== null && chooses) openChoice();
      else if (before === null) session.quit();
      else {
        stop();
        set(IDLE);
        session.go(before);
      }
    },
    unexpected: () => get().frames.filter(({ asExpected }) => asExpected === false),
    summary() {
      const wrong = stage.unexpected().map((frame) => presentedSurprise(frame));
      return ["The demo ran on a sandbox of its own, which is removed.", ...wrong].join("\n");
    },
    async close() {
      stop();
      await Promise.allSettled(endings);
    },
  };
  return stage;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
