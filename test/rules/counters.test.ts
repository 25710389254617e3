// Counters: window edges, bounded memory, and agreement with a plain list of events.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import type { Attempt, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { KIND, type CounterKeys } from "#src/rules/counters/counter-keys.ts";
import { DISTINCT_CAP } from "#src/rules/counters/key-lists.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import type { CountersImage } from "#src/rules/counters/counters-image.ts";
import { KeySlots, keyBits } from "#src/rules/counters/key-slots.ts";
import { parseWindow, type Window } from "#src/rules/counters/window.ts";
import { copyOf, imageText, keysIn, loaded } from "./images.ts";
import { DAY, HOUR, MINUTE, NOON } from "./sample.ts";

const window = (text: string): Window => parseWindow(text)!;
const PAIRS: readonly DistinctPair[] = [["card", "payer"]];
const attempt = (keys: CounterKeys, eurCents = 100): Attempt => ({ keys, pairs: PAIRS, eurCents });

describe("windows", () => {
  it("reads minutes, hours and days, each up to its tier", () => {
    expect(window("1h")).toMatchObject({ unitMs: MINUTE, buckets: 60 });
    expect(window("120m")).toMatchObject({ unitMs: MINUTE, buckets: 120 });
    expect(window("24h")).toMatchObject({ unitMs: HOUR, buckets: 24 });
    expect(window("1d")).toMatchObject({ unitMs: HOUR, buckets: 24 });
    expect(window("30d")).toMatchObject({ unitMs: DAY, buckets: 30 });
  });

  it.each(["", "0h", "1s", "90s", "121m", "73h", "61d", "-1h", "1 h", "01h", "1.5h", "999999m"])(
    "refuses %j",
    (text) => {
      expect(parseWindow(text)).toBeNull();
    },
  );
});

describe("edges", () => {
  // A bucket edge, so that the shortest and the longest life of an attempt can be seen.
  const edge = Date.parse("2026-03-16T00:00:00Z");
  it.each([
    ["1h", MINUTE, HOUR],
    ["24h", HOUR, DAY],
    ["30d", DAY, 30 * DAY],
    ["60d", DAY, 60 * DAY],
  ])("%s counts by its unit", (text, unit, length) => {
    const countAfter = (start: number, age: number): number => {
      const counters = createCounters();
      counters.record(start, attempt({ card: "c" }));
      // The one at hand is the second.
      return counters.peek(start + age, attempt({ card: "c" })).sum("velocity", KIND.card, window(text)) - 1;
    };
    expect(countAfter(edge, length - 1)).toBe(1);
    expect(countAfter(edge, length)).toBe(0);
    expect(countAfter(edge + unit - 1, length - unit)).toBe(1);
    expect(countAfter(edge + unit - 1, length - unit + 1)).toBe(0);
  });
});

describe("record and peek", () => {
  it("includes the attempt at hand, and counts nothing for keys it does not have", () => {
    const counters = createCounters();
    const view = counters.record(NOON, attempt({ card: "c", payer: "p" }, 250));
    expect(view.sum("velocity", KIND.card, window("1h"))).toBe(1);
    expect(view.sum("spent", KIND.payer, window("24h"))).toBe(250);
    expect(view.distinct(KIND.card, KIND.payer, window("24h"))).toBe(1);
    expect(view.sum("velocity", KIND.email, window("1h"))).toBe(0);
  });

  it("tells those whose worth is known from all", () => {
    const counters = createCounters();
    counters.record(NOON, { ...attempt({ card: "c" }), eurCents: null });
    const view = counters.record(NOON, attempt({ card: "c" }));
    const [all, valued] = [
      view.sum("velocity", KIND.card, window("1h")),
      view.sum("valued", KIND.card, window("1h")),
    ];
    expect([all, valued]).toEqual([2, 1]);
  });

  it("peek answers as record would and changes nothing", () => {
    const any = fc.record({ card: fc.constantFrom("a", "b", "c"), payer: fc.constantFrom("p", "q") });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), any, (before, next) => {
        const counters = createCounters();
        before.forEach((keys, i) => counters.record(NOON + i * 7 * MINUTE, attempt(keys)));
        const image = imageText(counters);
        const at = NOON + before.length * 7 * MINUTE;
        const seen = (view: ReturnType<typeof counters.peek>): number[] => [
          view.sum("velocity", KIND.card, window("1h")),
          view.sum("spent", KIND.payer, window("24h")),
          view.distinct(KIND.card, KIND.payer, window("1h")),
        ];
        const peeked = seen(counters.peek(at, attempt(next)));
        expect(imageText(counters)).toBe(image);
        expect(seen(counters.record(at, attempt(next)))).toEqual(peeked);
      }),
    );
  });

  it("puts a late attempt into its own bucket", () => {
    const counters = createCounters();
    counters.record(NOON, attempt({ card: "c" }));
    counters.record(NOON - 30 * MINUTE, attempt({ card: "c" }));
    expect(counters.peek(NOON, attempt({ card: "c" })).sum("velocity", KIND.card, window("30m"))).toBe(2);
    expect(counters.peek(NOON, attempt({ card: "c" })).sum("velocity", KIND.card, window("31m"))).toBe(3);
  });

  it("sees nothing of what lies ahead after the clock was set back", () => {
    const counters = createCounters();
    counters.record(NOON, attempt({ card: "c" }));
    expect(counters.peek(NOON - DAY, attempt({ card: "c" })).sum("velocity", KIND.card, window("1h"))).toBe(
      1,
    );
  });

  it.each([3 * HOUR, 4 * DAY, 174 * DAY])(
    "counts on after the clock was set back by %i ms, and again once it is back",
    (back) => {
      const counters = createCounters();
      const counts = (at: number, keys: CounterKeys): number[] => {
        const view = counters.record(at, attempt(keys));
        return [
          ...["1h", "24h", "30d"].map((text) => view.sum("velocity", KIND.card, window(text))),
          view.distinct(KIND.card, KIND.payer, window("24h")),
        ];
      };
      counts(NOON, { card: "c", payer: "p" });
      for (let n = 1; n <= 8; n++) {
        expect(counts(NOON - back + n * MINUTE, { card: "c", payer: "p" })).toEqual([n, n, n, 1]);
      }
      const restored = copyOf(counters);
      for (const each of [counters, restored]) {
        const view = each.peek(NOON - back + 9 * MINUTE, attempt({ card: "c", payer: "p" }));
        expect(view.sum("velocity", KIND.card, window("1h"))).toBe(9);
      }
      expect(counts(NOON + 1, { card: "c", payer: "p" })[0]).toBe(2);
    },
  );

  it("keeps a bounded number of buckets for attempts that come in backwards", () => {
    const counters = createCounters();
    for (let n = 0; n < 5_000; n++) counters.record(NOON - n * MINUTE, attempt({ card: "c" }));
    const view = counters.peek(NOON, attempt({ card: "c" }));
    expect(view.sum("velocity", KIND.card, window("60d"))).toBe(5_001);
    expect(view.sum("velocity", KIND.card, window("1h"))).toBe(61);
    expect(imageText(counters).length).toBeLessThan(40_000);
  });
});

describe("against a list of events", () => {
  interface Event {
    readonly at: number;
    readonly keys: CounterKeys;
    readonly eurCents: number;
  }
  const events = fc.array(
    fc.record({
      gap: fc.oneof(
        fc.integer({ min: 0, max: 3 * MINUTE }),
        fc.integer({ min: 0, max: 3 * HOUR }),
        fc.integer({ min: 0, max: 3 * DAY }),
      ),
      keys: fc.record(
        { card: fc.constantFrom("card-1", "card-2", "card-3"), payer: fc.constantFrom("payer-1", "payer-2") },
        { requiredKeys: [] },
      ),
      eurCents: fc.nat(10_000),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const windows = fc.constantFrom("1m", "1h", "90m", "24h", "72h", "7d", "30d", "60d").map(window);

  it("counts, sums and tells apart the same", () => {
    fc.assert(
      fc.property(events, windows, (given, { unitMs, buckets, ...rest }) => {
        const counters = createCounters();
        const past: Event[] = [];
        let at = NOON;
        for (const { gap, keys, eurCents } of given) {
          at += gap;
          past.push({ at, keys, eurCents });
          const view = counters.record(at, { keys, pairs: PAIRS, eurCents });
          const within = (key: "card" | "payer"): Event[] =>
            past.filter(
              (event) =>
                keys[key] !== undefined &&
                event.keys[key] === keys[key] &&
                Math.floor(event.at / unitMs) > Math.floor(at / unitMs) - buckets,
            );
          const asWindow = { unitMs, buckets, ...rest };
          expect(view.sum("velocity", KIND.card, asWindow)).toBe(within("card").length);
          expect(view.sum("spent", KIND.payer, asWindow)).toBe(
            within("payer").reduce((sum, event) => sum + event.eurCents, 0),
          );
          const cards = new Set(within("payer").flatMap((event) => event.keys.card ?? []));
          expect(view.distinct(KIND.card, KIND.payer, asWindow)).toBe(cards.size);
        }
      }),
    );
  });

  it("goes on the same from an image", () => {
    fc.assert(
      fc.property(events, windows, (given, asWindow) => {
        const whole = createCounters();
        let split = createCounters();
        let at = NOON;
        for (const { gap, keys, eurCents } of given) {
          at += gap;
          const next = { keys, pairs: PAIRS, eurCents };
          const expected = whole.record(at, next);
          split = copyOf(split);
          const view = split.record(at, next);
          expect(view.sum("velocity", KIND.card, asWindow)).toBe(
            expected.sum("velocity", KIND.card, asWindow),
          );
          expect(view.distinct(KIND.card, KIND.payer, asWindow)).toBe(
            expected.distinct(KIND.card, KIND.payer, asWindow),
          );
        }
        expect(imageText(split)).toBe(imageText(whole));
      }),
    );
  });
});

describe("an image", () => {
  it("is of its moment, whatever is counted while its blocks are read", () => {
    const counters = createCounters();
    const count = (i: number): void => {
      const keys = { card: `c${i}`, payer: `p${i % 700}` };
      counters.record(NOON + i, { ...attempt(keys), amount: i, currency: 978 });
    };
    for (let i = 0; i < 5_000; i++) count(i);
    const then = imageText(counters);
    const { shape, pieces } = counters.image();
    const read: Int32Array<ArrayBuffer>[] = [];
    let next = 0;
    for (const piece of pieces()) {
      read.push(piece.slice());
      // Known keys, new ones, and more of them than there was room for.
      for (let i = 0; i < 4_000; i++) count((next += 3));
    }
    expect(read.length).toBeGreaterThan(2);
    expect(
      imageText(loaded({ shape, pieces: () => read.values() as Generator<Int32Array<ArrayBuffer>> })),
    ).toBe(then);
    expect(imageText(counters)).not.toBe(then);
  });

  it("holds what was forgotten no more, and has its room for what comes", () => {
    const maxBytes = 64 * 1024;
    const counters = createCounters({ maxBytes });
    for (let i = 0; i < 5_000; i++) counters.record(NOON + i, attempt({ card: `c${i}`, payer: `p${i % 7}` }));
    const copy = loaded(counters.image(), maxBytes);
    expect(imageText(copy)).toBe(imageText(counters));
    for (const each of [counters, copy]) {
      for (let i = 0; i < 100; i++) each.record(NOON + i, attempt({ card: `n${i}`, payer: "p1" }));
    }
    expect(keysIn(copy).slice(-50)).toEqual(keysIn(counters).slice(-50));
    const words = ({ shape }: CountersImage): number => shape.lengths[0]!;
    expect(words(copy.image())).toBe(words(counters.image()));
  });

  it("is refused where pieces are missing, too many or of another shape, and the counters keep what they have", () => {
    const counters = createCounters();
    counters.record(NOON, attempt({ card: "c" }));
    const { shape, pieces } = counters.image();
    const all = [...pieces()];
    const tried = (lengths: readonly number[], read: readonly Int32Array[]): void => {
      const replacement = counters.replace({ ...shape, lengths });
      for (const piece of read) replacement.put(piece);
      replacement.done();
    };
    const [slots, ...others] = shape.lengths;
    for (const [lengths, read] of [
      [shape.lengths, all.slice(1)],
      [shape.lengths, all.slice(0, -1)],
      [shape.lengths, [...all, all[0]!]],
      [shape.lengths, []],
      [[], all],
      [others, all],
      [[slots! + 1, ...others], all],
      [[0, ...others], all],
      [[-slots!, ...others], all],
      [[slots! * 2 ** 30, ...others], all],
    ] as const) {
      expect(() => tried(lengths, read), JSON.stringify(lengths)).toThrow(Fault);
    }
    expect(counters.peek(NOON, attempt({ card: "c" })).sum("velocity", KIND.card, window("1h"))).toBe(2);
  });
});

describe("a key", () => {
  it("is another one in either half", () => {
    const slots = new KeySlots();
    const halves = [1, 2, 3].flatMap((high) => [7, 7 + 2 ** 20].map((low) => ({ high, low })));
    const used = halves.map((key) => slots.use(key));
    expect(new Set(used).size).toBe(halves.length);
    expect(halves.map((key) => slots.find(key))).toEqual(used);
    expect(slots.find({ high: 4, low: 7 })).toBe(0);
  });
});

describe("memory", () => {
  it("forgets the keys that were used longest ago beyond the cap", () => {
    // Three keys of 44 bytes with four buckets of 32.
    const counters = createCounters({ maxBytes: 3 * 44 + 4 * 32 });
    for (const [i, card] of ["a", "b", "c"].entries()) counters.record(NOON + i * MINUTE, attempt({ card }));
    counters.record(NOON + 3 * MINUTE, attempt({ card: "a" }));
    counters.record(NOON + 4 * MINUTE, attempt({ card: "d" }));
    expect(counters.size).toBe(3);
    const count = (card: string): number =>
      counters.peek(NOON + 5 * MINUTE, attempt({ card })).sum("velocity", KIND.card, window("1h"));
    expect(count("a")).toBe(3);
    expect(count("b")).toBe(1);
    expect(count("c")).toBe(2);
  });

  it("stops telling apart at the cap, and keeps the most recent", () => {
    const counters = createCounters();
    for (let i = 0; i < DISTINCT_CAP + 50; i++) counters.record(NOON, attempt({ card: `c${i}`, payer: "p" }));
    const again = (card: string): number =>
      counters.peek(NOON, attempt({ card, payer: "p" })).distinct(KIND.card, KIND.payer, window("1h"));
    expect(again("new")).toBe(DISTINCT_CAP);
    const { low } = keyBits("p");
    const seen = keysIn(counters).find((key) => key.low === low)!.lists[3]!;
    expect(seen).toHaveLength(DISTINCT_CAP * 4);
    expect(seen[2]).toBe(keyBits(`c${DISTINCT_CAP + 49}`).low);
  });

  it("keeps no more buckets than its tiers are long", () => {
    const counters = createCounters();
    for (let i = 0; i < 5_000; i++) counters.record(NOON + i * 20 * MINUTE, attempt({ card: "c" }));
    const buckets = keysIn(counters)[0]!.lists.slice(0, 3);
    // 2 h by the minute, then hours up to 72 h, of which two are minutes still, then days up to 60, of which three are hours still.
    expect(buckets.map((flat) => flat.length / 5)).toEqual([6, 70, 57]);
  });
});

describe("a bound in bytes", () => {
  it("holds whatever comes, and the newest is always there", () => {
    const counters = createCounters({ maxBytes: 64 * 1024 });
    for (let i = 0; i < 20_000; i++) {
      const view = counters.record(NOON + i * MINUTE, attempt({ card: `c${i}`, payer: `p${i % 7}` }));
      expect(view.sum("velocity", KIND.card, window("1h"))).toBe(1);
    }
    expect(counters.size).toBeLessThan(1_000);
    expect(
      counters
        .peek(NOON + 20_000 * MINUTE, attempt({ payer: "p1" }))
        .sum("velocity", KIND.payer, window("1h")),
    ).toBe(9);
  });
});
