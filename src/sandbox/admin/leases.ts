// Leases on an embedded sandbox, which stops a while after its last one has ended.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

export type Leases = ReturnType<typeof createLeases>;

/** How long an embedded sandbox outlives its last lease, or waits for its first one. */
export const LEASE_GRACE_MS: Milliseconds = 10_000;

/** @param onEnd called once, after `graceMs` without a lease; null for a standalone sandbox */
export function createLeases(graceMs: Milliseconds, onEnd: (() => void) | null) {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    if (onEnd !== null) timer = setTimeout(onEnd, graceMs);
  }
  wait();

  return {
    get count(): number {
      return count;
    },
    /** Takes a lease. Returns the function that ends it; further calls do nothing. */
    take(): () => void {
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
    /** Cancels a pending stop. */
    stop(): void {
      clearTimeout(timer);
      onEnd = null;
    },
  };
}
