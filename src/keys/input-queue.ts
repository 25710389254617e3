// The queue of input events: after an event that was used, the next one waits until its change is drawn.

import type { Arrival } from "./unmarked-paste.ts";

/** Calls `done` once, when every change made before is drawn and its layers are open. */
export type Barrier = (done: () => void) => void;

export interface InputQueue {
  push(arrival: Arrival): void;
  /** Puts the rest of the current event at the front of the queue. */
  putBack(arrival: Arrival): void;
  /** Says how to wait until the change that a handler made is drawn; without it nothing waits. */
  setBarrier(barrier: Barrier | null): void;
}

/** @param give handles one event; true when it was used */
export function createInputQueue(give: (arrival: Arrival) => boolean): InputQueue {
  const queue: Arrival[] = [];
  let barrier: Barrier | null = null;
  let waiting = false;
  let draining = false;
  /** Generation of the barrier: a callback of a replaced barrier is ignored. */
  let turn = 0;

  function drain(): void {
    if (draining) return;
    draining = true;
    try {
      while (!waiting) {
        const next = queue.shift();
        if (next === undefined) return;
        if (give(next) && barrier !== null) wait(barrier);
      }
    } finally {
      draining = false;
    }
  }

  function wait(until: Barrier): void {
    const mine = (turn += 1);
    waiting = true;
    until(() => {
      if (mine === turn) resume();
    });
  }

  function resume(): void {
    if (!waiting) return;
    turn += 1;
    waiting = false;
    drain();
  }

  return {
    push(arrival) {
      queue.push(arrival);
      drain();
    },
    putBack: (arrival) => void queue.unshift(arrival),
    setBarrier(next) {
      barrier = next;
      // The callback of the old barrier will not come: its component is unmounted.
      resume();
    },
  };
}
