// A back-test: current rules against proposed ones over transactions in time order, each side with its own counters.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { basisOf, reasonOf, type Assessment } from "#src/rules/decision/decide.ts";
import { decideByMany } from "#src/rules/decision/many-rule-sets.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** Most bytes of the counters of a back-test; of one side where the two have other rates. */
export const BACKTEST_BYTES = 128 * 1024 * 1024;

/** Verdict of one side on an item. */
export interface BacktestVerdict {
  readonly recommendation: Recommendation;
  readonly decidedBy: string;
  readonly score: number;
  /** Codes of live rules that hit, in file order. */
  readonly hits: readonly string[];
  /** The same as in `DecisionBasis`: the decisive one first. */
  readonly rules: readonly string[];
  /** Codes of shadow rules that hit. */
  readonly shadowHits: readonly string[];
  readonly notEvaluated: number;
}

export interface BacktestRow {
  readonly key: string;
  readonly at: Milliseconds;
  readonly current: BacktestVerdict;
  readonly proposed: BacktestVerdict;
  /** What decided on the stricter side, in words with values of the item; null where both recommend the same. */
  readonly why: string | null;
}

/** Results of a rule on both sides; null for a side without the rule. */
export interface RuleEffectCount {
  readonly code: string;
  readonly current: number | null;
  readonly proposed: number | null;
  /** Items that it hit on both sides. */
  readonly both: number;
  /** Items of the proposed side on which no other live rule hit. */
  readonly alone: number;
  /** Items of the proposed side in which it was the decisive rule. */
  readonly decided: number;
}

export interface BacktestSummary {
  readonly total: number;
  /** Rules of both sides, those of the proposed file first. */
  readonly rules: readonly RuleEffectCount[];
  /** Pairs of proposed rules that hit the same items, the most frequent first. */
  readonly overlaps: readonly { readonly codes: readonly [string, string]; readonly count: number }[];
}

/**
 * Memory does not grow with the number of items: rows are returned to the caller, and counters are bounded.
 * The live counters are not used: both sides count from zero.
 */
export function createBacktest(current: RuleSet, proposed: RuleSet) {
  const decide = decideByMany([current, proposed], BACKTEST_BYTES);
  const overlaps = new Map<string, number>();
  const none = { current: 0, proposed: 0, both: 0, alone: 0, decided: 0 };
  const rules = new Map([...proposed.rules, ...current.rules].map(({ code }) => [code, { ...none }]));
  let total = 0;

  function count(before: BacktestVerdict, after: BacktestVerdict): void {
    for (const code of before.hits) rules.get(code)!.current += 1;
    for (const [i, code] of after.hits.entries()) {
      const rule = rules.get(code)!;
      rule.proposed += 1;
      if (before.hits.includes(code)) rule.both += 1;
      if (after.hits.length === 1) rule.alone += 1;
      if (after.rules[0] === code) rule.decided += 1;
      for (const other of after.hits.slice(i + 1)) {
        const pair = `${code} ${other}`;
        overlaps.set(pair, (overlaps.get(pair) ?? 0) + 1);
      }
    }
  }

  return {
    /** Decides one item on both sides. Items come in the order of their time. */
    take(key: string, input: DecisionInput): BacktestRow {
      const [was, now] = decide(input)() as [Assessment, Assessment];
      const [before, after] = [verdictOf(current, was), verdictOf(proposed, now)];
      total += 1;
      count(before, after);
      const more = MILDEST_FIRST.indexOf(before.recommendation) - MILDEST_FIRST.indexOf(after.recommendation);
      const why = more === 0 ? null : more > 0 ? reasonOf(current, was) : reasonOf(proposed, now);
      return { key, at: input.now, current: before, proposed: after, why };
    },
    summary(): BacktestSummary {
      const has = (set: RuleSet, code: string): boolean => set.rules.some((rule) => rule.code === code);
      return {
        total,
        rules: Array.from(rules, ([code, counts]) => ({
          code,
          ...counts,
          current: has(current, code) ? counts.current : null,
          proposed: has(proposed, code) ? counts.proposed : null,
        })),
        overlaps: Array.from(overlaps, ([pair, times]) => ({
          codes: pair.split(" ") as [string, string],
          count: times,
        })).sort((a, b) => b.count - a.count || (a.codes.join() < b.codes.join() ? -1 : 1)),
      };
    },
  };
}

function verdictOf(ruleSet: RuleSet, assessment: Assessment): BacktestVerdict {
  const { recommendation, decidedBy, score, outcomes } = assessment;
  const codes = (mode: "live" | "shadow"): string[] =>
    ruleSet.rules.filter((rule, i) => outcomes[i] === "hit" && rule.mode === mode).map(({ code }) => code);
  return {
    recommendation,
    decidedBy,
    score,
    hits: codes("live"),
    rules: basisOf(ruleSet, assessment).rules,
    shadowHits: codes("shadow"),
    notEvaluated: outcomes.filter((outcome) => outcome === "not_evaluated").length,
  };
}
