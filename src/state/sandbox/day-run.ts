// A day of payments that runs past: how many so far, what stops it, and the payment that is named. Independent of a clock.

import type { StreamFrame } from "#src/actions/sandbox/demo.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { After } from "#src/state/timers.ts";
import { daySums } from "./day-sums.ts";

export interface DayRunState {
  /** Payments that have run past. */
  readonly shown: number;
  readonly runs: boolean;
  /** Place of the payment that is named; null for none, as at the end until one is asked for. */
  readonly named: number | null;
  /** Times as fast as the deck says. */
  readonly speed: number;
}

/** Ten frames a second at most. */
const TICK: Milliseconds = 100;
/** A payment is named for so long that it can be read. */
const NAMED_TICKS = 15;
const SLOWEST = 1 / 8;
const FASTEST = 16;

/** The end of a day. */
export function dayAtEnd({ day }: StreamFrame): DayRunState {
  return { shown: day.payments.length, runs: false, named: null, speed: 1 };
}

/** @param show takes the state; null where no day is shown. @param onHalt called when it stops by itself: at a case, or at the end */
export function createDayRun(after: After, show: (state: DayRunState | null) => void, onHalt: () => void) {
  let frame: StreamFrame | null = null;
  let state: DayRunState = { shown: 0, runs: false, named: null, speed: 1 };
  /** As `shown`, with the part of a payment that a tick may end in. */
  let passed = 0;
  let namedFor = 0;
  let callOff: (() => void) | null = null;

  function set(change: Partial<DayRunState>): void {
    state = { ...state, ...change };
    show(state);
  }

  function leave(): void {
    callOff?.();
    callOff = null;
    frame = null;
    show(null);
  }

  function schedule(): void {
    callOff = after(TICK, tick);
  }

  function tick(): void {
    callOff = null;
    if (frame === null) return;
    const { payments, stops } = frame.day;
    const { shown, speed } = state;
    passed = Math.min(payments.length, passed + (payments.length * TICK * speed) / frame.overMs);
    const reached = Math.floor(passed + 1e-6);
    const asked = stops.find((place) => place >= shown && place < reached);
    if (asked !== undefined) {
      stop(asked);
      return onHalt();
    }
    namedFor += 1;
    const last = daySums(payments).lastChange(reached);
    const isNew = last !== null && last !== state.named && (state.named === null || namedFor >= NAMED_TICKS);
    if (isNew) namedFor = 0;
    const ended = reached >= payments.length;
    set({ shown: reached, runs: !ended, named: ended ? null : isNew ? last : state.named });
    if (ended) onHalt();
    else schedule();
  }

  /** Stops right after a payment, and names it; null to stop where it is. */
  function stop(place: number | null): void {
    callOff?.();
    callOff = null;
    if (place === null) return set({ runs: false });
    passed = place + 1;
    set({ shown: passed, runs: false, named: place });
  }

  return {
    /** Runs a day from its beginning. */
    start(next: StreamFrame) {
      leave();
      frame = next;
      passed = 0;
      namedFor = 0;
      set({ shown: 0, runs: true, named: null, speed: state.speed });
      schedule();
    },
    /** Shows a day as it ended. */
    showEnd(next: StreamFrame) {
      leave();
      frame = next;
      set({ ...dayAtEnd(next), speed: state.speed });
    },
    /** Stops running, and shows no day. */
    leave,
    /** Stops at the next payment whose verdicts differ, or where it is when there is none, and goes on. */
    toggle() {
      if (frame === null) return;
      const { payments } = frame.day;
      if (!state.runs) {
        if (state.shown >= payments.length) return;
        set({ runs: true });
        return schedule();
      }
      stop(daySums(payments).nextChange(state.shown));
    },
    /** Names the next payment whose verdicts differ, and stops there; at the end of the day the sums stay. */
    nextCase() {
      if (frame === null) return;
      const { payments } = frame.day;
      const { nextChange } = daySums(payments);
      if (state.shown < payments.length) {
        const next = nextChange(state.shown);
        if (next !== null) stop(next);
        return;
      }
      set({ named: nextChange((state.named ?? -1) + 1) });
    },
    /** @param times by which it gets faster */
    faster(times: number) {
      set({ speed: Math.min(FASTEST, Math.max(SLOWEST, state.speed * times)) });
    },
  };
}

export type DayRun = ReturnType<typeof createDayRun>;
