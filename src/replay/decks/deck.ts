// A deck: a story for an audience, made of steps that are said and checks that are really sent. Everything in it is resolved.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest, RegistrationRequest, RiskLevel } from "#src/contract/wire/wire.ts";

export interface Deck {
  /** Name of a built-in deck, else the file. */
  readonly name: string;
  readonly title: string;
  /** A sentence or two about what the audience is going to see. */
  readonly summary: string;
  /** Virtual time of the first check, before its own `advanceMs`. */
  readonly startAt: Milliseconds;
  /** Seed of the sandbox it runs on. */
  readonly seed: number;
  /** Every project that a step uses, in the order of the steps. */
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
  /** What is said to the audience, for somebody who does not read JSON. */
  readonly say: string;
  /** For the presenter alone. */
  readonly note: string | null;
  readonly projectKey: string;
  readonly riskLevel: RiskLevel;
  /** Whether 3-D Secure can be forced; null when nobody has said so. */
  readonly canForce3ds: boolean | null;
  /** At least one; several where the step is repeated. */
  readonly checks: readonly DeckCheck[];
}

export interface DeckCheck {
  readonly request: CheckRequest;
  /** Null where the deck expects nothing in particular. */
  readonly expected: Recommendation | null;
  /** How far the virtual clock moves before it. */
  readonly advanceMs: Milliseconds;
}

/** Checks of all steps together. */
export function checkCount({ steps }: Pick<Deck, "steps">): number {
  return steps.reduce((sum, { checks }) => sum + checks.length, 0);
}
