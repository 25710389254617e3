// Reads times of the clock on a wall: a date and a time without a zone, in a zone of the IANA time zone database.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { parseMoment } from "./instant.ts";

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/;
/** As `en-US` writes it: `4/1/2018, 00:00:31`. */
const WRITTEN = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;
/** Longer than any step of a clock, and than the way from one zone to any other. */
const ASIDE_MS: Milliseconds = 36 * 3_600_000;

export type LocalTime =
  | { readonly at: Milliseconds }
  /** Not a time at all; one that clocks were put over; one that clocks showed twice. */
  | { readonly problem: "unreadable" | "skipped" | "twice" };

/**
 * A reader of the times of a zone, such as `Europe/Kyiv`; a date alone is its midnight, and a time that names its own zone is read
 * by that. A time that the change to or from daylight saving time leaves out or repeats is no moment, and is a problem.
 * @returns null for an unknown zone
 */
export function localTimes(zone: string): ((text: string) => LocalTime) | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    return null;
  }
  const offsetAt = (at: Milliseconds): Milliseconds => {
    const [, month, day, year, hour, minute, second] = WRITTEN.exec(format.format(at))!.map(Number);
    const shown = Date.UTC(year!, month! - 1, day, hour, minute, second);
    return shown - Math.floor(at / 1_000) * 1_000;
  };
  return (text) => {
    const wall = wallTime(text);
    if (wall === undefined) {
      const at = parseMoment(text);
      return at === null ? { problem: "unreadable" } : { at };
    }
    if (wall === null) return { problem: "unreadable" };
    const offsets = new Set([offsetAt(wall - ASIDE_MS), offsetAt(wall + ASIDE_MS)]);
    const moments = [...offsets].filter((offset) => offsetAt(wall - offset) === offset);
    if (moments.length === 1) return { at: wall - moments[0]! };
    return { problem: moments.length === 0 ? "skipped" : "twice" };
  };
}

/** What the clock shows, as if it were UTC; null for a date or time that no clock shows, undefined for another form. */
function wallTime(text: string): Milliseconds | null | undefined {
  const found = LOCAL.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const wall = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const date = new Date(wall);
  // Date carries 30 February over to March.
  const isDate = date.getUTCDate() === day && date.getUTCMonth() === month! - 1;
  if (!isDate || hour > 23 || minute > 59 || second > 59 || year! < 1_000) return null;
  return wall + Number((found[7] ?? "").padEnd(3, "0").slice(0, 3));
}
