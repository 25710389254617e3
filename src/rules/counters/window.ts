// Time windows of counters: how a window such as "24h" maps to minute, hour and day buckets.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

export const MINUTE: Milliseconds = 60_000;
const HOUR: Milliseconds = 60 * MINUTE;
const DAY: Milliseconds = 24 * HOUR;

/** Bucket sizes from fine to coarse, and how many buckets of each are kept. */
export const TIERS = [
  { unitMs: MINUTE, keep: 120 },
  { unitMs: HOUR, keep: 72 },
  { unitMs: DAY, keep: 60 },
] as const;

export const RETENTION_MS: Milliseconds = 60 * DAY;

/**
 * A window of `buckets` whole buckets, the last of which is the bucket that holds "now".
 *
 * Edges, exactly: bucket b holds the times b*unit <= t < (b+1)*unit (UTC), and the window at time `now` holds the
 * buckets floor(now/unit)-buckets+1 .. floor(now/unit). So an attempt as old as the window (or older) never counts, one
 * younger than the window less one unit always counts, and in between the bucket edge decides.
 */
export interface Window {
  /** as written, e.g. `24h` */
  readonly text: string;
  /** index into TIERS */
  readonly tier: 0 | 1 | 2;
  readonly unitMs: Milliseconds;
  readonly buckets: number;
}

/** What `parseWindow` accepts, in words. */
export const WINDOW_FORMS = "minutes up to 120m, hours up to 72h, or days up to 60d";

const UNITS: Readonly<Record<string, Milliseconds>> = { m: MINUTE, h: HOUR, d: DAY };

/**
 * Reads a window: up to 2 h it counts by the minute, up to 72 h by the hour, up to 60 days by the day.
 * @returns null for anything else, such as `90s`, `100h` or `61d`
 */
export function parseWindow(text: string): Window | null {
  const match = /^([1-9]\d{0,4})([mhd])$/.exec(text);
  if (!match) return null;
  const lengthMs = Number(match[1]) * UNITS[match[2]!]!;
  for (const tier of [0, 1, 2] as const) {
    const { unitMs, keep } = TIERS[tier];
    if (lengthMs <= unitMs * keep) {
      return lengthMs % unitMs === 0 ? { text, tier, unitMs, buckets: lengthMs / unitMs } : null;
    }
  }
  return null;
}
