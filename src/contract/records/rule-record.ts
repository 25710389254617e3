// What the rules of a service have done to the checks of some time, by what became of the payments.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Label } from "./label.ts";
import type { RuleWorth } from "./outcomes.ts";

/** Checks that agree in all by which rules are judged. */
export interface DecidedGroup {
  /** Codes of the live rules that hit, the decisive one first. */
  readonly rules: readonly string[];
  readonly label: Label | null;
  /** ISO 4217 number; null where the payment had none. */
  readonly currency: number | null;
  readonly count: number;
  /** Sum of the amounts that are known, about. */
  readonly amount: number;
}

const NONE = { bad: { count: 0, eur: 0 }, good: { count: 0, eur: 0 }, unlabelled: { count: 0, eur: 0 } };
/** Of a rule that never hit. */
export const NO_RECORD: RuleWorth = { hits: NONE, alone: NONE };

export interface RuleRecords {
  readonly since: Milliseconds;
  /** Checks whose rules the service said. */
  readonly checks: number;
  /** Those whose outcome is known: precision means something only with both kinds. */
  readonly labelled: { readonly bad: number; readonly good: number };
  /** By code; a rule that never hit is missing. */
  readonly rules: ReadonlyMap<string, RuleWorth>;
}
