import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration } from "#src/contract/text/duration.ts";

test.each([
  ["24h", 86_400_000],
  ["90s", 90_000],
  ["1d2h", 93_600_000],
  ["500ms", 500],
  ["5m", 300_000],
  ["1m500ms", 60_500],
  ["1d2h3m4s5ms", 93_784_005],
  ["0s", 0],
  ["1.5s", 1_500],
  ["1m1.001s", 61_001],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  "",
  "5",
  "h",
  "2h1d",
  "1h1h",
  "-5s",
  "+5s",
  "1.5h",
  "1.5ms",
  "1.0005s",
  ".5s",
  "5 s",
  " 5s",
  "5S",
  "5sec",
  "1e3s",
  "99999999999999d",
])("refuses %j", (text) => {
  expect(parseDuration(text)).toBeNull();
});

test("adds up its parts", () => {
  const part = fc.option(fc.nat(1000), { nil: undefined });
  fc.assert(
    fc.property(part, part, part, part, part, (d, h, m, s, ms) => {
      const parts = [
        [d, "d", 86_400_000],
        [h, "h", 3_600_000],
        [m, "m", 60_000],
        [s, "s", 1000],
        [ms, "ms", 1],
      ] as const;
      const present = parts.filter(([count]) => count !== undefined);
      const total = present.reduce((sum, [count, , unit]) => sum + count! * unit, 0);
      expect(parseDuration(present.map(([count, name]) => `${count}${name}`).join(""))).toBe(
        present.length === 0 ? null : total,
      );
    }),
  );
});
