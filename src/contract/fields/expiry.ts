// Expiry dates of cards: two-digit years, the moment of expiry, and the months left (left open by spec 2.3).

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** The window of years that two digits can stand for, from now. */
const YEARS_BACK = 10;
const YEARS_SPAN = 100;

/**
 * The full year of a two-digit one, from ten years ago to 89 years ahead. Four digits stay as they are.
 * @param now ms since the epoch
 */
export function fullYear(year: number, now: Milliseconds): number {
  if (year > 99) return year;
  const first = monthOf(now).year - YEARS_BACK;
  return first + ((((year - first) % YEARS_SPAN) + YEARS_SPAN) % YEARS_SPAN);
}

/**
 * The first moment after a card's last month: it is valid through the last day of that month, in UTC.
 * @param month 1 to 12
 * @param year two or four digits
 * @returns ms since the epoch
 */
export function expiryEnd(month: number, year: number, now: Milliseconds): Milliseconds {
  return Date.UTC(fullYear(year, now), month, 1);
}

/**
 * Months from now until the card's month; negative = expired, because a card is valid through the last day of its month.
 * Months change at midnight UTC.
 * @param month 1 to 12
 * @param year two or four digits
 */
export function monthsToExpiry(month: number, year: number, now: Milliseconds): number {
  const today = monthOf(now);
  return (fullYear(year, now) - today.year) * 12 + (month - 1 - today.month);
}

/** The expiry in words: `end of 11/2027, in 12 months`, `expired end of 05/2024, 30 months ago`. */
export function expiryText(month: number, year: number, now: Milliseconds): string {
  const months = monthsToExpiry(month, year, now);
  const when = `end of ${String(month).padStart(2, "0")}/${fullYear(year, now)}`;
  if (months < 0) return `expired ${when}, ${counted(-months)} ago`;
  return `${when}, ${months === 0 ? "this month" : `in ${counted(months)}`}`;
}

function counted(months: number): string {
  return months === 1 ? "1 month" : `${months} months`;
}

/** The UTC month of a time; `month` is 0 to 11. */
function monthOf(now: Milliseconds): { readonly year: number; readonly month: number } {
  const date = new Date(now);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() };
}
