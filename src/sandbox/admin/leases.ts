// The life of an embedded sandbox: it ends a while after its last user has gone.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

export interface Leases {
  readonly count: number;
  /** One more user. Returns what must be called once that user is gone; calling it twice does nothing. */
  take(): () => void;
  /** No end is pending any more. */
  stop(): void;
}

/** How long an embedded sandbox outlives its last lease, or waits for its first one. */
export const LEASE_GRACE_MS: Milliseconds = 10_000;

/** @param onEnd called once, when nobody has held a lease for `graceMs`; null for a sandbox that lives on its own */
export function createLeases(graceMs: Milliseconds, onEnd: (() => void) | null): Leases {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    if (onEnd !== null) timer = setTimeout(onEnd, graceMs);
  }
  wait();

  return {
    get count() {
      return count;
    },
    take() {
      count += 1;
      clearTimeout(timer);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        count -= 1;
        if (count === 0) wait();
      };
    },
    stop() {
      clearTimeout(timer);
      onEnd = null;
    },
  };
}
