// The scheduler's laws: never more at once than allowed, a constant rate, each item once, and a stop that waits.

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

import { Scheduler, systemClock } from "#src/replay/scheduler.ts";
import { FakeClock } from "./fake-clock.ts";

interface Plan {
  readonly count: number;
  readonly concurrency: number;
  readonly ratePerS: number | null;
  /** How long item `n` takes, in ms. */
  readonly takes: (n: number) => number;
  readonly prepares?: (n: number) => number;
  readonly lanesOf?: (n: number) => readonly string[];
  readonly late?: () => number;
  /** What happens when, besides. */
  readonly at?: readonly (readonly [number, (running: Scheduler<unknown>) => void])[];
}

interface Told {
  readonly outcome: "done" | "stopped";
  readonly read: number[];
  readonly prepared: number[];
  readonly started: { readonly n: number; readonly at: number }[];
  readonly finished: number[];
  /** Starts and ends in the order in which they came. */
  readonly events: { readonly n: number; readonly what: "start" | "end" }[];
  readonly abandoned: number[];
  readonly mostAtOnce: number;
  readonly activeMs: number;
}

async function play({
  count,
  concurrency,
  ratePerS,
  takes,
  prepares,
  lanesOf,
  late,
  at = [],
}: Plan): Promise<Told> {
  const clock = new FakeClock(late);
  const read: number[] = [];
  const prepared: number[] = [];
  const started: { n: number; at: number }[] = [];
  const finished: number[] = [];
  const events: { n: number; what: "start" | "end" }[] = [];
  const abandoned: number[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const running = new Scheduler<number>({
    items: numbers(count, read),
    concurrency,
    ratePerS,
    clock,
    ...(lanesOf === undefined ? {} : { lanesOf }),
    prepare: async (n) => {
      const ms = prepares?.(n) ?? 0;
      if (ms > 0) await clock.sleep(ms);
      prepared.push(n);
    },
    abandon: async (items) => void abandoned.push(...items),
    work: async (n) => {
      started.push({ n, at: clock.now() });
      events.push({ n, what: "start" });
      mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
      await clock.sleep(takes(n));
      atOnce -= 1;
      finished.push(n);
      events.push({ n, what: "end" });
    },
  });
  for (const [ms, act] of at) clock.after(ms, () => act(running));
  await clock.runUntil(running.ended);
  const outcome = await running.ended;
  expect(running.inFlight).toBe(0);
  return {
    outcome,
    read,
    prepared,
    started,
    finished,
    events,
    abandoned,
    mostAtOnce,
    activeMs: running.activeMs(),
  };
}

async function* numbers(count: number, read: number[]): AsyncGenerator<number> {
  for (let n = 1; n <= count; n += 1) {
    read.push(n);
    yield n;
  }
}

const plans = fc.record({
  count: fc.nat(40),
  concurrency: fc.integer({ min: 1, max: 8 }),
  ratePerS: fc.option(fc.integer({ min: 1, max: 500 })),
  durations: fc.array(fc.nat(80), { minLength: 1, maxLength: 7 }),
  preparations: fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
  pauses: fc.array(fc.tuple(fc.nat(2_000), fc.nat(500)), { maxLength: 2 }),
  stopAt: fc.option(fc.nat(3_000)),
});

describe("a schedule", () => {
  it("starts each item once, in order, prepared before, and never more at once than allowed", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { count, concurrency, ratePerS, durations, preparations, pauses, stopAt } = plan;
        const told = await play({
          count,
          concurrency,
          ratePerS,
          takes: (n) => durations[n % durations.length]!,
          prepares: (n) => preparations[n % preparations.length]!,
          at: [
            ...pauses.flatMap(([from, length]) => [
              [from, (running: Scheduler<unknown>) => running.pause()] as const,
              [from + length, (running: Scheduler<unknown>) => running.resume()] as const,
            ]),
            ...(stopAt === null ? [] : [[stopAt, (running: Scheduler<unknown>) => running.stop()] as const]),
          ],
        });
        const all = Array.from({ length: count }, (_, index) => index + 1);
        const started = told.started.map(({ n }) => n);
        expect(told.mostAtOnce).toBeLessThanOrEqual(concurrency);
        expect(started).toEqual(all.slice(0, started.length));
        expect(told.finished.toSorted((a, b) => a - b)).toEqual(started);
        expect(told.prepared).toEqual(expect.arrayContaining(started));
        // What was prepared is either started or given back.
        expect([...started, ...told.abandoned].sort((a, b) => a - b)).toEqual(
          told.prepared.toSorted((a, b) => a - b),
        );
        if (told.outcome === "done") expect(started).toEqual(all);
        else expect(stopAt).not.toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it("starts items of one lane in their order, each when the one before is over, and every other one in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(80), { minLength: 1, maxLength: 7 }),
        fc.option(fc.nat(2_000)),
        async (lanes, concurrency, durations, stopAt) => {
          const lanesOf = (n: number): readonly string[] => lanes[n - 1]!;
          const told = await play({
            count: lanes.length,
            concurrency,
            ratePerS: null,
            takes: (n) => durations[n % durations.length]!,
            lanesOf,
            at: stopAt === null ? [] : [[stopAt, (running: Scheduler<unknown>) => running.stop()]],
          });
          const busy = new Map<string, number>();
          const lastOf = new Map<string, number>();
          for (const { n, what } of told.events) {
            for (const lane of lanesOf(n)) {
              if (what === "end") busy.delete(lane);
              else {
                expect([lane, busy.get(lane)]).toEqual([lane, undefined]);
                expect(lastOf.get(lane) ?? 0).toBeLessThan(n);
                busy.set(lane, n);
                lastOf.set(lane, n);
              }
            }
          }
          const started = told.started.map(({ n }) => n);
          expect(new Set(started).size).toBe(started.length);
          expect([...started, ...told.abandoned].toSorted((a, b) => a - b)).toEqual(
            told.prepared.toSorted((a, b) => a - b),
          );
          if (told.outcome === "done") expect(started).toHaveLength(lanes.length);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("does not let one busy lane keep the others waiting, and reads a bounded way ahead of it", async () => {
    const told = await play({
      count: 5_000,
      concurrency: 4,
      ratePerS: null,
      takes: (n) => (n === 1 ? 1_000 : 1),
      lanesOf: (n) => (n % 2 === 1 ? ["busy"] : [`free-${n}`]),
      at: [[900, (running) => running.stop()]],
    });
    const free = told.started.filter(({ n }) => n % 2 === 0).length;
    // Up to the bound half of what is read is free, and all of that is over long before the busy one.
    expect(free).toBeGreaterThan(1_000);
    expect(told.read.length).toBeLessThan(2_100);
    expect(told.started.filter(({ n }) => n % 2 === 1)).toHaveLength(1);
  });

  it("keeps a constant rate without drift, whatever the timers do", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 2, max: 60 }),
        fc.array(fc.nat(25), { minLength: 1, maxLength: 9 }),
        async (ratePerS, count, jitter) => {
          let turn = 0;
          const late = (): number => jitter[(turn += 1) % jitter.length]!;
          const { started } = await play({ count, concurrency: 64, ratePerS, takes: () => 0, late });
          const interval = 1000 / ratePerS;
          for (const [index, { at }] of started.entries()) {
            expect(at).toBeGreaterThanOrEqual(index * interval - 1e-6);
            expect(at).toBeLessThanOrEqual(index * interval + 26);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("makes up for a short delay, and never sends what a long one held back in a burst", async () => {
    const { started } = await play({
      count: 300,
      concurrency: 4,
      ratePerS: 100,
      takes: (n) => (n >= 20 && n < 24 ? 1_000 : 1),
    });
    for (const { at } of started) {
      const within = started.filter((other) => other.at >= at && other.at < at + 1_000).length;
      expect(within).toBeLessThanOrEqual(100 + 10 + 1);
    }
    expect(started).toHaveLength(300);
  });

  it("starts nothing while it is paused, and does not count that time", async () => {
    const told = await play({
      count: 20,
      concurrency: 2,
      ratePerS: null,
      takes: () => 10,
      at: [
        [35, (running) => running.pause()],
        [5_035, (running) => running.resume()],
      ],
    });
    expect(told.started.filter(({ at }) => at > 35 && at < 5_035)).toEqual([]);
    expect(told.started).toHaveLength(20);
    expect(told.activeMs).toBeLessThan(200);
  });

  it("reads its items as slowly as they are started", async () => {
    const read: number[] = [];
    let started = 0;
    const clock = new FakeClock();
    const running = new Scheduler<number>({
      items: numbers(1_000, read),
      concurrency: 3,
      ratePerS: null,
      clock,
      prepare: async () => undefined,
      abandon: async () => undefined,
      work: async () => {
        started += 1;
        expect(read.length).toBeLessThanOrEqual(started + 3 + 1);
        await clock.sleep(5);
      },
    });
    await clock.runUntil(running.ended, 100);
    expect(started).toBeLessThan(100);
    running.stop();
    await clock.runUntil(running.ended);
    await expect(running.ended).resolves.toBe("stopped");
  });

  it("at a low rate prepares nothing before its time", async () => {
    const { prepared, started, outcome } = await play({
      count: 10,
      concurrency: 8,
      ratePerS: 1,
      takes: () => 1,
      at: [[2_500, (running) => running.stop()]],
    });
    expect({ outcome, prepared, started: started.length }).toEqual({
      outcome: "stopped",
      prepared: [1, 2, 3],
      started: 3,
    });
  });

  it("ends a stop while its source never gives the next item", async () => {
    const clock = new FakeClock();
    let finished = 0;
    const running = new Scheduler<number>({
      items: (async function* () {
        yield 1;
        await new Promise(() => undefined);
      })(),
      concurrency: 2,
      ratePerS: null,
      clock,
      prepare: async () => undefined,
      abandon: async () => undefined,
      work: async () => {
        await clock.sleep(50);
        finished += 1;
      },
    });
    clock.after(10, () => running.stop());
    await clock.runUntil(running.ended);
    await expect(running.ended).resolves.toBe("stopped");
    expect(finished).toBe(1);
  });

  it.each(["items", "prepare", "work"] as const)(
    "passes on an error of %s once the rest is over",
    async (place) => {
      const clock = new FakeClock();
      const finished: number[] = [];
      const fail = (n: number, here: string): void => {
        if (n === 5 && here === place) throw new Error(`from ${here}`);
      };
      const running = new Scheduler<number>({
        items: (async function* () {
          for (let n = 1; n <= 9; n += 1) {
            fail(n, "items");
            yield n;
          }
        })(),
        concurrency: 2,
        ratePerS: null,
        clock,
        prepare: async (n) => fail(n, "prepare"),
        abandon: async () => undefined,
        work: async (n) => {
          await clock.sleep(10);
          fail(n, "work");
          finished.push(n);
        },
      });
      await clock.runUntil(running.ended);
      await expect(running.ended).rejects.toThrow(`from ${place}`);
      expect(running.inFlight).toBe(0);
      expect(finished).not.toContain(9);
      if (place !== "prepare") expect(finished).toEqual(expect.arrayContaining([1, 2, 3, 4]));
    },
  );

  it("lets timers have their turn among work that is over at once", async () => {
    const fired = vi.fn();
    const timer = setTimeout(fired, 5);
    let done = 0;
    const running = new Scheduler<number>({
      items: numbers(200_000, []),
      concurrency: 4,
      ratePerS: null,
      clock: systemClock,
      prepare: async () => undefined,
      abandon: async () => undefined,
      work: async () => {
        done += 1;
        if (fired.mock.calls.length > 0) running.stop();
      },
    });
    await running.ended;
    clearTimeout(timer);
    expect(fired).toHaveBeenCalledTimes(1);
    expect(done).toBeLessThan(200_000);
  });
});
