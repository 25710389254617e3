// Flip points of a decision: the nearest amount and the nearest counts that would change the recommendation.

import { moneyText } from "#src/contract/lists/currency.ts";
import { countWords, windowWords } from "#src/contract/text/count-words.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import { type Attempt, readCounts } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { CounterUse, Rule, RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { Address } from "#src/rules/values/address.ts";
import {
  attemptOf,
  attemptWithAmount,
  canVaryAmount,
  recordCounts,
  replayCounts,
  type CountsRecord,
} from "./attempt.ts";
import { ADVICE, assess, explain, textOf, type Assessment, type DecisionDraft } from "./decide.ts";
import type { DecisionInput } from "./situation.ts";

/** Most decisions tried for one explanation; a usual one takes half of them. */
const MAX_TRIALS = 240;

/** Number of counts that are reported, nearest first, beside those by which a rule that hit would not. */
const COUNTS_NAMED = 3;

/**
 * Amounts are first tried in steps of this factor, in longer ones far away; two flips within one step are only found at a
 * round amount.
 */
const STEP = 1.5;
const FAR_FACTOR = 1000;
const FAR_STEP = 4;
/** In minor units: beyond any limit in any currency with a rate. */
const LARGEST_AMOUNT = 1e12;

/**
 * Decides the attempt again with other values, one at a time. Each flip point has been decided, and its neighbour towards
 * the actual value does not flip. Needs only the record of the attempt and its counts.
 */
export function flipPoints(ruleSet: RuleSet, known: Weighed): FlipPoint[] {
  const trial = createTrial(ruleSet, known);
  const { input } = known;
  const amount = canVaryAmount(ruleSet) ? nearestAmount(ruleSet, trial, input) : null;
  const counts = flippingCounts(ruleSet, input, trial);
  return [...(amount === null ? [] : [amount]), ...counts];
}

/** An attempt with everything needed to decide it again with other values. */
export interface Weighed {
  readonly input: DecisionInput;
  readonly attempt: Attempt;
  readonly address: Address | null;
  readonly counts: CountsRecord;
  readonly keysOf: Counters["keysOf"];
}

type Trial = ReturnType<typeof createTrial>;

function createTrial(ruleSet: RuleSet, { input, attempt, address, counts, keysOf }: Weighed) {
  const countsFor = (tried: Attempt): number[] => replayCounts(ruleSet, counts, input.now, attempt, tried);
  const counted = countsFor(attempt);
  let left = MAX_TRIALS;
  const decided = (tried: DecisionInput, { keys }: Attempt, seen: readonly number[]): Assessment => {
    left -= 1;
    return assess(ruleSet, tried, keys, seen, address);
  };
  return {
    base: decided(input, attempt, counted),
    withAmount(amount: number): Assessment {
      const tried = { ...input, request: { ...input.request, amount } };
      const other = attemptWithAmount(ruleSet, tried, keysOf, attempt);
      return decided(tried, other, countsFor(other));
    },
    withCounts(indexes: readonly number[], value: number): Assessment {
      const tried = counted.map((count, at) => (indexes.includes(at) ? value : count));
      return decided(input, attempt, tried);
    },
    /** Decisions that may still be tried. */
    get left(): number {
      return left;
    },
  };
}

function nearestAmount(ruleSet: RuleSet, trial: Trial, input: DecisionInput): FlipPoint | null {
  const { amount, currency } = input.request;
  if (!Number.isSafeInteger(amount)) return null;
  const from = amount!;
  const found = [1, -1].flatMap((direction) => flippingAmount(trial, from, direction) ?? []);
  const [nearest] = found.sort((a, b) => Math.abs(a.to - from) - Math.abs(b.to - from));
  if (nearest === undefined) return null;
  const money = (value: number): string => moneyText(value, currency ?? 0) ?? String(value);
  const { to, before, after } = nearest;
  const [now, needed] = [money(from), money(to)];
  const { text, rule } = outcomeOf(ruleSet, before, after);
  return {
    what: "amount",
    from,
    to,
    recommendation: after.recommendation,
    text: `With ${needed} instead of ${now}: ${text}.`,
    parts: { what: "amount", now, needed, rule },
  };
}

/** The first amount in a direction that flips, and whose neighbour towards `from` does not. */
function flippingAmount(
  trial: Trial,
  from: number,
  direction: number,
): { readonly to: number; readonly before: Assessment; readonly after: Assessment } | null {
  const { recommendation } = trial.base;
  let same = { at: from, seen: trial.base };
  let other = same;
  for (const at of steps(from, direction)) {
    if (trial.left <= 0) return null;
    other = { at, seen: trial.withAmount(at) };
    if (other.seen.recommendation !== recommendation) break;
    same = other;
  }
  if (same === other) return null;
  // `same` does not flip and `other` does, until they are neighbours.
  while (Math.abs(other.at - same.at) > 1) {
    if (trial.left <= 0) return null;
    const at = Math.floor((same.at + other.at) / 2);
    const middle = { at, seen: trial.withAmount(at) };
    if (middle.seen.recommendation === recommendation) same = middle;
    else other = middle;
  }
  return { to: other.at, before: same.seen, after: other.seen };
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
  // Some rules depend on round amounts.
  for (let unit = 100; unit < LARGEST_AMOUNT; unit *= 10) {
    tried.add((direction > 0 ? Math.floor(from / unit) + 1 : Math.ceil(from / unit) - 1) * unit);
  }
  return [...tried]
    .filter((at) => at >= 0 && Number.isSafeInteger(at) && (at - from) * direction > 0)
    .sort((a, b) => (a - b) * direction);
}

function flippingCounts(ruleSet: RuleSet, input: DecisionInput, trial: Trial): FlipPoint[] {
  const params = (i: number) => ruleSet.rules[i]!.params[input.project.riskLevel];
  const found = new Map<string, FlipPoint>();
  for (const [i, rule] of ruleSet.rules.entries()) {
    if (rule.mode !== "live" || trial.base.outcomes[i] === "not_evaluated") continue;
    for (const use of rule.counters) {
      const limit = use.limit(params(i));
      if (use.maximumOf === null || limit === null) continue;
      const point = flippingCount(ruleSet, use, use.maximumOf, limit, trial);
      if (point === null) continue;
      const known = found.get(use.source);
      if (known === undefined || distance(point) < distance(known)) found.set(use.source, point);
    }
  }
  const hits = new Set(
    ruleSet.rules.flatMap(({ code }, i) => (trial.base.outcomes[i] === "hit" ? [code] : [])),
  );
  return [...found.values()]
    .sort((a, b) => distance(a) - distance(b))
    .filter(({ parts }, place) => place < COUNTS_NAMED || hits.has(parts?.rule ?? ""));
}

function distance({ from, to }: FlipPoint): number {
  return Math.abs(to - from);
}

/** Values around the limits, where a condition can change, the one nearest to the actual count first. */
function flippingCount(
  ruleSet: RuleSet,
  { source, key, window }: CounterUse,
  indexes: readonly number[],
  limit: number,
  trial: Trial,
): FlipPoint | null {
  const from = Math.max(...indexes.map((at) => trial.base.situation.counts[at]!));
  const around = [limit - 1, limit, limit + 1].filter((value) => value !== from && value >= 0);
  for (const to of around.sort((a, b) => Math.abs(a - from) - Math.abs(b - from))) {
    if (trial.left <= 0) return null;
    const after = trial.withCounts(indexes, to);
    const { recommendation } = after;
    if (recommendation === trial.base.recommendation) continue;
    const what = `${countWords(key)} in ${windowWords(window)}`;
    const { text, rule } = outcomeOf(ruleSet, trial.base, after);
    return {
      what: source,
      from,
      to,
      recommendation,
      text: `If the ${what} were ${to} instead of ${from}: ${text}.`,
      parts: { what, now: String(from), needed: String(to), rule },
    };
  }
  return null;
}

/** `Block the transaction; BURST now hits, 4 attempts ...`: what is asked, and the heaviest rule that tips it. */
function outcomeOf(
  { rules }: RuleSet,
  before: Assessment,
  after: Assessment,
): { readonly text: string; readonly rule: string | null } {
  const { riskLevel } = after.situation.input.project;
  const advice = ADVICE[after.recommendation];
  const heaviest = (one: Assessment, other: Assessment): Rule | undefined =>
    rules
      .filter((rule, i) => rule.mode === "live" && one.outcomes[i] === "hit" && other.outcomes[i] !== "hit")
      .sort((a, b) => (b.weights?.[riskLevel] ?? Infinity) - (a.weights?.[riskLevel] ?? Infinity))[0];
  const [gained, lost] = [heaviest(after, before), heaviest(before, after)];
  const isStricter = after.recommendation === "block" || before.recommendation === "pass";
  // A milder decision comes of a rule that stops, unless one of the allow list begins.
  if (gained !== undefined && (isStricter || lost === undefined))
    return {
      text: `${advice}; ${gained.code} now hits, ${textOf(gained, after.situation, "hit")}`,
      rule: gained.code,
    };
  if (lost === undefined) return { text: advice, rule: null };
  return { text: `${advice}; ${lost.code} no longer hits`, rule: lost.code };
}

/** Decides about an attempt that is not counted, for what-if questions. */
export function preview(
  ruleSet: RuleSet,
  input: DecisionInput,
  counters: Pick<Counters, "keysOf" | "peek">,
  withFlips = false,
): DecisionDraft {
  const { attempt, address } = attemptOf(ruleSet, input, counters);
  const view = counters.peek(input.now, attempt);
  const values = readCounts(ruleSet.countReads, view);
  const draft = explain(ruleSet, assess(ruleSet, input, attempt.keys, values, address));
  if (!withFlips) return draft;
  const counts = recordCounts(ruleSet, view, values);
  const known = { input, attempt, address, counts, keysOf: counters.keysOf };
  return { ...draft, flips: flipPoints(ruleSet, known) };
}
