// What would flip a decision: the nearest amount and the nearest counts at which the recommendation is another one.

import { moneyText } from "#src/contract/lists/currency.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import { overrideCounts, placesOf } from "#src/rules/counters/count-override.ts";
import { readCounts } from "#src/rules/counters/count-reads.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { CounterUse, RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { Address } from "#src/rules/values/address.ts";
import { ADVICE } from "./advice.ts";
import { attemptOf, attemptWithAmount } from "./attempt.ts";
import { canVaryAmount, recordCounts, replayCounts, type CountsRecord } from "./counts-record.ts";
import { assess, explain, type Assessment, type DecisionDraft } from "./decide.ts";
import type { Facts } from "./situation.ts";

/** Decisions tried for one answer at most; an everyday one takes half of them. */
const MAX_TRIALS = 240;

/** Counts that are named, the nearest ones. */
const COUNTS_NAMED = 3;

/**
 * Amounts are first tried in steps of this factor, far away in longer ones; a change of mind and back within one step is
 * found at a round amount alone.
 */
const STEP = 1.5;
const FAR_FACTOR = 1000;
const FAR_STEP = 4;
/** In minor units: beyond any limit in any currency with a rate. */
const LARGEST_AMOUNT = 1e12;

/**
 * Tries other values, one at a time, as if the attempt had come with them. Each answer was decided, and so was its
 * neighbour on this side, which does not flip. Needs nothing but what was taken down of the attempt and its counts.
 */
export function flipPoints(ruleSet: RuleSet, known: Weighed): FlipPoint[] {
  const trial = createTrial(ruleSet, known);
  const { facts } = known;
  const amount = canVaryAmount(ruleSet) ? nearestAmount(trial, facts) : null;
  const counts = flippingCounts(ruleSet, facts, trial);
  return [...(amount === null ? [] : [amount]), ...counts];
}

/** An attempt with all that a decision about it, or about one like it, needs. */
export interface Weighed {
  readonly facts: Facts;
  readonly attempt: Attempt;
  readonly address: Address | null;
  readonly counts: CountsRecord;
  readonly keysOf: Counters["keysOf"];
}

interface Trial {
  readonly base: Assessment;
  /** The recommendation with another amount, or other counts. */
  withAmount(amount: number): Assessment["recommendation"];
  withCounts(places: readonly number[], value: number): Assessment["recommendation"];
  readonly left: number;
}

function createTrial(ruleSet: RuleSet, { facts, attempt, address, counts, keysOf }: Weighed): Trial {
  const countsFor = (tried: Attempt): number[] => replayCounts(ruleSet, counts, facts.now, attempt, tried);
  const counted = countsFor(attempt);
  let left = MAX_TRIALS;
  const decided = (tried: Facts, { keys }: Attempt, seen: readonly number[]): Assessment => {
    left -= 1;
    return assess(ruleSet, tried, keys, seen, address);
  };
  return {
    base: decided(facts, attempt, counted),
    withAmount(amount) {
      const tried = { ...facts, request: { ...facts.request, amount } };
      const other = attemptWithAmount(ruleSet, tried, keysOf, attempt);
      return decided(tried, other, countsFor(other)).recommendation;
    },
    withCounts: (places, value) =>
      decided(facts, attempt, overrideCounts(counted, places, value)).recommendation,
    get left() {
      return left;
    },
  };
}

function nearestAmount(trial: Trial, facts: Facts): FlipPoint | null {
  const { amount, currency } = facts.request;
  if (!Number.isSafeInteger(amount)) return null;
  const from = amount!;
  const found = [1, -1].flatMap((direction) => flippingAmount(trial, from, direction) ?? []);
  const [nearest] = found.sort((a, b) => Math.abs(a.to - from) - Math.abs(b.to - from));
  if (nearest === undefined) return null;
  const money = (value: number): string => moneyText(value, currency ?? 0) ?? String(value);
  const text = `With ${money(nearest.to)} instead of ${money(from)}: ${ADVICE[nearest.recommendation]}.`;
  return { what: "amount", from, ...nearest, text };
}

/** The first amount in a direction that flips, and whose neighbour towards `from` does not. */
function flippingAmount(
  trial: Trial,
  from: number,
  direction: number,
): Pick<FlipPoint, "to" | "recommendation"> | null {
  const { recommendation } = trial.base;
  let same = from;
  let other = from;
  for (const next of steps(from, direction)) {
    if (trial.left <= 0) return null;
    other = next;
    if (trial.withAmount(other) !== recommendation) break;
    same = other;
  }
  if (same === other) return null;
  // `same` does not flip and `other` does, until they are neighbours.
  while (Math.abs(other - same) > 1) {
    if (trial.left <= 0) return null;
    const middle = Math.floor((same + other) / 2);
    if (trial.withAmount(middle) === recommendation) same = middle;
    else other = middle;
  }
  return { to: other, recommendation: trial.withAmount(other) };
}

/** From the nearest to the farthest. */
function steps(from: number, direction: number): number[] {
  const tried = new Set([from + direction]);
  if (direction > 0) {
    const far = Math.max(from, 100) * FAR_FACTOR;
    for (let at = Math.max(from, 100); at < LARGEST_AMOUNT; tried.add(at)) {
      at = Math.ceil(at * (at < far ? STEP : FAR_STEP));
    }
  } else {
    for (let at = Math.floor(from / STEP); at > 0; at = Math.floor(at / STEP)) tried.add(at);
    tried.add(0);
  }
  // Rules look at round amounts, too.
  for (let unit = 100; unit < LARGEST_AMOUNT; unit *= 10) {
    tried.add((direction > 0 ? Math.floor(from / unit) + 1 : Math.ceil(from / unit) - 1) * unit);
  }
  return [...tried]
    .filter((at) => at >= 0 && Number.isSafeInteger(at) && (at - from) * direction > 0)
    .sort((a, b) => (a - b) * direction);
}

function flippingCounts(ruleSet: RuleSet, facts: Facts, trial: Trial): FlipPoint[] {
  const params = (i: number) => ruleSet.rules[i]!.params[facts.project.riskLevel];
  const found = new Map<string, FlipPoint>();
  for (const [i, rule] of ruleSet.rules.entries()) {
    if (rule.mode !== "live" || trial.base.outcomes[i] === "not_evaluated") continue;
    for (const use of rule.counters) {
      const limit = use.limit(params(i));
      if (use.override === null || limit === null) continue;
      const point = flippingCount(use, placesOf(use.override, ruleSet.countReads), limit, trial);
      if (point === null) continue;
      const known = found.get(use.source);
      if (known === undefined || distance(point) < distance(known)) found.set(use.source, point);
    }
  }
  return [...found.values()].sort((a, b) => distance(a) - distance(b)).slice(0, COUNTS_NAMED);
}

function distance({ from, to }: FlipPoint): number {
  return Math.abs(to - from);
}

/** The values around a limit are where a condition can change its mind; the one nearest to what was counted comes first. */
function flippingCount(
  { source, key, window }: CounterUse,
  places: readonly number[],
  limit: number,
  trial: Trial,
): FlipPoint | null {
  const from = Math.max(...places.map((at) => trial.base.situation.counts[at]!));
  const around = [limit - 1, limit, limit + 1].filter((value) => value !== from && value >= 0);
  for (const to of around.sort((a, b) => Math.abs(a - from) - Math.abs(b - from))) {
    if (trial.left <= 0) return null;
    const recommendation = trial.withCounts(places, to);
    if (recommendation === trial.base.recommendation) continue;
    const text = `With ${to} for ${key} in ${window} instead of ${from}: ${ADVICE[recommendation]}.`;
    return { what: source, from, to, recommendation, text };
  }
  return null;
}

/** `preview`, with what would flip it. */
export function previewWithFlips(ruleSet: RuleSet, facts: Facts, counters: Counters): DecisionDraft {
  const { attempt, address } = attemptOf(ruleSet, facts, counters);
  const view = counters.peek(facts.now, attempt);
  const values = readCounts(ruleSet.countReads, view);
  const assessment = assess(ruleSet, facts, attempt.keys, values, address);
  const counts = recordCounts(ruleSet, view, values);
  const flips = flipPoints(ruleSet, { facts, attempt, address, counts, keysOf: counters.keysOf });
  return { ...explain(ruleSet, assessment), flips };
}
