// Reads points in time from the command line and from payloads (ISO 8601).

import type { Milliseconds } from "#src/contract/wire/clock.ts";

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a date or a time with its zone in ISO 8601: `2026-03-01` (midnight UTC), `2026-03-01T12:00Z`.
 * @returns ms since the epoch; null for anything else, also for a time without a zone and a day that no calendar has
 */
export function parseInstant(text: string): Milliseconds | null {
  const at = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes February 30th for March 2nd.
  const isInCalendar = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  return isInCalendar && !Number.isNaN(at) ? at : null;
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:(Z|UTC)|([+-]\d{2})(?::?(\d{2}))?)?$/;
const EPOCH_SECONDS = /^\d{10}$/;
const EPOCH_MILLISECONDS = /^\d{13}$/;
/** `12:00:31.123`: what Date keeps of a time. */
const MILLISECOND_CHARACTERS = 12;

/**
 * Reads the time of a payment as databases and programs export it: as `parseInstant`, with a space instead of the T, without a
 * zone (UTC), or in seconds or milliseconds since the epoch by its 10 or 13 digits.
 * @returns ms since the epoch; null for anything else
 */
export function parseMoment(value: unknown): Milliseconds | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value);
  if (EPOCH_SECONDS.test(text)) return Number(text) * 1_000;
  if (EPOCH_MILLISECONDS.test(text)) return Number(text);
  const found = MOMENT.exec(text);
  if (found === null) return parseInstant(text);
  const [, date, time, , hours, minutes = "00"] = found;
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  return parseInstant(`${date}T${time!.slice(0, MILLISECOND_CHARACTERS)}${zone}`);
}
