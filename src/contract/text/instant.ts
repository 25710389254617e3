// Reads points in time from the command line and from payloads (ISO 8601).

import type { Milliseconds } from "#src/contract/wire/clock.ts";

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a date or a time with its zone in ISO 8601: `2026-03-01` (midnight UTC), `2026-03-01T12:00Z`.
 * @returns ms since the epoch; null for anything else, also for a time without a zone
 */
export function parseInstant(text: string): Milliseconds | null {
  const at = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
