// The 24-hour window of a project: which phase it is in, and how long it lasts, by the service clock.

import { windowEnd, windowStart, type Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/**
 * - `waiting`: registered, and too early to ask politely
 * - `ready`: the recommended time has come
 * - `soon`: less than an hour is left
 * - `last_minutes`: less than ten minutes are left
 * - `closed`: the 24 hours are over; only the administrative panel has the credential now
 */
export type WindowPhase = "waiting" | "ready" | "soon" | "last_minutes" | "closed";

export interface ProjectWindow {
  readonly phase: WindowPhase;
  /** Service time from which asking is polite, in ms since the epoch. */
  readonly recommendedAt: Milliseconds;
  /** What is left until then; zero or negative when it has come. */
  readonly untilRecommended: Milliseconds;
  /** What is left of the 24 hours; zero or negative when they are over. */
  readonly untilClosed: Milliseconds;
}

const SOON_MS: Milliseconds = 60 * 60 * 1000;
const LAST_MINUTES_MS: Milliseconds = 10 * 60 * 1000;

/**
 * Where a project stands in its 24 hours (spec sections 3 and 4.3).
 * Computed from instants and never from ticks, so that it is right after a restart and after a suspended machine.
 * @param waitMs recommended wait after the registration, in ms
 * @param now the service's time, in ms since the epoch
 * @returns null for a project that has no window to watch: its credential is here, or it was refused
 */
export function projectWindow(
  project: Project,
  waitMs: Milliseconds,
  now: Milliseconds,
): ProjectWindow | null {
  if (project.state === "ready" || project.state === "refused") return null;
  const startedAt = windowStart(project);
  const recommendedAt = startedAt + waitMs;
  const untilRecommended = recommendedAt - now;
  const untilClosed = windowEnd(project) - now;
  // The service's own word that it is over (410) stands above every computation.
  const phase = project.state === "closed" ? "closed" : phaseOf(untilRecommended, untilClosed);
  return { phase, recommendedAt, untilRecommended, untilClosed };
}

function phaseOf(untilRecommended: Milliseconds, untilClosed: Milliseconds): WindowPhase {
  // Closed at exactly 24 hours (spec section 8).
  if (untilClosed <= 0) return "closed";
  if (untilClosed < LAST_MINUTES_MS) return "last_minutes";
  if (untilClosed < SOON_MS) return "soon";
  return untilRecommended > 0 ? "waiting" : "ready";
}
