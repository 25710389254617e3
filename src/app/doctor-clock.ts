// Findings of `verdict doctor` about the clock, which signatures and the 24-hour window depend on. Pure.

import type { ServiceDate } from "#src/client/service-date.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { formatDuration } from "#src/display/time.ts";

/** A correct clock is later than this, because the first release was. */
const BEGINNING = Date.UTC(2025, 0, 1);
/** Tolerance for file dates, which may come from another machine. */
const AHEAD_MS: Milliseconds = 60_000;
/** From the first skew on some services refuse signatures, from the second on most do. */
const SKEW_MS: Milliseconds = 30_000;
const REFUSED_SKEW_MS: Milliseconds = 300_000;

const finding = findingsOf("clock");

/**
 * Findings about the clock of this machine.
 * @param now wall time in ms since the epoch
 * @param newest modification time of the newest file of the home; null for none
 */
export function clockFindings(now: Milliseconds, newest: Milliseconds | null): Finding[] {
  const shown = new Date(now).toISOString();
  if (now < BEGINNING) {
    return [
      finding(
        "problem",
        `The clock of this machine shows ${shown}.`,
        "Set the clock of this machine; with this time no signature is accepted.",
      ),
    ];
  }
  if (newest !== null && newest > now + AHEAD_MS) {
    return [
      finding(
        "problem",
        `The clock of this machine shows ${shown}, and a file of verdict was written ${formatDuration(newest - now)} later than that.`,
        "The clock was set back, or was too fast earlier; set the clock of this machine.",
      ),
    ];
  }
  return [finding("ok", `The clock of this machine shows ${shown}.`)];
}

/** @param aheadMs how far the sandbox's virtual time is ahead of the clock of this machine */
export function sandboxClockFinding(aheadMs: Milliseconds): Finding {
  if (Math.abs(aheadMs) < SKEW_MS)
    return finding("ok", "The clock of the sandbox agrees with the clock of this machine.");
  const where = aheadMs > 0 ? "ahead of" : "behind";
  return finding(
    "note",
    `The clock of the sandbox is ${formatDuration(Math.abs(aheadMs))} ${where} the clock of this machine, and verdict uses the time of the sandbox.`,
    'Set the clock of the sandbox back with "verdict sandbox clock reset".',
  );
}

/** Compares the service's time with the clock of this machine. */
export function serviceClockFinding(profile: string, answer: ServiceDate): Finding {
  const name = escapeText(profile, 64);
  if (answer.kind === "none") {
    return finding("note", `The time of ${name} is unknown. ${answer.explanation}`, null);
  }
  const off = Math.abs(answer.aheadMs);
  if (off < SKEW_MS) return finding("ok", `The clock of this machine agrees with the clock of ${name}.`);
  const where = answer.aheadMs > 0 ? "ahead of" : "behind";
  const what = `The clock of this machine is ${formatDuration(off)} ${where} the clock of ${name}.`;
  return off >= REFUSED_SKEW_MS
    ? finding("problem", what, "Set the clock of this machine; signatures with this time are refused.")
    : finding(
        "note",
        what,
        "Set the clock of this machine; with a larger difference signatures are refused.",
      );
}
