// What keys have counted, as bytes: appended and compacted, they give the numbers of the counters in memory.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attempt, AttemptView, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { KIND } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import {
  compactionOf,
  countsPacked,
  keysToPeek,
  packAttempt,
  peekPacked,
  packNumbers,
  unpackNumbers,
} from "#src/rules/counters/packed-keys.ts";
import { parseWindow } from "#src/rules/counters/window.ts";
import { DAY, HOUR, MINUTE, NOON } from "./sample.ts";

const PAIRS: readonly DistinctPair[] = [
  ["card", "payer"],
  ["holder", "card"],
  ["charge", "order"],
];
const WINDOWS = ["1h", "24h", "60d"].map((text) => parseWindow(text)!);

function numbersOf(view: AttemptView): unknown {
  return [
    WINDOWS.map((window) => [
      ...[KIND.card, KIND.payer].flatMap((kind) => [
        view.sum("velocity", kind, window),
        view.sum("spent", kind, window),
        view.sum("valued", kind, window),
        view.sum("micro", kind, window),
      ]),
      ...PAIRS.map(([of, key]) => view.distinct(KIND[of], KIND[key], window)),
      view.run(window),
    ]),
    view.trail(),
    view.earlierCharges(KIND.order),
  ];
}

const key = (...names: string[]) => fc.option(fc.constantFrom(...names), { nil: undefined, freq: 8 });
const step = fc.record({
  move: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: MINUTE }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 * HOUR }) },
    { weight: 1, arbitrary: fc.integer({ min: -3 * DAY, max: 9 * DAY }) },
  ),
  attempt: fc.record({
    keys: fc.record({
      card: key("c1", "c2"),
      payer: key("p1"),
      holder: key("h1", "h2", "h3"),
      order: key("o1"),
      charge: key("x1", "x2", "x3"),
    }),
    pairs: fc.constant(PAIRS),
    eurCents: fc.option(fc.nat(100_000)),
    micro: fc.boolean(),
    amount: fc.nat(100),
    currency: fc.constantFrom(980, 978),
  }),
});

/** Values as a server keeps them. */
function store() {
  const values = new Map<string, Buffer>();
  let number = 0;
  let compactions = 0;
  const read = (names: readonly string[]) => names.map((name) => values.get(name) ?? null);
  return {
    values,
    get compactions() {
      return compactions;
    },
    /** As the script COUNT does. */
    append(at: number, attempt: Attempt) {
      const own = packAttempt(at, attempt);
      const before = read(own.keys);
      number += 1;
      const head = Buffer.alloc(6);
      head.writeUIntLE(number, 0, 6);
      let start = 0;
      for (const name of own.keys) {
        const end = start + 1 + own.records[start]!;
        const record = own.records.subarray(start + 1, end);
        values.set(
          name,
          Buffer.concat([values.get(name) ?? Buffer.alloc(4), head, record, Buffer.from("day")]),
        );
        start = end;
      }
      return { own, before, number };
    },
    compact() {
      for (const [name, value] of values) {
        const shorter = compactionOf(value);
        if (shorter === null) continue;
        expect(value.subarray(0, shorter.head.length)).toEqual(shorter.head);
        values.set(name, Buffer.concat([shorter.image, value.subarray(shorter.length)]));
        compactions += 1;
      }
    },
    read,
  };
}

describe("packed keys", () => {
  it("give the numbers of the counters in memory, counted, counted again, and previewed", () => {
    let compactions = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 160 }), (steps) => {
        const stored = store();
        const memory = createCounters();
        let at = NOON;
        for (const { move, attempt } of steps) {
          at += move;
          const values = new Map(keysToPeek(attempt).map((name) => [name, stored.values.get(name) ?? null]));
          const peeked = memory.peek(at, attempt);
          expect(numbersOf(peekPacked(at, attempt, values))).toEqual(numbersOf(peeked));
          const { own, before, number } = stored.append(at, attempt);
          const expected = numbersOf(memory.record(at, attempt));
          expect(numbersOf(countsPacked(at, attempt, own, before, null))).toEqual(expected);
          expect(numbersOf(countsPacked(at, attempt, own, stored.read(own.keys), number))).toEqual(expected);
          stored.compact();
        }
        compactions += stored.compactions;
      }),
      { numRuns: 15 },
    );
    // Over all runs: a short one can end before a value is long enough.
    expect(compactions).toBeGreaterThan(0);
  });

  it("stay short, however many attempts they have counted", () => {
    const stored = store();
    for (let i = 0; i < 2_000; i += 1) {
      stored.append(NOON + i * 1_000, {
        keys: { card: "c" },
        pairs: [],
        eurCents: 100,
        amount: i,
        currency: 980,
      });
      stored.compact();
    }
    expect(stored.values.get("c")!.length).toBeLessThan(4_000);
  });

  it("refuse what is none", () => {
    const attempt: Attempt = { keys: { card: "c" }, pairs: [], eurCents: null };
    const own = packAttempt(NOON, attempt);
    const { values } = store();
    for (const bytes of [
      "00",
      "00000000ff",
      "ffffffff00",
      "0800000001020304050607ff",
      "00000000".padEnd(60, "f"),
    ]) {
      values.set("c", Buffer.from(bytes, "hex"));
      const view = countsPacked(NOON, attempt, own, [values.get("c")!], null);
      expect(() => view.sum("velocity", KIND.card, WINDOWS[0]!), bytes).toThrow(
        expect.objectContaining({ code: "corrupt" }),
      );
      const intact = countsPacked(NOON, attempt, own, [null], null);
      expect(intact.sum("velocity", KIND.card, WINDOWS[0]!)).toBe(1);
    }
  });
});

describe("packed numbers", () => {
  it("are the numbers that were packed", () => {
    const anyNumber = fc.oneof(
      fc.integer(),
      fc.maxSafeNat(),
      fc.bigInt({ min: -(2n ** 52n), max: 2n ** 53n - 1n }).map(Number),
      fc.constantFrom(0, -1, 63, 64, 2 ** 27 - 1, 2 ** 27, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER),
    );
    fc.assert(
      fc.property(fc.array(anyNumber), (numbers) => {
        const bytes = Buffer.alloc(8 * numbers.length + 3);
        const end = packNumbers(numbers, bytes, 3);
        const found = new Float64Array(numbers.length);
        expect(unpackNumbers(bytes, 3, end, found)).toBe(numbers.length);
        expect([...found]).toEqual(numbers.map((number) => number + 0));
      }),
    );
  });
});
