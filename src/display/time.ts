// Times and durations as text. Nothing here reads a clock.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { counted } from "./count.ts";
import type { Ascii } from "./sign.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * `02:41`, with hours `23:57:12`. It reads `00:00` only when the time is over, never before.
 * @param remaining ms; negative means over
 * @param ascii `words` for one that changes rarely: `23 hours`, `2 minutes`, `less than a minute`
 */
export function formatCountdown(remaining: Milliseconds, ascii: Ascii = false): string {
  const seconds = Math.max(0, Math.ceil(remaining / SECOND));
  if (ascii === "words") {
    if (seconds < 60) return "less than a minute";
    return seconds < 3600
      ? counted(Math.floor(seconds / 60), "minute")
      : counted(Math.floor(seconds / 3600), "hour");
  }
  const parts = [Math.floor((seconds % 3600) / 60), seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map(twoDigits).join(":");
}

const UNITS: readonly (readonly [Milliseconds, string])[] = [
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "min"],
  [SECOND, "s"],
];

/**
 * A duration in words, in at most two units and rounded down: `2 min 41 s`, `23 h 57 min`, `1 d`, `350 ms`.
 * @param duration ms, not negative
 */
export function formatDuration(duration: Milliseconds): string {
  const ms = Math.max(0, Math.floor(duration));
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  if (first < 0) return `${ms} ms`;
  const [unit, name] = UNITS[first]!;
  const whole = `${Math.floor(ms / unit)} ${name}`;
  const [nextUnit, nextName] = UNITS[first + 1] ?? [unit, ""];
  const rest = Math.floor((ms % unit) / nextUnit);
  return rest === 0 ? whole : `${whole} ${rest} ${nextName}`;
}

/** A duration in its largest unit alone: `12 min`, `3 d`, `41 d`. */
export function formatAge(duration: Milliseconds): string {
  const [unit] = UNITS.find(([each]) => duration >= each) ?? [SECOND];
  return formatDuration(Math.max(0, duration - (duration % unit))).replace(/^0 ms$/, "0 s");
}

/** `2026-11-21 12:04:11 UTC`, because a report may be read in another time zone. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A time for programs: ISO 8601 in UTC. */
export function isoTime(at: Milliseconds): string {
  return new Date(at).toISOString();
}

/** How long something took: `93 ms`, `1.9 s` below a minute, then as a duration. */
export function formatTook(duration: Milliseconds): string {
  if (duration < SECOND || duration >= MINUTE) return formatDuration(duration);
  return `${(Math.floor(duration / 100) / 10).toFixed(1)} s`;
}

/** Latency of a call: `84 ms`, `8.4 ms` below ten, `12.3 s` from ten seconds on; `-` where nothing was sent. */
export function formatLatency(latencyMs: number | null): string {
  if (latencyMs === null) return "-";
  if (latencyMs >= 9_999.5) return `${(latencyMs / SECOND).toFixed(1)} s`;
  return latencyMs >= 9.95 ? `${Math.round(latencyMs)} ms` : `${latencyMs.toFixed(1)} ms`;
}

/** Time of day in the machine's time zone: `12:04:11`. */
export function formatClock(at: Milliseconds): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

/** `12:04:11` for the day of `now`, `11-20 12:04` for another day, `2025-11-20` for another year; in the machine's time zone. */
export function formatMoment(at: Milliseconds, now: Milliseconds): string {
  const day = formatClockOrDay(at, now);
  if (day.includes(":")) return day;
  return day.includes("-") ? `${day} ${formatClock(at).slice(0, 5)}` : formatDateTime(at).slice(0, 10);
}

/** `12:04:11` for the day of `now`, `11-20` for another day, `2025` for another year; in the machine's time zone. */
export function formatClockOrDay(at: Milliseconds, now: Milliseconds): string {
  const [day = ""] = formatDateTime(at).split(" ");
  const [today = ""] = formatDateTime(now).split(" ");
  if (day === today) return formatClock(at);
  return day.slice(0, 4) === today.slice(0, 4) ? day.slice(5) : day.slice(0, 4);
}

/** Day and time in the machine's time zone: `2026-11-21 12:04:11`. */
export function formatDateTime(at: Milliseconds): string {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${formatClock(at)}`;
}

/** The same with the offset of the zone, for text that is read elsewhere: `2026-11-21 12:04:11 +02:00`. */
export function formatZoned(at: Milliseconds): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map(twoDigits);
  return `${formatDateTime(at)} ${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** A virtual time in UTC, the same on every machine: `2026-01-15 10:00`. */
export function formatUtc(at: Milliseconds): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
