// Expiry of a card: which month it means, and how far away that is.

import type { Milliseconds } from "#src/contract/clock.ts";

/**
 * The year that a card's two digits mean: from ten years ago to 89 years ahead. Four digits mean themselves.
 * @param now decides the window
 */
export function expiryYear(year: number, now: Milliseconds): number {
  if (year > 99) return year;
  const first = monthOf(now).year - 10;
  return first + ((((year - first) % 100) + 100) % 100);
}

/**
 * Months from now until the card's month; negative = expired, because a card is valid through the last day of its month.
 * Months change at midnight UTC.
 */
export function monthsToExpiry(month: number, year: number, now: Milliseconds): number {
  const today = monthOf(now);
  return (expiryYear(year, now) - today.year) * 12 + (month - 1 - today.month);
}

interface Month {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly from: Milliseconds;
  readonly until: Milliseconds;
}

let latest: Month = { year: 1970, month: 0, from: 0, until: 0 };

/** The UTC month of a time. Nearly every question is about the same month as the one before. */
function monthOf(now: Milliseconds): Month {
  if (now >= latest.from && now < latest.until) return latest;
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  latest = { year, month, from: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
  return latest;
}
