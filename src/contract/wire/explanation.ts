// A decision explained down to the compared values: written by the rules, stored by the sandbox, shown by every front end.

import type { Milliseconds } from "./clock.ts";
import type { Recommendation } from "./recommendation.ts";
import type { RiskLevel } from "./wire.ts";

export type RuleOutcome = "hit" | "no_hit" | "not_evaluated";
export type RuleMode = "live" | "shadow" | "off";

/** One rule's part in a decision. */
export interface RuleTrace {
  readonly code: string;
  /** Readable reason with the values filled in, e.g. `6 attempts with this card in 1 h (limit 3)`. */
  readonly text: string;
  readonly outcome: RuleOutcome;
  readonly mode: RuleMode;
  /** Weight added to the score on a hit; null for a hard rule. */
  readonly weight: number | null;
  /** `block`: beats the score; `allow` and `3ds`: lists and requirements. */
  readonly effect: "score" | "block" | "allow" | "3ds";
  /** Every compared value by the name it has in the expression, e.g. `{"velocity(\"card\", \"1h\")": 6, "limit": 3}`. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  /** Why it was not evaluated: the missing field or data. */
  readonly missing?: string;
}

export interface CounterReading {
  /** what is counted, e.g. `card`, `ip`, `email` */
  readonly key: string;
  /** e.g. `1h`, `24h` */
  readonly window: string;
  readonly value: number;
  readonly limit: number | null;
}

/** What would have changed the recommendation: one value, everything else left as it was. Found by deciding, not by guessing. */
export interface FlipPoint {
  /** `amount`, in minor units, or a count by the name it has in a condition, e.g. `velocity("card", "1h")`. */
  readonly what: string;
  readonly from: number;
  /** The nearest value at which the recommendation is another one. */
  readonly to: number;
  readonly recommendation: Recommendation;
  /** The same in words. */
  readonly text: string;
}

/** Why a transaction got its recommendation. Everything needed to explain it for ever is in here. */
export interface Explanation {
  readonly id: string;
  readonly recommendation: Recommendation;
  readonly message: string;
  /** Virtual time of the decision. */
  readonly at: Milliseconds;
  readonly projectId: string;
  readonly riskLevel: RiskLevel;
  readonly orderId: string | null;
  readonly score: number;
  readonly thresholds: { readonly threeDs: number; readonly block: number };
  /**
   * What decided: `hard_block`, `allow_list`, `block_score`, `require_3ds`, `3ds_score` or `pass`; `magic` where the
   * order id forced it, whatever the rules say.
   */
  readonly decidedBy: string;
  /** What decided first, then the other hits by weight, then rules not evaluated, then the rest. */
  readonly rules: readonly RuleTrace[];
  readonly counters: readonly CounterReading[];
  /** What would flip it, the nearest first; absent where nobody looked, empty where nothing near does. */
  readonly flips?: readonly FlipPoint[];
  /** SHA-256 of the rule file in hexadecimal. */
  readonly ruleSetHash: string;
  /** True when this is the stored answer to an identical repeat, which was not counted again. */
  readonly repeat: boolean;
}
