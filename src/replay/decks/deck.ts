// A deck: the steps of a demonstration, with texts for the audience and the checks to send. All references are resolved.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import type { CheckRequest, RegistrationRequest, RiskLevel } from "#src/contract/wire/wire.ts";
import type { VerdictKind } from "#src/display/verdict.ts";

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
  /** What the audience reads in place of words of the program, such as those of the verdicts. */
  readonly words: DeckWords;
}

/** Words of the program by their name in a deck; one that is missing stays English. */
export type DeckWords = ReadonlyMap<string, string>;

/** Rules of a deck. */
export interface DeckRules {
  /** `starter`, or the name of the file without its folders, for the audience. */
  readonly name: string;
  /** Of the file; null for the starter rules. */
  readonly text: string | null;
  /** Whether the text is a list of rules that stand behind the starter rules, and no file of its own. */
  readonly isAddition?: true;
}

export const STARTER_RULES: DeckRules = { name: "starter", text: null };

/** A day of payments: a file or folder of the user, or a file of the program. */
export type DeckDay = { readonly path: string } | { readonly inProgram: string };

/** Where a deck takes the files from that it names. */
export interface DeckFiles {
  /** @throws Fault for a rule file that cannot be read */
  rules(name: string): Omit<DeckRules, "name">;
  /** @throws Fault for a day that is not there */
  day(name: string): DeckDay;
}

/** A counter to watch: `card/1h`. */
export interface WatchedCounter {
  /** As `CounterReading.key`: `card`, `ip`, `card per payer` */
  readonly key: string;
  readonly window: string;
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
  /** Seconds that it is shown when a deck advances by itself; null for as long as there is something to read. */
  readonly seconds: number | null;
  /** Rules in force from this step on; null for those before. */
  readonly rules: DeckRules | null;
  /** The counters to show, in this order and each in its place; null for the fullest ones. */
  readonly watch: readonly WatchedCounter[] | null;
  /** What goes wrong with each check of this step; null for nothing. */
  readonly fault: FaultEffect | null;
  /** Two or three answers to the same payment, side by side; empty for one answer. */
  readonly sides: readonly DeckSide[];
  /** Several where the step is repeated; none where a day runs past. */
  readonly checks: readonly DeckCheck[];
  /** A day of payments that runs past; null for checks. */
  readonly stream: DeckStream | null;
}

/** One of the answers side by side. */
export interface DeckSide {
  /** For the audience: the risk level, or the name of the rules. */
  readonly title: string;
  readonly projectKey: string;
  readonly riskLevel: RiskLevel;
  /** The rules of this side; it has counted all payments of the deck by itself. Null for those in force. */
  readonly rules: DeckRules | null;
  /** Null for none. */
  readonly expected: VerdictKind | null;
}

/** A day of payments that runs past, under two rule sets. */
export interface DeckStream {
  readonly day: DeckDay;
  /** How long it takes to run past. */
  readonly overMs: Milliseconds;
  readonly today: DeckRules;
  /** Null where only one rule set is shown. */
  readonly proposed: DeckRules | null;
  /** Keys or orders of payments at which it stops. */
  readonly stopAt: readonly string[];
}

export interface DeckCheck {
  readonly request: CheckRequest;
  /** Null for none. */
  readonly expected: VerdictKind | null;
  /** How far the virtual clock moves before it. */
  readonly advanceMs: Milliseconds;
}

/** Frames of a step: one a check, and one for a day that runs past. */
export function frameCount({ steps }: Pick<Deck, "steps">): number {
  return steps.reduce((sum, { checks, stream }) => sum + (stream === null ? checks.length : 1), 0);
}

/** Checks of all steps together. */
export function checkCount({ steps }: Pick<Deck, "steps">): number {
  return steps.reduce((sum, { checks }) => sum + checks.length, 0);
}
