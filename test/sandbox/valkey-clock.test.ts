// The clocks of a worker follow the server and the world, whatever this machine's clock says.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { ClockState } from "#src/sandbox/state/sandbox-clock.ts";
import { createValkeyClock, keepHighWater, openServerClock } from "#src/sandbox/valkey/valkey-clock.ts";
import type { World } from "#src/sandbox/valkey/world.ts";
import { DAY, HOUR, MINUTE, NOON } from "../rules/sample.ts";

/** A world that the test changes. */
function worldOf(clock: ClockState | null) {
  let world: World = { version: 1, epoch: 1, births: [[1, 1]], clock, rules: null, faults: 0, held: false };
  const listeners: ((now: World, before: World) => void | Promise<void>)[] = [];
  let changes = 0;
  return {
    get world() {
      return world;
    },
    changes: () => changes,
    onChange: (listener: (now: World, before: World) => void | Promise<void>) =>
      void listeners.push(listener),
    async change(next: (now: World) => World) {
      const before = world;
      world = next(before);
      if (world === before) return null;
      changes += 1;
      for (const listener of listeners) await listener(world, before);
      return null;
    },
  };
}

const running = (offsetMs: number, highWater: number): ClockState => ({
  offsetMs,
  frozenAt: null,
  highWater,
});

afterEach(() => vi.useRealTimers());

describe("a worker's clock", () => {
  it("is the server's, also where this machine's is a day behind, and is measured anew on a new connection", async () => {
    let ahead = DAY;
    const again: (() => void)[] = [];
    const clock = await openServerClock({
      send: async () => {
        const now = Date.now() + ahead;
        return [String(Math.floor(now / 1000)), String((now % 1000) * 1000)].map((word) => Buffer.from(word));
      },
      onAgain: (listener) => void again.push(listener),
    });
    expect(Math.abs(clock.now() - Date.now() - DAY)).toBeLessThan(MINUTE);
    ahead = -DAY;
    for (const measure of again) measure();
    await expect.poll(() => Math.abs(clock.now() - Date.now() + DAY)).toBeLessThan(MINUTE);
    clock.close();
  });

  it("is real time before any is saved, and changes with the world alone", async () => {
    const known = worldOf(null);
    const clock = createValkeyClock(known, () => NOON);
    expect(clock.now()).toBe(NOON);
    const planned = clock.plan({ do: "advance", byMs: HOUR });
    clock.apply(planned);
    expect(clock.now()).toBe(NOON);
    await known.change((world) => ({ ...world, clock: planned }));
    expect(clock.now()).toBe(NOON + HOUR);
    await known.change((world) => ({ ...world, clock: running(-DAY, NOON - DAY) }));
    expect(clock.now()).toBe(NOON - DAY);
  });

  it("does not go back by the mark of another worker, nor where real time does", async () => {
    let real = NOON;
    const known = worldOf(running(0, NOON - HOUR));
    const clock = createValkeyClock(known, () => real);
    expect(clock.now()).toBe(NOON);
    real -= MINUTE;
    await known.change((world) => ({ ...world, clock: running(0, NOON - MINUTE) }));
    expect(clock.now()).toBe(NOON);
  });

  it("is saved once a minute by one worker of many while it runs, and not while it stands", async () => {
    vi.useFakeTimers({ now: NOON });
    const known = worldOf(running(0, NOON));
    const ends = [1, 2, 3].map(() => keepHighWater(known, createValkeyClock(known, Date.now)));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect([known.changes(), known.world.clock?.highWater]).toEqual([5, NOON + 5 * MINUTE]);
    const frozen = { offsetMs: 0, frozenAt: NOON + HOUR, highWater: NOON + HOUR };
    await known.change((world) => ({ ...world, clock: frozen }));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(known.changes()).toBe(6);
    for (const end of ends) end();
  });
});
