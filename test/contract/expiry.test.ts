import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expiryEnd, expiryText, fullYear, monthsToExpiry } from "#src/contract/fields/expiry.ts";

const NOW = Date.UTC(2026, 10, 21);

describe("a two-digit year", () => {
  test.each([
    [26, 2026],
    [16, 2016],
    [15, 2115],
    [99, 2099],
    [0, 2100],
    [2031, 2031],
  ])("%d means %d in 2026", (year, full) => {
    expect(fullYear(year, NOW)).toBe(full);
  });

  test("means the one year from ten years ago to 89 ahead that ends in it", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.integer({ min: 2000, max: 2200 }), (year, present) => {
        const full = fullYear(year, Date.UTC(present, 5, 1));
        expect(full % 100).toBe(year);
        expect(full).toBeGreaterThanOrEqual(present - 10);
        expect(full).toBeLessThanOrEqual(present + 89);
      }),
    );
  });
});

describe("a card", () => {
  test("is valid through the last day of its month", () => {
    const end = expiryEnd(2, 28, NOW);
    expect(new Date(end).toISOString()).toBe("2028-03-01T00:00:00.000Z");
    expect(expiryText(2, 28, end - 1)).toBe("end of 02/2028, this month");
    expect(expiryText(2, 28, end)).toBe("expired end of 02/2028, 1 month ago");
    expect(expiryText(11, 27, NOW)).toBe("end of 11/2027, in 12 months");
    expect(expiryText(12, 2026, NOW)).toBe("end of 12/2026, in 1 month");
    expect(expiryText(5, 24, NOW)).toBe("expired end of 05/2024, 30 months ago");
  });

  test.each([
    [6, 26, 0],
    [5, 26, -1],
    [7, 26, 1],
    [6, 27, 12],
    [12, 25, -6],
  ])("%d/%d is %d months from June 2026", (month, year, expected) => {
    expect(monthsToExpiry(month, year, Date.parse("2026-06-30T23:59:59Z"))).toBe(expected);
  });
});
