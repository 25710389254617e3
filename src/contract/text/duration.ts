// Reads durations from the command line: `24h`, `90s`, `1.5s`, `1d2h`, `500ms`.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d{1,3})?)s)?(?:(\d+)ms)?$/;
const UNIT_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1];

/**
 * Reads a duration: whole numbers with the units d, h, m, s, ms, largest first, each at most once; seconds may have three decimals.
 * @returns ms; null for anything else, also for a number without a unit
 */
export function parseDuration(text: string): Milliseconds | null {
  const match = text === "" ? null : DURATION.exec(text);
  if (match === null) return null;
  const total = UNIT_MS.reduce(
    (sum, unit, index) => sum + Math.round(Number(match[index + 1] ?? 0) * unit),
    0,
  );
  return Number.isSafeInteger(total) ? total : null;
}
