// Types of a loaded rule file: compiled rules, thresholds and rates.

import type { RuleMode } from "#src/contract/wire/explanation.ts";
import type { CheckRequest, RiskLevel } from "#src/contract/wire/wire.ts";
import type { DistinctPair, CountRead } from "#src/rules/counters/attempt-view.ts";
import type { NamedLists, ProjectFacts, Situation } from "#src/rules/decision/situation.ts";
import type { Condition } from "#src/rules/expressions/expression-closure.ts";
import type { CompiledExpression } from "#src/rules/expressions/expression.ts";
import type { Params } from "#src/rules/expressions/host-function.ts";
import type { EurRates } from "./eur-rates.ts";
import type { TextTemplate, TracedValue } from "./text-template.ts";

export type PerLevel<T> = Readonly<Record<RiskLevel, T>>;

export function perLevel<T>(read: (level: RiskLevel) => T): PerLevel<T> {
  return { low: read("low"), medium: read("medium"), high: read("high") };
}

export type RuleEffect = "score" | "block" | "allow" | "3ds";

/** A count that a rule reads, as listed in the explanation. */
export interface CounterUse {
  /** The call as written: its value is traced under this name. */
  readonly source: string;
  /** what is counted: `card`, or `card per payer` for distinct counts, or `spent per payer` in EUR */
  readonly key: string;
  readonly window: string;
  /** What it is compared with; null where that is neither a parameter nor a number. */
  limit(params: Params): number | null;
  /** It has to be reached before the rule says anything: no limit, since a past is nothing bad. */
  readonly isFloor: boolean;
  /** Indexes in `RuleSet.countReads` of the counts whose maximum it is; null for sums of money and the like. */
  readonly maximumOf: readonly number[] | null;
}

export interface EmbeddedTest {
  readonly name: string;
  readonly request: CheckRequest;
  readonly project: ProjectFacts;
  /** Virtual time, ms since the epoch. */
  readonly now: number;
  /**
   * Counts by `velocity/card/1h`, `distinct/card/payer/24h`, `spent/payer/24h` (EUR), `valued/payer/60d`, `micro/ip/1h` and
   * `run/24h`; those of a first attempt where not given.
   */
  readonly counts: ReadonlyMap<string, number>;
  /** Lists in place of those of the file. */
  readonly lists: NamedLists;
  readonly expect: "hit" | "no_hit" | "not_evaluated";
  readonly line: number;
}

export interface Rule {
  readonly code: string;
  readonly mode: RuleMode;
  readonly effect: RuleEffect;
  /** Weight by risk level; null unless `effect` is `score`. */
  readonly weights: PerLevel<number> | null;
  readonly params: PerLevel<Params>;
  readonly expression: CompiledExpression;
  /** When it hits, in the order of RISK_LEVELS. */
  readonly conditions: readonly Condition[];
  /** Reason of a hit. */
  readonly text: TextTemplate;
  /** Text for no hit; `text` if the file has none. */
  readonly clear: TextTemplate;
  readonly traced: readonly TracedValue[];
  readonly counters: readonly CounterUse[];
  /** Why the rule cannot be evaluated, or null. */
  missing(situation: Situation): string | null;
  /** Mode, condition, parameters and needs: rules of which it is equal hit the same payments, with the same lists and rates. */
  readonly hitsBy: string;
  readonly tests: readonly EmbeddedTest[];
}

export interface RuleSet {
  readonly name: string;
  /** SHA-256 of the file's text in hexadecimal. */
  readonly hash: string;
  readonly thresholds: PerLevel<{ readonly threeDs: number; readonly block: number }>;
  readonly rates: EurRates | null;
  readonly lists: NamedLists;
  readonly rules: readonly Rule[];
  /** The loaded text, archived to explain decisions later. */
  readonly text: string;
  /** Every count that the rules read; its order is that of the values in stored decisions. */
  readonly countReads: readonly CountRead[];
  /** Whether a run of amounts is among them. */
  readonly readsRun: boolean;
  /** Pairs whose distinct counts the rules read. */
  readonly distinctPairs: readonly DistinctPair[];
}
