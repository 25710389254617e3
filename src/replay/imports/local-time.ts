// Reads local date-times: a date and a time without a zone, in a zone of the IANA time zone database.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { parseMoment } from "#src/contract/text/instant.ts";

/** A text that needs no zone: digits since the epoch, and a time that names its own zone. */
const NAMES_ZONE = /^\d+$|:\d\d(?:\.\d+)? ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/;
/** Longer than any change of a clock and than the offset between any two zones. */
const OFFSET_SEARCH_MS: Milliseconds = 36 * 3_600_000;

export type LocalTime =
  | { readonly at: Milliseconds }
  /** Not a time at all; one that clocks were put over; one that clocks showed twice. */
  | { readonly problem: "unreadable" | "skipped" | "twice" };

/** Of a text, in the forms of `parseMoment`. */
export type LocalTimes = (text: string) => LocalTime;

/** Abbreviations that only summer has, which the database does not name; null for those that mean several zones. */
const ABBREVIATIONS: Readonly<Record<string, string | null>> = {
  EDT: "-04:00",
  CDT: "-05:00",
  MDT: "-06:00",
  PDT: "-07:00",
  WEST: "+01:00",
  CEST: "+02:00",
  EEST: "+03:00",
  BST: null,
  IST: null,
};

/** As `localTimes`, of a zone as exports write it into a column: `CET`, `PDT`, `+02:00`. */
export function writtenZone(zone: string): LocalTimes | null {
  const meant = ABBREVIATIONS[zone];
  return meant === null ? null : localTimes(meant ?? zone);
}

/**
 * A reader of the times of a zone, such as `Europe/Kyiv`, in the forms of `parseMoment`; a date alone is its midnight. A time that
 * the change to or from daylight saving time leaves out or repeats is no moment, and is a problem.
 * @returns null for an unknown zone
 */
export function localTimes(zone: string): LocalTimes | null {
  let format: Intl.DateTimeFormat;
  try {
    // The sv-SE locale formats as ISO 8601 does: 2018-04-01 00:00:31.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  } catch {
    return null;
  }
  const offsetAt = (at: Milliseconds): Milliseconds =>
    Date.parse(`${format.format(at)}Z`) - Math.floor(at / 1_000) * 1_000;
  return (text) => {
    const wall = parseMoment(text);
    if (wall === null) return { problem: "unreadable" };
    if (NAMES_ZONE.test(text)) return { at: wall };
    const offsets = new Set([offsetAt(wall - OFFSET_SEARCH_MS), offsetAt(wall + OFFSET_SEARCH_MS)]);
    const moments = [...offsets].filter((offset) => offsetAt(wall - offset) === offset);
    if (moments.length === 1) return { at: wall - moments[0]! };
    return { problem: moments.length === 0 ? "skipped" : "twice" };
  };
}
