// The month that a card's two digits mean.

import { describe, expect, it } from "vitest";
import { expiryYear, monthsToExpiry } from "#src/rules/expiry.ts";

const at = (text: string): number => Date.parse(text);

describe("expiryYear", () => {
  it.each([
    [26, 2026],
    [16, 2016],
    [15, 2115],
    [99, 2099],
    [0, 2100],
    [2031, 2031],
  ])("%i in 2026 is %i", (year, expected) =>
    expect(expiryYear(year, at("2026-06-15T00:00:00Z"))).toBe(expected),
  );
});

describe("monthsToExpiry", () => {
  it.each([
    [6, 26, 0],
    [5, 26, -1],
    [7, 26, 1],
    [6, 27, 12],
    [12, 25, -6],
  ])("%i/%i is %i months from June 2026", (month, year, expected) => {
    expect(monthsToExpiry(month, year, at("2026-06-30T23:59:59Z"))).toBe(expected);
  });
});
