// The explanation of a decision with all compared values: written by the rules, stored by the sandbox, shown by front ends.

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
  /** The missing field or data, when it was not evaluated. */
  readonly missing?: string;
}

export interface CounterReading {
  /** what is counted, e.g. `card`, `ip`, `email` */
  readonly key: string;
  /** e.g. `1h`, `24h` */
  readonly window: string;
  readonly value: number;
  /** What it is compared with; null where that is no limit. */
  readonly limit: number | null;
}

/** A change of one value that would have changed the recommendation, found by repeating the decision. */
export interface FlipPoint {
  /** `amount`, in minor units, or a count by its name in a condition, e.g. `velocity("card", "1h")`. */
  readonly what: string;
  readonly from: number;
  /** The nearest value at which the recommendation changes. */
  readonly to: number;
  readonly recommendation: Recommendation;
  /** The same in words. */
  readonly text: string;
  /** The same in parts; explanations of earlier versions have none. */
  readonly parts?: FlipParts;
}

interface FlipParts {
  /** `amount`, `attempts with this card in 1 h` */
  readonly what: string;
  readonly now: string;
  readonly needed: string;
  /** Code of the heaviest rule that tips it; null where a threshold alone does. */
  readonly rule: string | null;
}

/** Why a transaction got its recommendation; self-contained, so that it stays readable when rules change. */
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
   * What decided: `hard_block`, `allow_list`, `block_score`, `require_3ds`, `3ds_score` or `pass`; `magic` where the order id
   * overrode the rules.
   */
  readonly decidedBy: string;
  /** The deciding rules first, then the other hits by weight, then rules not evaluated, then the rest. */
  readonly rules: readonly RuleTrace[];
  readonly counters: readonly CounterReading[];
  /** What would flip it, the nearest first; absent where it was not computed. */
  readonly flips?: readonly FlipPoint[];
  /** SHA-256 of the rule file in hexadecimal. */
  readonly ruleSetHash: string;
  /** True when this is the stored answer to an identical repeat, which was not counted again. */
  readonly repeat: boolean;
}

/** Live rules that hit: the one that decided first, then by weight. */
export function hitsOf({ rules }: Pick<Explanation, "rules">): readonly RuleTrace[] {
  return rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live");
}

/**
 * The fewest rules without which the payment passes; none where it does, and where its rules do not explain it. Decided as a
 * rule set decides: blocking rules beat the allow list, which beats the score and required 3-D Secure.
 */
export function rulesAgainstPass(explained: Omit<Explanation, "id" | "flips">): readonly RuleTrace[] {
  const { recommendation, decidedBy, score, thresholds } = explained;
  if (recommendation === "pass" || decidedBy === "magic") return [];
  const hits = hitsOf(explained);
  const blocking = hits.filter(({ effect }) => effect === "block");
  if (hits.some(({ effect }) => effect === "allow")) return blocking;
  const needed = hits.filter(({ effect }) => effect === "block" || effect === "3ds");
  let left = score;
  const weightOf = ({ weight }: RuleTrace): number => weight ?? 0;
  for (const rule of hits.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    if (left < thresholds.threeDs || weightOf(rule) <= 0) break;
    left -= weightOf(rule);
    needed.push(rule);
  }
  return left < thresholds.threeDs ? needed : [];
}
