// Runs one deck on a temporary sandbox, one check per step.

import { maskOf } from "#src/actions/sandbox/demo-frame.ts";
import type { StoreApi } from "zustand/vanilla";
import {
  frameCount,
  type Deck,
  type Demo,
  type DemoFrame,
  type OpenedDemo,
} from "#src/actions/sandbox/demo.ts";
import type { OpenEphemeral } from "#src/app/ephemeral.ts";
import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { DayRunState } from "./day-run.ts";

/** What would flip the verdict, or the same payment with other amounts. */
export type DemoQuestion = "flips" | "amounts";

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
  /** Frames of the deck: one a check, and one for a day that runs past. */
  readonly checks: number;
  /** What is shown: 0 the title, then frame by frame, and behind the last one what came out of all. */
  readonly at: number;
  /** A check is under way. */
  readonly sending: boolean;
  /** Number of a step on the way to which checks are sent and not shown; null for none. */
  readonly goingTo: number | null;
  /** Percent of a day that is decided while the deck is opened; null while none is. */
  readonly progress: number | null;
  /** The presenter's notes are shown. */
  readonly notes: boolean;
  /** The screen is recorded: it shows no notes. */
  readonly recorded: boolean;
  /** Seconds after which it goes forward by itself, or as long as a step takes to read; null only by hand. */
  readonly autoS: number | "reading" | null;
  readonly paused: boolean;
  /** What the audience asked about the frame that is shown; null for nothing. */
  readonly asked: DemoQuestion | null;
  /** About which side, from 0, where several answers stand side by side. */
  readonly askedSide: number;
  /** Which page of its answer is shown, from 0; behind the last one comes the first. */
  readonly askedPage: number;
  /** How far the day that is shown has run past; null where none is. */
  readonly day: DayRunState | null;
  /** When it goes forward by itself; null while it does not. */
  readonly nextAt: Milliseconds | null;
  /** Why it cannot go on, in one sentence; null while it can. */
  readonly failed: string | null;
}

/** No deck runs. */
export const IDLE = {
  deck: null,
  opening: false,
  frames: [],
  checks: 0,
  at: 0,
  sending: false,
  goingTo: null,
  progress: null,
  paused: false,
  asked: null,
  askedSide: 0,
  askedPage: 0,
  day: null,
  nextAt: null,
  failed: null,
} as const;

/** One deck that runs, until it is ended or started again. */
interface Run {
  readonly stopping: AbortController;
  demo: Demo | null;
}

/** @param onStep called when the sandbox is there, and after each check */
export function createDeckRun(openEphemeral: OpenEphemeral, store: StoreApi<DemoState>, onStep: () => void) {
  const { getState: get, setState: set } = store;
  /** Sandboxes that are being ended, or still run. */
  const endings = new Set<Promise<void>>();
  let run: Run | null = null;

  function start(deck: Deck): void {
    stop();
    const mine: Run = { stopping: new AbortController(), demo: null };
    run = mine;
    set({ ...IDLE, deck, checks: frameCount(deck), opening: true });
    endings.add(live(mine, deck));
  }

  /** From the start of a sandbox to its end. */
  async function live(mine: Run, deck: Deck): Promise<void> {
    const { signal } = mine.stopping;
    let opened: OpenedDemo | null = null;
    try {
      const { openDemo } = await import("#src/actions/sandbox/demo.ts");
      mine.demo = opened = await openDemo(openEphemeral, deck, signal, {
        onDecided(share) {
          const progress = Math.floor(share * 100);
          if (run === mine && progress !== get().progress) set({ progress });
        },
      });
      if (run === mine) {
        set({ opening: false, progress: null });
        onStep();
      }
      await aborted(signal);
    } catch (error) {
      if (run === mine) fail(error);
      else if (!(systemFault(error) instanceof Fault)) throw error;
    } finally {
      await opened?.end();
    }
  }

  function stop(): void {
    run?.stopping.abort();
    run = null;
  }

  /** @throws what is no fault, but a defect */
  function fail(error: unknown): void {
    const fault = systemFault(error);
    if (!(fault instanceof Fault)) throw error;
    const { deck } = get();
    const failed = deck === null ? fault.message : maskOf(deck)(fault.message);
    set({ opening: false, sending: false, goingTo: null, progress: null, failed });
  }

  async function send(isWanted: (frame: DemoFrame) => boolean = () => true): Promise<void> {
    const mine = run;
    if (mine?.demo == null) return;
    set({ sending: true });
    const frames = [...get().frames];
    try {
      let frame: DemoFrame | null;
      do {
        frame = await mine.demo.forward(mine.stopping.signal);
        if (run !== mine) return;
        if (frame !== null) frames.push(frame);
      } while (frame !== null && !isWanted(frame));
      set({ frames, at: frames.length, sending: false, goingTo: null });
    } catch (error) {
      if (run === mine) fail(error);
      else if (!(systemFault(error) instanceof Fault)) throw error;
    }
    if (run === mine) onStep();
  }

  return {
    /** Runs a deck from its beginning, in place of the one before. */
    start,
    stop,
    /** False until the sandbox of the deck is there. */
    isReady: () => run?.demo != null,
    /** Sends the next checks until a frame is wanted, and shows that one. */
    send,
    /** Shows why the deck cannot go on. @throws the error itself when it is a defect */
    fail,
    /** Resolves when every sandbox is ended and removed. */
    async close() {
      stop();
      await Promise.allSettled(endings);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
