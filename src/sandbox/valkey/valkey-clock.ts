// The clocks of a sandbox that several workers share: real time is the server's, virtual time is the world's.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { createSandboxClock, type ClockState, type SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { Valkey } from "./connection.ts";
import { listOf, wholeOf } from "./replies.ts";
import type { KnownWorld } from "./world.ts";

const MEASURE_MS: Milliseconds = 30_000;
/** The quickest answer is the closest. */
const SAMPLES = 3;

const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null, highWater: 0 };
/** How old the saved high-water mark of the virtual clock may be. */
const SAVE_MS: Milliseconds = 60_000;

/** @throws Fault `storage` */
export async function openServerClock(valkey: Pick<Valkey, "send" | "onAgain">) {
  /** From this process's monotonic clock to the server's. */
  let distance = 0;

  async function measure(): Promise<void> {
    let shortest = Infinity;
    let best = distance;
    for (let i = 0; i < SAMPLES; i += 1) {
      const start = performance.now();
      const [seconds, micros] = listOf(await valkey.send(["TIME"])).map(wholeOf);
      const took = performance.now() - start;
      if (took >= shortest) continue;
      shortest = took;
      best = seconds! * 1000 + micros! / 1000 - start - took / 2;
    }
    distance = best;
  }

  // The distance that was measured is close enough until the server answers again.
  const again = (): void => void measure().catch(() => undefined);
  await measure();
  const timer = setInterval(again, MEASURE_MS).unref();
  valkey.onAgain(again);
  return {
    /** Real time, by the clock of the server; that of this machine does not matter. */
    now: (): Milliseconds => Math.round(performance.now() + distance),
    close: (): void => clearInterval(timer),
  };
}

/**
 * Changes with the world alone: a plan is saved there, and `apply` does nothing.
 * @param realNow that of the server
 */
export function createValkeyClock(
  known: Pick<KnownWorld, "world" | "onChange">,
  realNow: () => Milliseconds,
): SandboxClock {
  const clock = createSandboxClock(known.world.clock ?? REAL_TIME, undefined, realNow);
  known.onChange((now, before) => {
    const [next, last] = [now.clock ?? REAL_TIME, before.clock ?? REAL_TIME];
    const isMoved = next.offsetMs !== last.offsetMs || next.frozenAt !== last.frozenAt;
    // Another worker's mark does not take this one's time back.
    clock.apply(isMoved ? next : { ...next, highWater: Math.max(next.highWater, clock.state().highWater) });
  });
  return { ...clock, apply: () => undefined };
}

/**
 * Saves the high-water mark while the clock runs, once for all workers.
 * @returns ends it
 */
export function keepHighWater(known: Pick<KnownWorld, "change">, clock: SandboxClock): () => void {
  const save = (): void => {
    const saving = known.change((world) => {
      const highWater = clock.now();
      return world.clock === null || highWater - world.clock.highWater < SAVE_MS
        ? world
        : { ...world, clock: { ...world.clock, highWater } };
    });
    saving.catch(() => undefined);
  };
  const timer = setInterval(save, SAVE_MS).unref();
  return () => clearInterval(timer);
}
