// A project as the client stores it: one registration and its state.

import { anyNumber, anyText, choice, openMap, orNothing, type Of } from "#src/contract/text/shape.ts";
import { CREDENTIAL_WINDOW_MS, type Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";

/**
 * - `registering`: the intent is on disk, no answer yet (after a crash: unknown)
 * - `registered`: a success, or a 409 that says it exists
 * - `unknown`: the request left and no trustworthy answer came; the credential request resolves it
 * - `ready`: a credential is in the vault
 * - `removed`: it was, and is no longer
 * - `closed`: the 24 hours are over without a credential
 * - `refused`: the service refused the registration
 */
export const PROJECT_STATES = [
  "registering",
  "registered",
  "unknown",
  "ready",
  "removed",
  "closed",
  "refused",
] as const;
export type ProjectState = (typeof PROJECT_STATES)[number];

export const PROJECT = openMap({
  key: anyText(
    "`<merchant_id>/<risk_level>`: unique within a profile, because a credential request holds nothing else (spec 2.7).",
  ),
  profile: anyText(),
  companyId: anyText("Empty when unknown."),
  merchantId: anyText(),
  riskLevel: choice(RISK_LEVELS),
  name: anyText(),
  description: orNothing(anyText()),
  currency: orNothing(anyNumber("ISO 4217 numeric code; null when entered by hand with a credential only.")),
  state: choice(PROJECT_STATES),
  startedAt: anyNumber(
    "Time of the first byte of the first registration attempt: the earliest start of the 24 hours. Virtual on a sandbox.",
  ),
  provenStartAt: orNothing(anyNumber("Later start proven by the server's `Date` (or virtual time).")),
  serviceOffsetMs: orNothing(
    anyNumber(
      "Service time minus local time at the last answer, in ms: countdowns stay right when the local clock is wrong.",
    ),
  ),
  projectId: orNothing(anyText("From the credential (spec 2.8).")),
});

export type Project = Of<typeof PROJECT>;

/** False for a project entered by its credential alone, whose name, company and registration time are unknown. */
export function isRegisteredHere({ currency }: Pick<Project, "currency">): boolean {
  return currency !== null;
}

/** Start of the 24 hours in the service's time (spec section 8): the latest proven one, else the first attempt. */
export function windowStart({
  provenStartAt,
  startedAt,
}: Pick<Project, "provenStartAt" | "startedAt">): Milliseconds {
  return provenStartAt ?? startedAt;
}

/** End of the window in the service's time, exclusive (spec section 8). */
export function windowEnd(project: Pick<Project, "provenStartAt" | "startedAt">): Milliseconds {
  return windowStart(project) + CREDENTIAL_WINDOW_MS;
}

export function projectKey(merchantId: string, riskLevel: RiskLevel): string {
  return `${merchantId}/${riskLevel}`;
}
