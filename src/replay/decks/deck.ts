// A deck: the steps of a demonstration, with texts for the audience and the checks to send. All references are resolved.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest, RegistrationRequest, RiskLevel } from "#src/contract/wire/wire.ts";

export interface Deck {
  /** Name of a built-in deck, else the file. */
  readonly name: string;
  readonly title: string;
  /** A sentence or two for the audience. */
  readonly summary: string;
  /** Virtual time of the first check, before its own `advanceMs`. */
  readonly startAt: Milliseconds;
  /** Seed of the sandbox it runs on. */
  readonly seed: number;
  /** Every project of the steps, in their order. */
  readonly projects: readonly DeckProject[];
  /** At least one. */
  readonly steps: readonly DeckStep[];
}

export interface DeckProject {
  /** `<merchant_id>/<risk_level>` */
  readonly key: string;
  readonly registration: RegistrationRequest;
}

export interface DeckStep {
  /** Text for the audience. */
  readonly say: string;
  /** Note for the presenter. */
  readonly note: string | null;
  readonly projectKey: string;
  readonly riskLevel: RiskLevel;
  /** Whether 3-D Secure can be forced; null when unknown. */
  readonly canForce3ds: boolean | null;
  /** At least one; several where the step is repeated. */
  readonly checks: readonly DeckCheck[];
}

export interface DeckCheck {
  readonly request: CheckRequest;
  /** Null for none. */
  readonly expected: Recommendation | null;
  /** How far the virtual clock moves before it. */
  readonly advanceMs: Milliseconds;
}

/** Checks of all steps together. */
export function checkCount({ steps }: Pick<Deck, "steps">): number {
  return steps.reduce((sum, { checks }) => sum + checks.length, 0);
}
