// Makes a decision: evaluates the rules for an attempt, and explains the recommendation with every compared value.

import type { CounterReading, Explanation, RuleOutcome, RuleTrace } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { readCounts } from "#src/rules/counters/attempt-view.ts";
import type { CounterKeys } from "#src/rules/counters/counter-keys.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import { holds } from "#src/rules/expressions/expression-closure.ts";
import type { Rule, RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { Address } from "#src/rules/values/address.ts";
import { attemptOf } from "./attempt.ts";
import { createSituation, type DecisionInput, type Situation } from "./situation.ts";

/** An explanation without the parts that belong to the answer it is given in. */
export type DecisionDraft = Omit<Explanation, "id" | "orderId" | "repeat">;

/** What a recommendation asks of the caller, in a few words (spec 1). */
export const ADVICE: Readonly<Record<Recommendation, string>> = {
  pass: "Continue processing",
  block: "Block the transaction",
  "3ds_or_block": "Send to 3-D Secure, or block if it cannot be forced",
};

/** Counts the attempt and judges it without an explanation, for back-tests: every count includes it. */
export function assessRecorded(ruleSet: RuleSet, input: DecisionInput, counters: Counters): Assessment {
  const { attempt, address } = attemptOf(ruleSet, input, counters);
  const counts = readCounts(ruleSet.countReads, counters.record(input.now, attempt));
  return assess(ruleSet, input, attempt.keys, counts, address);
}

/** Outcomes of all rules by index, and the resulting recommendation. `explain` puts it into words. */
export interface Assessment {
  readonly situation: Situation;
  readonly outcomes: readonly RuleOutcome[];
  /** Why a rule was not evaluated; null where it was. */
  readonly missing: readonly (string | null)[];
  readonly recommendation: Recommendation;
  readonly decidedBy: string;
  readonly score: number;
  /** Index of the decisive rule; null when none hit. */
  readonly reason: number | null;
}

/**
 * Judges by given counts. Pure.
 * @param counts in the order of `RuleSet.countReads`
 * @param address `payer_ip` as `readAddress` reads it, where that was done before
 */
export function assess(
  ruleSet: RuleSet,
  input: DecisionInput,
  keys: CounterKeys,
  counts: readonly number[],
  address?: Address | null,
): Assessment {
  return assessIn(ruleSet, createSituation(input, keys, counts, ruleSet, address));
}

/** For each rule where the same one was tried before: the rule set, and its place there; null for none. */
export type TriedBefore = readonly ({ readonly set: number; readonly rule: number } | null)[];

/** Judges a situation. Pure. @param before assessments of the same payment, from which the outcomes of rules are taken */
export function assessIn(
  ruleSet: RuleSet,
  situation: Situation,
  triedBefore: TriedBefore = [],
  before: readonly Assessment[] = [],
): Assessment {
  const { rules } = ruleSet;
  const outcomes = Array<RuleOutcome>(rules.length);
  const missing = Array<string | null>(rules.length);
  for (let i = 0; i < rules.length; i++) {
    const same = triedBefore[i];
    if (same != null) {
      outcomes[i] = before[same.set]!.outcomes[same.rule]!;
      missing[i] = before[same.set]!.missing[same.rule]!;
      continue;
    }
    const reason = tryRule(rules[i]!, situation);
    outcomes[i] = outcomeOf(reason);
    missing[i] = typeof reason === "string" ? reason : null;
  }
  return judge(ruleSet, situation, outcomes, missing);
}

/** The full explanation. It depends on the assessment only, so it can be built after the decision. */
export function explain(ruleSet: RuleSet, assessment: Assessment): DecisionDraft {
  const { situation, outcomes, missing, recommendation, decidedBy, score, reason } = assessment;
  const { project, now } = situation.input;
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

/** What the assessment rests on. */
export function basisOf(
  { rules }: RuleSet,
  { situation, outcomes, score, reason }: Assessment,
): DecisionBasis {
  const level = situation.input.project.riskLevel;
  const hits: { code: string; mode: Rule["mode"]; weight: number | null }[] = [];
  let decisive: (typeof hits)[number] | undefined;
  for (let i = 0; i < outcomes.length; i++) {
    const { code, mode, weights } = rules[i]!;
    if (outcomes[i] !== "hit" || mode !== "live") continue;
    const hit = { code, mode, weight: weights?.[level] ?? null };
    if (i === reason) decisive = hit;
    hits.push(hit);
  }
  return { score, rules: hits.toSorted(heaviestFirst(decisive)).map(({ code }) => code) };
}

/** The message of an answer: the recommendation and its strongest reason. */
export function messageOf(ruleSet: RuleSet, assessment: Assessment): string {
  const { recommendation, decidedBy, outcomes } = assessment;
  const isUnknown = (outcome: RuleOutcome, i: number): boolean =>
    outcome === "not_evaluated" && ruleSet.rules[i]!.mode === "live";
  const { length } = outcomes.filter(isUnknown);
  const unknown =
    length === 0 ? "" : `; ${length} ${length === 1 ? "rule" : "rules"} not evaluated for lack of data`;
  const advice = ADVICE[recommendation];
  const reason = reasonOf(ruleSet, assessment);
  // join() makes a flat string: with a concatenated one, a decision and its line in the log take 8 % more time.
  if (reason === null) return [advice, ": no rule had an objection", unknown, "."].join("");
  const isPass = decidedBy === "pass";
  const weak = isPass ? "strongest of the minor reasons: " : "";
  return [advice, ": ", weak, reason, isPass ? unknown : "", "."].join("");
}

/** The decisive rule in words; null when none hit. */
export function reasonOf({ rules }: RuleSet, { situation, outcomes, reason }: Assessment): string | null {
  return reason === null ? null : textOf(rules[reason]!, situation, outcomes[reason]!);
}

/** Trace of one rule. A rule that is off, or lacks a field or data, is not evaluated; the trace says why. */
export function traceRule(rule: Rule, situation: Situation): RuleTrace {
  const hits = tryRule(rule, situation);
  return traceOf(rule, situation, outcomeOf(hits), typeof hits === "string" ? hits : null);
}

/** Whether the rule hits, or why it cannot be evaluated. */
function tryRule(rule: Rule, situation: Situation): boolean | string {
  if (rule.mode === "off") return "the rule is off";
  const reason = rule.missing(situation);
  if (reason !== null) return reason;
  try {
    return holds(rule.conditions[situation.level]!, situation);
  } catch {
    return "the condition has no value for this attempt";
  }
}

function outcomeOf(hits: boolean | string): RuleOutcome {
  return typeof hits === "string" ? "not_evaluated" : hits ? "hit" : "no_hit";
}

function traceOf(rule: Rule, situation: Situation, outcome: RuleOutcome, reason: string | null): RuleTrace {
  const level = situation.input.project.riskLevel;
  const { code, mode, effect } = rule;
  const values: Record<string, string | number | boolean | null> = {};
  const text = reason === null ? textOf(rule, situation, outcome) : `Not evaluated: ${reason}`;
  const trace = { code, text, outcome, mode, weight: rule.weights?.[level] ?? null, effect, values };
  if (reason !== null) return { ...trace, missing: reason };
  for (const { name, read } of rule.traced) values[name] = read(situation, rule.params[level]);
  return trace;
}

/** The reason of a rule, or the sentence that it has none. */
export function textOf({ text, clear, params }: Rule, situation: Situation, outcome: RuleOutcome): string {
  const template = outcome === "hit" ? text : clear;
  return template.fill(situation, params[situation.input.project.riskLevel]);
}

/** Hard block, then allow list, then block score, then required 3-D Secure or its score, then pass. */
function judge(
  { rules, thresholds }: RuleSet,
  situation: Situation,
  outcomes: readonly RuleOutcome[],
  missing: readonly (string | null)[],
): Assessment {
  const level = situation.input.project.riskLevel;
  let block: number | null = null;
  let allow: number | null = null;
  let secure: number | null = null;
  let strongest: number | null = null;
  let score = 0;
  let heaviest = 0;
  for (let i = 0; i < outcomes.length; i++) {
    if (outcomes[i] !== "hit") continue;
    const { mode, effect, weights } = rules[i]!;
    if (mode !== "live") continue;
    if (effect === "block") block ??= i;
    else if (effect === "allow") allow ??= i;
    else if (effect === "3ds") secure ??= i;
    const weight = weights?.[level] ?? 0;
    score += weight;
    if (weight <= heaviest) continue;
    heaviest = weight;
    strongest = i;
  }
  const limits = thresholds[level];
  const judged = (recommendation: Recommendation, decidedBy: string, reason: number | null): Assessment => {
    return { situation, outcomes, missing, recommendation, decidedBy, score, reason };
  };
  if (block !== null) return judged("block", "hard_block", block);
  if (allow !== null) return judged("pass", "allow_list", allow);
  if (score >= limits.block) return judged("block", "block_score", strongest);
  if (secure !== null) return judged("3ds_or_block", "require_3ds", secure);
  if (score >= limits.threeDs) return judged("3ds_or_block", "3ds_score", strongest);
  return judged("pass", "pass", strongest);
}

/**
 * Order of the explanation: the decisive rule, hits by weight (live before shadow), rules not evaluated, the rest in file
 * order.
 */
function inOrder(traces: readonly RuleTrace[], reason: number | null): RuleTrace[] {
  const having = (outcome: RuleOutcome): RuleTrace[] => traces.filter((trace) => trace.outcome === outcome);
  const hits = having("hit").sort(heaviestFirst(reason === null ? undefined : traces[reason]));
  return [...hits, ...having("not_evaluated"), ...having("no_hit")];
}

/** @param decisive put first explicitly, because hard rules have no weight */
function heaviestFirst<R extends Pick<RuleTrace, "mode" | "weight">>(
  decisive: R | undefined,
): (a: R, b: R) => number {
  const heaviness = (rule: R): number => {
    if (rule === decisive) return Infinity;
    return (rule.mode === "live" ? 100_000 : 0) + (rule.weight ?? 10_000);
  };
  return (a, b) => heaviness(b) - heaviness(a);
}

/** Every count that the rules read, with what it was compared with; one that is in addition read without a limit once. */
function readings(ruleSet: RuleSet, traces: readonly RuleTrace[], level: RiskLevel): CounterReading[] {
  const found: CounterReading[] = [];
  for (const [i, { counters, params }] of ruleSet.rules.entries()) {
    for (const { source, key, window, limit, isFloor } of counters) {
      const value = traces[i]!.values[source];
      if (typeof value !== "number") continue;
      found.push({ key, window, value, limit: isFloor ? null : limit(params[level]) });
    }
  }
  const isTheSame = (one: CounterReading, other: CounterReading): boolean =>
    one.key === other.key && one.window === other.window;
  return found.filter(
    (one, i) =>
      one.limit !== null ||
      !found.some((other, j) => isTheSame(one, other) && (other.limit !== null || j < i)),
  );
}
