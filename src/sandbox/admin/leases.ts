// Leases on an embedded sandbox, which stops a while after its last one has ended.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

export interface Leases {
  readonly count: number;
  /** Takes a lease. Returns the function that ends it; further calls do nothing. */
  take(): () => void;
  /** Cancels a pending stop. */
  stop(): void;
}

/** How long an embedded sandbox outlives its last lease, or waits for its first one. */
export const LEASE_GRACE_MS: Milliseconds = 10_000;

/** @param onEnd called once, after `graceMs` without a lease; null for a standalone sandbox */
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
