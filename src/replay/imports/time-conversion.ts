// Conversions of a map to a time: of local times in a zone, of dates in another order, and of counts since a start.

import type { Conversion, Convert } from "./convert.ts";
import { localTimes, writtenZone, type LocalTimes } from "./local-time.ts";
import { shownWord } from "./request-body.ts";

/** `DD.MM.YYYY Europe/Kyiv`: the order and the mark of a date, and a zone. */
const ORDER = /^(DD|MM)([./-])(?!\1)(?:DD|MM)\2YYYY(?: (.+))?$/;
const ORDERED_DATE = /^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:,? (.+))?$/;

const COUNTED = /^(seconds|minutes|hours|days) since (\S+(?: \S+)?)$/;
const UNIT_MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const COUNT = /^\d{1,15}(?:\.\d{1,15})?(?:[eE]\+?\d\d?)?$/;
/** The last moment of a Date. */
const LAST_MS = 8.64e15;

export const UNREADABLE_TIME =
  "at must be a time such as 2026-03-01 12:00:00; at:DD.MM.YYYY or at:MM/DD/YYYY reads dates of another order, and at:seconds since 2026-01-01 counts from a start.";

/** A zone, an order of dates, both, or a count since a start; null for another word. */
export function timeConversion(word: string): Conversion | null {
  const counted = countedSince(word);
  if (counted !== null) return { convert: counted };
  const [, first, mark = "", zone = first === undefined ? word : "UTC"] = ORDER.exec(word) ?? [];
  const order = first === undefined ? null : { first, mark, name: word.slice(0, 10) };
  const column = /^zone (.+)$/.exec(zone)?.[1]!.trim();
  if (column !== undefined) return { convert: inZoneOf(column, order), columns: [column] };
  const times = localTimes(zone);
  return times === null ? null : { convert: (text) => readTime(text, order, zone, times) };
}

interface DateOrder {
  readonly first: string;
  readonly mark: string;
  readonly name: string;
}

function inZoneOf(column: string, order: DateOrder | null): Convert {
  const zones = new Map<string, LocalTimes | null>();
  return (text, { cells }) => {
    const zone = cells.get(column)?.trim() ?? "";
    if (!zones.has(zone)) zones.set(zone, writtenZone(zone));
    const times = zones.get(zone)!;
    return times === null
      ? {
          problem: `at needs a zone, and "${shownWord(column)}" holds none such as Europe/Kyiv, CET, PDT or +02:00.`,
        }
      : readTime(text, order, zone, times);
  };
}

function readTime(
  text: string,
  order: DateOrder | null,
  zone: string,
  times: LocalTimes,
): ReturnType<Convert> {
  const found = times(order === null ? text.trim() : withYearFirst(text.trim(), order));
  if ("at" in found) return { text: new Date(found.at).toISOString() };
  const problems = {
    unreadable:
      order === null
        ? UNREADABLE_TIME
        : `at must be ${order.name}, with a time such as 12:00:00 behind it or none.`,
    skipped: `at is a time that clocks in ${zone} left out when they were put forward.`,
    twice: `at is a time that clocks in ${zone} showed twice when they were put back; give it with its offset, such as 2026-10-25 03:30:00+02:00.`,
  };
  return { problem: problems[found.problem] };
}

/** Empty for a date with other marks. */
function withYearFirst(text: string, { first, mark: wanted }: DateOrder): string {
  const [, one = "", mark, other = "", year, time = "00:00"] = ORDERED_DATE.exec(text) ?? [];
  if (mark !== wanted) return "";
  const [month, day] = first === "MM" ? [one, other] : [other, one];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")} ${time.replace(/^\d:/, "0$&")}`;
}

/** `hours since 2026-01-01`, of which a cell holds the number. */
function countedSince(word: string): Convert | null {
  const [, unit, start = ""] = COUNTED.exec(word) ?? [];
  const from = localTimes("UTC")!(start);
  if (unit === undefined || "problem" in from) return null;
  return (text) => {
    const count = COUNT.test(text.trim()) ? Number(text) : Number.NaN;
    const at = Math.round(from.at + count * UNIT_MS[unit as keyof typeof UNIT_MS]);
    return at <= LAST_MS
      ? { text: new Date(at).toISOString() }
      : { problem: `at must be a count of ${unit}, such as 86400 or 1.5.` };
  };
}
