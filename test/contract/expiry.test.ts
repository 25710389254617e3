import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expiryEnd, expiryText, fullYear } from "#src/contract/expiry.ts";

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
    expect(expiryText(2, 28, end - 1)).toBe("valid through 29 February 2028");
    expect(expiryText(2, 28, end)).toBe("expired on 29 February 2028");
    expect(expiryText(12, 27, NOW)).toBe("valid through 31 December 2027");
    expect(expiryText(4, 2027, NOW)).toBe("valid through 30 April 2027");
  });
});
