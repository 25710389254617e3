// The window in which a credential can be fetched (spec 2.8, section 8): from a short delay up to exactly 24 hours.

import { CREDENTIAL_WINDOW_MS, type Milliseconds } from "#src/contract/wire/clock.ts";
import type { SandboxProject } from "./stored-accounts.ts";

export type WindowState =
  | { readonly is: "not_ready"; readonly retryAfterS: number }
  | { readonly is: "open" }
  /** The window has closed: at 24 h 00 min 00 s and later. */
  | { readonly is: "closed" };

/** Age of a registration in ms of virtual time. */
export function registrationAge(project: SandboxProject, now: Milliseconds): Milliseconds {
  return Math.max(now - project.registeredAt, project.ageFloorMs);
}

export function credentialWindow(
  project: SandboxProject,
  now: Milliseconds,
  delayMs: Milliseconds,
): WindowState {
  const age = registrationAge(project, now);
  if (age >= CREDENTIAL_WINDOW_MS) return { is: "closed" };
  if (age < delayMs) return { is: "not_ready", retryAfterS: Math.ceil((delayMs - age) / 1000) };
  return { is: "open" };
}
