// From an attempt to a recommendation, with every compared value on record.

import type { CounterReading, Explanation, RuleOutcome, RuleTrace } from "#src/contract/explanation.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import type { RiskLevel } from "#src/contract/wire.ts";
import type { Address } from "./address.ts";
import { ADVICE } from "./advice.ts";
import { attemptOf } from "./attempt.ts";
import { readCounts } from "./count-reads.ts";
import type { Counters } from "./counters.ts";
import type { CounterKeys } from "./counter-keys.ts";
import { NO_IP_COUNTRY } from "./missing.ts";
import type { Rule, RuleEffect, RuleSet } from "./rule-set.ts";
import { createSituation, type Facts, type Situation } from "./situation.ts";

export type { Facts } from "./situation.ts";

/** An explanation without the parts that belong to the answer it is given in. */
export type DecisionDraft = Omit<Explanation, "id" | "orderId" | "repeat">;

/** Counts the attempt, then decides about it: every count includes it. */
export function decide(ruleSet: RuleSet, facts: Facts, counters: Counters): DecisionDraft {
  return explain(ruleSet, assessRecorded(ruleSet, facts, counters));
}

/** What `decide` would say; the counters stay as they are. For what-if questions. */
export function preview(ruleSet: RuleSet, facts: Facts, counters: Counters): DecisionDraft {
  const { attempt, address } = attemptOf(ruleSet, facts, counters);
  const counts = readCounts(ruleSet.countReads, counters.peek(facts.now, attempt));
  return explain(ruleSet, assess(ruleSet, facts, attempt.keys, counts, address));
}

/** Counts the attempt and judges it without words: for those who judge many and explain few. */
export function assessRecorded(ruleSet: RuleSet, facts: Facts, counters: Counters): Assessment {
  const { attempt, address } = attemptOf(ruleSet, facts, counters);
  const counts = readCounts(ruleSet.countReads, counters.record(facts.now, attempt));
  return assess(ruleSet, facts, attempt.keys, counts, address);
}

/** What became of every rule, by its place in the rule set, and what follows from it. `explain` puts it into words. */
export interface Assessment {
  readonly situation: Situation;
  readonly outcomes: readonly RuleOutcome[];
  /** Why a rule was not evaluated; null where it was. */
  readonly missing: readonly (string | null)[];
  readonly recommendation: Recommendation;
  readonly decidedBy: string;
  readonly score: number;
  /** Place of the rule that weighs most in this; null when none hit. */
  readonly reason: number | null;
}

/**
 * Judges by given counts. Pure.
 * @param counts in the order of `RuleSet.countReads`
 * @param address `payer_ip` as `readAddress` reads it, where that was done before
 */
export function assess(
  ruleSet: RuleSet,
  facts: Facts,
  keys: CounterKeys,
  counts: readonly number[],
  address?: Address | null,
): Assessment {
  const situation = createSituation(facts, keys, counts, ruleSet, address);
  const outcomes: RuleOutcome[] = [];
  const missing: (string | null)[] = [];
  for (const rule of ruleSet.rules) {
    const { outcome, reason } = tryRule(rule, situation);
    outcomes.push(outcome);
    missing.push(reason);
  }
  return { situation, outcomes, missing, ...judge(ruleSet, facts.project.riskLevel, outcomes) };
}

/** The whole explanation. It depends on nothing but the assessment, so that it can be built later than the decision. */
export function explain(ruleSet: RuleSet, assessment: Assessment): DecisionDraft {
  const { situation, outcomes, missing, recommendation, decidedBy, score, reason } = assessment;
  const { project, now } = situation.facts;
  const traces = ruleSet.rules.map((rule, i) => traceOf(rule, situation, outcomes[i]!, missing[i] ?? null));
  return {
    recommendation,
    message: messageOf(ruleSet, assessment),
    at: now,
    projectId: project.projectId,
    riskLevel: project.riskLevel,
    score,
    thresholds: ruleSet.thresholds[project.riskLevel],
    decidedBy,
    rules: inOrder(traces, reason),
    counters: readings(ruleSet, traces, project.riskLevel),
    ruleSetHash: ruleSet.hash,
  };
}

/** The recommendation and its strongest reason in words: all that an answer says of them. */
export function messageOf(ruleSet: RuleSet, assessment: Assessment): string {
  const { situation, outcomes, recommendation, decidedBy, reason } = assessment;
  const rule = reason === null ? undefined : ruleSet.rules[reason];
  const text = rule === undefined ? null : traceOf(rule, situation, outcomes[reason!]!, null).text;
  return messageFor(recommendation, decidedBy, text, unknownRules(ruleSet, assessment));
}

/** One rule in one situation. A rule that is off, or lacks a field or data, is not evaluated and says why. */
export function traceRule(rule: Rule, situation: Situation): RuleTrace {
  const { outcome, reason } = tryRule(rule, situation);
  return traceOf(rule, situation, outcome, reason);
}

function tryRule(rule: Rule, situation: Situation): { outcome: RuleOutcome; reason: string | null } {
  const reason = rule.mode === "off" ? "the rule is off" : rule.missing(situation);
  if (reason !== null) return { outcome: "not_evaluated", reason };
  try {
    return rule.hits[situation.facts.project.riskLevel](situation) ? HIT : NO_HIT;
  } catch {
    return { outcome: "not_evaluated", reason: "the condition has no value for this attempt" };
  }
}

const HIT = { outcome: "hit", reason: null } as const;
const NO_HIT = { outcome: "no_hit", reason: null } as const;

function traceOf(rule: Rule, situation: Situation, outcome: RuleOutcome, reason: string | null): RuleTrace {
  const level = situation.facts.project.riskLevel;
  const { code, mode, effect } = rule;
  const weight = rule.weights?.[level] ?? null;
  if (reason !== null) {
    return {
      code,
      text: `Not evaluated: ${reason}`,
      outcome,
      mode,
      weight,
      effect,
      values: {},
      missing: reason,
    };
  }
  const params = rule.params[level];
  const values: Record<string, string | number | boolean | null> = {};
  for (const { name, read } of rule.traced) values[name] = read(situation, params);
  const text = (outcome === "hit" ? rule.text : rule.clear).fill(situation, values);
  return { code, text, outcome, mode, weight, effect, values };
}

/** Live rules that could not be evaluated, for a reason that lies in the attempt. */
function unknownRules({ rules }: RuleSet, { outcomes, missing }: Assessment): number {
  let count = 0;
  for (let i = 0; i < outcomes.length; i++) {
    if (outcomes[i] !== "not_evaluated" || missing[i] === NO_IP_COUNTRY) continue;
    if (rules[i]!.mode === "live") count += 1;
  }
  return count;
}

/** Hard block, then allow list, then block score, then required 3-D Secure or its score, then pass. */
function judge(
  { rules, thresholds }: RuleSet,
  level: RiskLevel,
  outcomes: readonly RuleOutcome[],
): Pick<Assessment, "recommendation" | "decidedBy" | "score" | "reason"> {
  const first: Partial<Record<RuleEffect, number>> = {};
  let score = 0;
  let heaviest = 0;
  for (let i = 0; i < outcomes.length; i++) {
    if (outcomes[i] !== "hit") continue;
    const { mode, effect, weights } = rules[i]!;
    if (mode !== "live") continue;
    if (weights === null) {
      first[effect] ??= i;
      continue;
    }
    const weight = weights[level];
    score += weight;
    if (weight <= heaviest) continue;
    heaviest = weight;
    first.score = i;
  }
  const { threeDs, block } = thresholds[level];
  const strongest = first.score ?? null;
  if (first.block !== undefined) {
    return { recommendation: "block", decidedBy: "hard_block", score, reason: first.block };
  }
  if (first.allow !== undefined) {
    return { recommendation: "pass", decidedBy: "allow_list", score, reason: first.allow };
  }
  if (score >= block) return { recommendation: "block", decidedBy: "block_score", score, reason: strongest };
  if (first["3ds"] !== undefined) {
    return { recommendation: "3ds_or_block", decidedBy: "require_3ds", score, reason: first["3ds"] };
  }
  if (score >= threeDs) {
    return { recommendation: "3ds_or_block", decidedBy: "3ds_score", score, reason: strongest };
  }
  return { recommendation: "pass", decidedBy: "pass", score, reason: strongest };
}

function messageFor(
  recommendation: Recommendation,
  decidedBy: string,
  reason: string | null,
  unevaluated: number,
): string {
  const unknown =
    unevaluated === 0
      ? ""
      : `; ${unevaluated} ${unevaluated === 1 ? "rule" : "rules"} not evaluated for lack of data`;
  if (reason === null) return `${ADVICE[recommendation]}: no rule had an objection${unknown}.`;
  const weak = decidedBy === "pass" ? "strongest of the minor reasons: " : "";
  return `${ADVICE[recommendation]}: ${weak}${reason}${decidedBy === "pass" ? unknown : ""}.`;
}

/**
 * What decided; then hits by weight, those that count before shadow ones; then what was not evaluated; then the rest in
 * file order.
 */
function inOrder(traces: readonly RuleTrace[], reason: number | null): RuleTrace[] {
  const hits: RuleTrace[] = [];
  const unevaluated: RuleTrace[] = [];
  const rest: RuleTrace[] = [];
  for (const trace of traces) {
    if (trace.outcome === "no_hit") rest.push(trace);
    else if (trace.outcome === "hit") hits.push(trace);
    else unevaluated.push(trace);
  }
  // Two hard rules have no weight to tell which of them decided.
  const decisive = reason === null ? undefined : traces[reason];
  const heaviness = (trace: RuleTrace): number => {
    if (trace === decisive) return Infinity;
    return (trace.mode === "live" ? 100_000 : 0) + (trace.weight ?? 10_000);
  };
  hits.sort((a, b) => heaviness(b) - heaviness(a));
  return [...hits, ...unevaluated, ...rest];
}

/** Every count that the rules read, with what it was compared with. */
function readings(ruleSet: RuleSet, traces: readonly RuleTrace[], level: RiskLevel): CounterReading[] {
  const found: CounterReading[] = [];
  for (const [i, { counters, params }] of ruleSet.rules.entries()) {
    for (const { source, key, window, limit } of counters) {
      const value = traces[i]!.values[source];
      if (typeof value !== "number") continue;
      found.push({ key, window, value, limit: limit(params[level]) });
    }
  }
  return found;
}
