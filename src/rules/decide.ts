// From an attempt to a recommendation, with every compared value on record.

import type { CounterReading, Explanation, RuleTrace } from "#src/contract/explanation.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import type { RiskLevel } from "#src/contract/wire.ts";
import type { Attempt, Counters, CounterView } from "./counters.ts";
import type { CounterKeys } from "./counter-keys.ts";
import { amountInEur } from "./eur-rates.ts";
import type { Rule, RuleSet } from "./rule-set.ts";
import { createSituation, type Facts, type Situation } from "./situation.ts";

export type { Facts } from "./situation.ts";

/** An explanation without the parts that belong to the answer it is given in. */
export type DecisionDraft = Omit<Explanation, "id" | "orderId" | "repeat">;

/** Counts the attempt, then decides about it: every count includes it. */
export function decide(ruleSet: RuleSet, facts: Facts, counters: Counters): DecisionDraft {
  const { keys, attempt } = attemptOf(ruleSet, facts, counters);
  return decideWithCounts(ruleSet, facts, keys, counters.record(facts.now, attempt));
}

/** What `decide` would say; the counters stay as they are. For what-if questions and back-tests. */
export function preview(ruleSet: RuleSet, facts: Facts, counters: Counters): DecisionDraft {
  const { keys, attempt } = attemptOf(ruleSet, facts, counters);
  return decideWithCounts(ruleSet, facts, keys, counters.peek(facts.now, attempt));
}

/** Decides by given counts. Pure. */
export function decideWithCounts(
  ruleSet: RuleSet,
  facts: Facts,
  keys: CounterKeys,
  counts: CounterView,
): DecisionDraft {
  const { riskLevel, projectId } = facts.project;
  const situation = createSituation(facts, keys, counts, ruleSet.rates);
  const traces = ruleSet.rules.map((rule) => traceRule(rule, situation));
  const counters = readings(ruleSet, traces, riskLevel);
  const rules = inOrder(traces);
  const hits = rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live");
  const score = hits.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  const thresholds = ruleSet.thresholds[riskLevel];
  const { recommendation, decidedBy, reason } = judge(hits, score, thresholds);
  const unevaluated = rules.filter(
    ({ outcome, mode }) => outcome === "not_evaluated" && mode === "live",
  ).length;
  return {
    recommendation,
    message: messageFor(recommendation, decidedBy, reason, unevaluated),
    at: facts.now,
    projectId,
    riskLevel,
    score,
    thresholds,
    decidedBy,
    rules,
    counters,
    ruleSetHash: ruleSet.hash,
  };
}

/** One rule in one situation. A rule that is off, or lacks a field or data, is not evaluated and says why. */
export function traceRule(rule: Rule, situation: Situation): RuleTrace {
  const level = situation.facts.project.riskLevel;
  const { code, mode, effect } = rule;
  const weight = rule.weights?.[level] ?? null;
  const missing = mode === "off" ? "the rule is off" : rule.missing(situation);
  const notEvaluated = (reason: string): RuleTrace => {
    return {
      code,
      text: `Not evaluated: ${reason}`,
      outcome: "not_evaluated",
      mode,
      weight,
      effect,
      values: {},
      missing: reason,
    };
  };
  if (missing !== null) return notEvaluated(missing);
  const params = rule.params[level];
  try {
    const hit = rule.expression.evaluate(situation, params);
    const values: Record<string, string | number | boolean | null> = {};
    for (const { name, read } of rule.traced) values[name] = read(situation, params);
    const text = (hit ? rule.text : rule.clear).fill(situation, values);
    return { code, text, outcome: hit ? "hit" : "no_hit", mode, weight, effect, values };
  } catch {
    return notEvaluated("the condition has no value for this attempt");
  }
}

function attemptOf(
  ruleSet: RuleSet,
  facts: Facts,
  counters: Counters,
): { keys: CounterKeys; attempt: Attempt } {
  const { amount, currency } = facts.request;
  const keys = counters.keysOf(facts.request, facts.project.projectId);
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  const eur = known ? amountInEur(amount!, currency!, ruleSet.rates) : null;
  return { keys, attempt: { keys, pairs: ruleSet.distinctPairs, eurCents: Math.round((eur ?? 0) * 100) } };
}

interface Judgement {
  readonly recommendation: Recommendation;
  readonly decidedBy: string;
  /** The rule that weighs most in this; null when none hit. */
  readonly reason: RuleTrace | null;
}

/** Hard block, then allow list, then block score, then required 3-D Secure or its score, then pass. */
function judge(hits: readonly RuleTrace[], score: number, thresholds: Explanation["thresholds"]): Judgement {
  const first = (effect: RuleTrace["effect"]): RuleTrace | null =>
    hits.find((hit) => hit.effect === effect) ?? null;
  const hard = first("block");
  if (hard) return { recommendation: "block", decidedBy: "hard_block", reason: hard };
  const allowed = first("allow");
  if (allowed) return { recommendation: "pass", decidedBy: "allow_list", reason: allowed };
  const strongest = first("score");
  if (score >= thresholds.block)
    return { recommendation: "block", decidedBy: "block_score", reason: strongest };
  const required = first("3ds");
  if (required) return { recommendation: "3ds_or_block", decidedBy: "require_3ds", reason: required };
  if (score >= thresholds.threeDs) {
    return { recommendation: "3ds_or_block", decidedBy: "3ds_score", reason: strongest };
  }
  return { recommendation: "pass", decidedBy: "pass", reason: strongest };
}

const ADVICE: Readonly<Record<Recommendation, string>> = {
  pass: "Continue processing",
  block: "Block the transaction",
  "3ds_or_block": "Send to 3-D Secure, or block if it cannot be forced",
};

function messageFor(
  recommendation: Recommendation,
  decidedBy: string,
  reason: RuleTrace | null,
  unevaluated: number,
): string {
  const unknown =
    unevaluated === 0
      ? ""
      : `; ${unevaluated} ${unevaluated === 1 ? "rule" : "rules"} not evaluated for lack of data`;
  if (reason === null) return `${ADVICE[recommendation]}: no rule had an objection${unknown}.`;
  const weak = decidedBy === "pass" ? "strongest of the minor reasons: " : "";
  return `${ADVICE[recommendation]}: ${weak}${reason.text}${decidedBy === "pass" ? unknown : ""}.`;
}

/** Hits by weight, those that count before shadow ones; then what was not evaluated; then the rest in file order. */
function inOrder(traces: readonly RuleTrace[]): RuleTrace[] {
  const heaviness = ({ mode, weight }: RuleTrace): number =>
    (mode === "live" ? 100_000 : 0) + (weight ?? 10_000);
  const hits = traces
    .filter(({ outcome }) => outcome === "hit")
    .toSorted((a, b) => heaviness(b) - heaviness(a));
  const unevaluated = traces.filter(({ outcome }) => outcome === "not_evaluated");
  return [...hits, ...unevaluated, ...traces.filter(({ outcome }) => outcome === "no_hit")];
}

/** Every count that the rules read, with what it was compared with. */
function readings(ruleSet: RuleSet, traces: readonly RuleTrace[], level: RiskLevel): CounterReading[] {
  const found: CounterReading[] = [];
  for (const [i, { counters, params }] of ruleSet.rules.entries()) {
    for (const { source, key, window, limit } of counters) {
      const value = traces[i]!.values[source];
      if (typeof value === "number") found.push({ key, window, value, limit: limit(params[level]) });
    }
  }
  return found;
}
