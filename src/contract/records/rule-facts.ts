// The active rule set as data for display: conditions, parameters, effects and tests of the rules.

import type { RuleMode, RuleOutcome, RuleTrace } from "#src/contract/wire/explanation.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";

type ByLevel<T> = Readonly<Record<RiskLevel, T>>;

export interface RuleFacts {
  readonly code: string;
  readonly mode: RuleMode;
  readonly effect: RuleTrace["effect"];
  /** Weight of a hit by risk level; null unless `effect` is `score`. */
  readonly weights: ByLevel<number> | null;
  /** As written in the rule file. */
  readonly condition: string;
  /** Parameters of the condition in the order of the file; a list is shortened. */
  readonly params: readonly { readonly name: string; readonly values: ByLevel<string> }[];
  /** Reason of a hit with its `{names}` unfilled. */
  readonly text: string;
  /** The tests that the file carries; all of them passed when it was loaded. */
  readonly tests: readonly { readonly name: string; readonly expect: RuleOutcome }[];
}

export interface RuleSetFacts {
  /** SHA-256 of the rule file in hexadecimal. */
  readonly hash: string;
  readonly thresholds: ByLevel<{ readonly threeDs: number; readonly block: number }>;
  /** In the order of the file. */
  readonly rules: readonly RuleFacts[];
}
