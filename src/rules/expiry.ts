// Expiry of a card: which month it means, and how far away that is.

import type { Milliseconds } from "#src/contract/clock.ts";

/**
 * The year that a card's two digits mean: from ten years ago to 89 years ahead. Four digits mean themselves.
 * @param now decides the window
 */
export function expiryYear(year: number, now: Milliseconds): number {
  if (year > 99) return year;
  const first = new Date(now).getUTCFullYear() - 10;
  return first + ((((year - first) % 100) + 100) % 100);
}

/**
 * Months from now until the card's month; negative = expired, because a card is valid through the last day of its month.
 * Months change at midnight UTC.
 */
export function monthsToExpiry(month: number, year: number, now: Milliseconds): number {
  const today = new Date(now);
  return (expiryYear(year, now) - today.getUTCFullYear()) * 12 + (month - 1 - today.getUTCMonth());
}
