// Expiry dates of cards: two-digit years, and when a card is over (silent points of spec 2.3).

import type { Milliseconds } from "./clock.ts";

/** How far a two-digit year may lie from now: the same window for every reader of it. */
const YEARS_BACK = 10;
const YEARS_SPAN = 100;

/**
 * The full year meant by a two-digit one: the only one from ten years ago to 89 years ahead. Four digits stay as they are.
 * @param now ms since the epoch
 */
export function fullYear(year: number, now: Milliseconds): number {
  if (year > 99) return year;
  const first = new Date(now).getUTCFullYear() - YEARS_BACK;
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

/** Written out, because the first date that Intl formats costs some 10 ms, and forms show one in their first frame. */
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** The expiry in words: `valid through 30 April 2027`, `expired on 31 May 2024`. */
export function expiryText(month: number, year: number, now: Milliseconds): string {
  const end = expiryEnd(month, year, now);
  const last = new Date(end - 1);
  const day = `${last.getUTCDate()} ${MONTHS[last.getUTCMonth()]} ${last.getUTCFullYear()}`;
  return now < end ? `valid through ${day}` : `expired on ${day}`;
}
