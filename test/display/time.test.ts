import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatClock,
  formatClockOrDay,
  formatCountdown,
  formatDateTime,
  formatDuration,
  formatLatency,
  formatTook,
} from "#src/display/time.ts";

test.each([
  [93.7, "93 ms"],
  [999.9, "999 ms"],
  [1_000, "1.0 s"],
  [1_870, "1.8 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min"],
  [161_000, "2 min 41 s"],
])("what took %d ms took %s", (ms, text) => {
  expect(formatTook(ms)).toBe(text);
});

describe("a countdown", () => {
  test.each([
    [161_000, "02:41"],
    [86_232_000, "23:57:12"],
    [86_400_000, "24:00:00"],
    [3_600_000, "01:00:00"],
    [3_599_001, "01:00:00"],
    [3_599_000, "59:59"],
    [1, "00:01"],
    [0, "00:00"],
    [-5_000, "00:00"],
  ])("%d ms is %s", (ms, text) => {
    expect(formatCountdown(ms)).toBe(text);
  });

  test("is over exactly when the time is", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 200_000_000 }), (ms) => {
        expect(formatCountdown(ms) === "00:00").toBe(ms <= 0);
      }),
    );
  });
});

test.each([
  [161_000, "2 min 41 s"],
  [86_232_000, "23 h 57 min"],
  [86_400_000, "1 d"],
  [90_000_000, "1 d 1 h"],
  [5_000, "5 s"],
  [5_999, "5 s"],
  [350, "350 ms"],
  [0, "0 ms"],
  [-1, "0 ms"],
])("a duration of %d ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [null, "-"],
  [84.2, "84 ms"],
  [8.44, "8.4 ms"],
  [9.94, "9.9 ms"],
  [9.96, "10 ms"],
  [0.04, "0.0 ms"],
  [9_999, "9999 ms"],
  [9_999.6, "10.0 s"],
  [12_345, "12.3 s"],
])("a latency of %j is %s", (ms, text) => {
  expect(formatLatency(ms)).toBe(text);
});

test("clock times are those of this machine", () => {
  const at = new Date(2026, 10, 1, 2, 4, 9).getTime();
  expect(formatClock(at)).toBe("02:04:09");
  expect(formatDateTime(at)).toBe("2026-11-01 02:04:09");
});

test("a time of another day shows its day, of another year its year", () => {
  const now = new Date(2026, 10, 21, 12, 4, 11).getTime();
  expect(formatClockOrDay(now - 60_000, now)).toBe("12:03:11");
  expect(formatClockOrDay(new Date(2026, 10, 20, 23, 58, 0).getTime(), now)).toBe("11-20");
  expect(formatClockOrDay(new Date(2025, 10, 21, 12, 4, 11).getTime(), now)).toBe("2025");
});
