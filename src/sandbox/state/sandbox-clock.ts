// The sandbox's two clocks: the real one (signature window, replay cache, Date) and the virtual one (credential
// window, counters, card expiry, decision time), which can be frozen and moved.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ClockChange, ClockReading } from "#src/contract/wire/sandbox-wire.ts";

/** What must survive a restart. */
export interface ClockState {
  /** Virtual minus real time; meaningless while frozen. */
  readonly offsetMs: Milliseconds;
  readonly frozenAt: Milliseconds | null;
  /** High-water mark: the latest virtual time ever read, so that a real clock that goes back cannot take it back. */
  readonly highWater: Milliseconds;
}

export type SandboxClock = ReturnType<typeof createSandboxClock>;

/** That shows a time now. */
export function clockAt(virtual: Milliseconds, realNow: Milliseconds, isFrozen: boolean): ClockState {
  return { offsetMs: virtual - realNow, frozenAt: isFrozen ? virtual : null, highWater: virtual };
}

/** @param saved null at the first start, when virtual time begins at `startAt`, or at the real time */
export function createSandboxClock(
  saved: ClockState | null,
  startAt: Milliseconds | undefined,
  realNow: () => Milliseconds,
) {
  let state: ClockState = saved ?? clockAt(startAt ?? realNow(), realNow(), false);

  function now(): Milliseconds {
    const computed = state.frozenAt ?? realNow() + state.offsetMs;
    if (computed > state.highWater) state = { ...state, highWater: computed };
    return state.highWater;
  }

  const at = (virtual: Milliseconds, isFrozen = state.frozenAt !== null): ClockState =>
    clockAt(virtual, realNow(), isFrozen);

  return {
    /** Virtual time; only `set` and `reset` move it back. */
    now,
    realNow,
    reading: (): ClockReading => ({
      virtualTime: now(),
      realTime: realNow(),
      frozen: state.frozenAt !== null,
    }),
    state(): ClockState {
      now();
      return state;
    },
    /** The state after a change, without applying it, so that it can be saved first. */
    plan(change: ClockChange): ClockState {
      switch (change.do) {
        case "freeze":
          return at(now(), true);
        case "resume":
          return at(now(), false);
        case "set":
          return at(change.at);
        case "advance":
          return at(now() + change.byMs);
        case "reset":
          return { offsetMs: 0, frozenAt: null, highWater: realNow() };
      }
    },
    apply(next: ClockState): void {
      state = next;
    },
  };
}
