// A day that runs past: as long as the deck says, ten frames a second at most, stopped by hand, by the deck, and at its end.

import { expect, it } from "vitest";
import { createDayRun, type DayRun, type DayRunState } from "#src/state/sandbox/day-run.ts";
import { dayFrame } from "../day-frame.ts";

interface Desk {
  readonly run: DayRun;
  readonly state: () => DayRunState;
  /** Lets timers ring for so many milliseconds. */
  readonly pass: (ms: number) => void;
  readonly frames: () => number;
  readonly halts: () => number;
}

function setUp(): Desk {
  let timer: { at: number; run: () => void } | null = null;
  let now = 0;
  let frames = 0;
  let halts = 0;
  let shown: DayRunState | null = null;
  const run = createDayRun(
    (delay, callback) => {
      const mine = { at: now + delay, run: callback };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
    (state) => {
      frames += 1;
      shown = state;
    },
    () => (halts += 1),
  );
  return {
    run,
    state: () => shown!,
    pass(ms) {
      const until = now + ms;
      while (timer !== null && timer.at <= until) {
        const due = timer;
        timer = null;
        now = due.at;
        due.run();
      }
      now = until;
    },
    frames: () => frames,
    halts: () => halts,
  };
}

it("runs past in the time that the deck says, at most ten frames a second", () => {
  const { run, state, pass, frames, halts } = setUp();
  run.start(dayFrame(10_000));
  expect(state()).toMatchObject({ shown: 0, runs: true, named: null });
  pass(10_000);
  expect(state()).toMatchObject({ shown: 5_000, runs: true });
  expect(frames()).toBeLessThanOrEqual(10 * 10 + 2);
  pass(9_900);
  expect(halts()).toBe(0);
  pass(200);
  expect(state()).toMatchObject({ shown: 10_000, runs: false, named: null });
  expect(halts()).toBe(1);
});

it("names a case that has happened, for long enough to be read", () => {
  const { run, state, pass } = setUp();
  const frame = dayFrame(10_000);
  run.start(frame);
  const named: (number | null)[] = [];
  for (let tick = 0; tick < 100; tick += 1) {
    pass(100);
    const { named: place, shown } = state();
    named.push(place);
    if (place !== null) {
      expect(place).toBeLessThan(shown);
      const { today, proposed } = frame.day.payments[place]!;
      expect(today).not.toBe(proposed);
    }
  }
  expect(named[0]).not.toBeNull();
  const lengths = [...Map.groupBy(named, (place) => place).values()].map(({ length }) => length);
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(15);
});

it("stops right behind the next payment whose verdicts differ, with its sums, and goes on", () => {
  const { run, state, pass } = setUp();
  run.start(dayFrame(10_000));
  pass(1_000);
  expect(state().shown).toBe(500);
  run.toggle();
  expect(state()).toMatchObject({ shown: 508, runs: false, named: 507 });
  pass(5_000);
  expect(state()).toMatchObject({ shown: 508, runs: false });
  run.nextCase();
  expect(state()).toMatchObject({ shown: 516, runs: false, named: 515 });
  run.toggle();
  pass(100);
  expect(state()).toMatchObject({ shown: 566, runs: true });
});

it("stops where it is when there is no such payment", () => {
  const { run, state, pass } = setUp();
  const { payments } = dayFrame(100).day;
  run.start(dayFrame(100, { payments: payments.map((each) => ({ ...each, proposed: each.today })) }));
  pass(1_000);
  run.toggle();
  expect(state()).toMatchObject({ shown: 5, runs: false, named: null });
  run.nextCase();
  expect(state()).toMatchObject({ shown: 5, runs: false });
});

it("stops by itself at the payments that the deck names", () => {
  const { run, state, pass, halts } = setUp();
  run.start(dayFrame(1_000, { stops: [0, 1, 42] }));
  for (const place of [0, 1, 42]) {
    pass(20_000);
    expect(state()).toMatchObject({ shown: place + 1, runs: false, named: place });
    run.toggle();
  }
  expect(halts()).toBe(3);
  pass(20_000);
  expect(state()).toMatchObject({ shown: 1_000, runs: false });
});

it("goes from case to case at the end, and the sums stay", () => {
  const { run, state } = setUp();
  run.showEnd(dayFrame(20));
  const named = Array.from({ length: 4 }, () => {
    run.nextCase();
    expect(state().shown).toBe(20);
    return state().named;
  });
  expect(named).toEqual([3, 11, 19, null]);
  run.toggle();
  expect(state()).toMatchObject({ shown: 20, runs: false });
});

it("gets faster and slower within limits, and keeps its speed when it begins again", () => {
  const { run, state, pass } = setUp();
  run.start(dayFrame(10_000));
  run.faster(2);
  pass(1_000);
  expect(state()).toMatchObject({ shown: 1_000, speed: 2 });
  run.start(dayFrame(10_000));
  expect(state()).toMatchObject({ shown: 0, speed: 2 });
  for (let press = 0; press < 9; press += 1) run.faster(2);
  expect(state().speed).toBe(16);
  for (let press = 0; press < 20; press += 1) run.faster(1 / 2);
  expect(state().speed).toBe(1 / 8);
  pass(100);
  expect(state()).toMatchObject({ shown: 6, runs: true });
});

it("ends a day without payments at once, and rests once it is left", () => {
  const { run, state, pass, frames, halts } = setUp();
  run.start(dayFrame(0));
  pass(100);
  expect(state()).toMatchObject({ shown: 0, runs: false });
  expect(halts()).toBe(1);
  run.start(dayFrame(100));
  run.leave();
  const drawn = frames();
  pass(1_000);
  expect(frames()).toBe(drawn);
});
