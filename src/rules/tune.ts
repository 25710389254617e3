// Tries many values of one number of a rule file at once: each payment is counted once, and decided by a rule set per value.

import { Fault, usage, whole } from "#src/contract/fault.ts";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import { isJudged } from "#src/contract/records/outcome-shares.ts";
import type { Tried } from "#src/contract/records/tuning.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { BACKTEST_BYTES } from "./backtest.ts";
import { decideByMany } from "./decision/many-rule-sets.ts";
import { worthInEur, type DecisionInput } from "./decision/situation.ts";
import { createTimeSpans, noSums, type Sums } from "./outcomes/time-spans.ts";
import { loadRulesUntested, type RuleSet } from "./rule-file/rule-file.ts";
import type { TunedNumber } from "./rule-file/tuned-number.ts";

/**
 * The rules as a file with this value would have them. Its own tests are not run, as they often are about the present value.
 * @param level the only one that decides; null for all
 * @throws Fault("usage") for a value that no file may have
 */
export async function rulesWith(
  ruleSet: RuleSet,
  number: TunedNumber,
  value: number,
  level: RiskLevel | null = null,
): Promise<RuleSet> {
  try {
    const text = number.written(value, level === null ? RISK_LEVELS : [level]);
    const { thresholds, rules } = await loadRulesUntested(text, number.fileName);
    // What is the same in all of them is one object, so that many values take little memory.
    const own = ruleSet.rules.map((rule, i) => (rule.code === number.code ? rules[i]! : rule));
    return { ...ruleSet, thresholds, rules: own };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw usage`${number.name} cannot be ${value}: ${whole(error.message)}`;
  }
}

/** The payments by which a value is chosen, and later ones that judge it; without these all payments choose. */
export interface TuneParts {
  readonly chosen: readonly Tried[];
  readonly heldOut: { readonly from: Milliseconds; readonly tried: readonly Tried[] } | null;
}

const SECOND: Milliseconds = 1_000;
/** The rest of the time is held out. */
const CHOSEN = 2 / 3;

/**
 * Memory does not grow with the number of payments.
 * @param sets that differ in a number alone
 * @param judgeFrom time from which payments are held out; null for the last third of the time, to the length of a span
 */
export function createTune(sets: readonly [RuleSet, ...RuleSet[]], judgeFrom: Milliseconds | null = null) {
  const [{ rates }] = sets;
  const decide = decideByMany(sets, BACKTEST_BYTES);
  const make = (): Labels[] => sets.map(nothing);
  const spans = createTimeSpans(SECOND, judgeFrom ?? 0, make, addTried);
  let [withoutRate, last]: [number, Milliseconds] = [0, 0];
  return {
    /** Counts a payment, and decides it by every rule set where its label is known. Payments come in the order of their time. */
    take(label: Label | null, input: DecisionInput): void {
      const decided = decide(input);
      const tallies = spans.at(input.now);
      last = input.now;
      if (label === null) return;
      const eur = worthInEur(input, rates);
      if (eur === null) withoutRate += 1;
      for (const [i, { recommendation }] of decided().entries()) {
        const sum = tallies[i]![label][recommendation];
        sum.count += 1;
        sum.eur += eur ?? 0;
      }
    },
    /** The result so far, each in the order of the rule sets. */
    read(): TuneParts {
      const { spans: read, spanMs } = spans.read();
      const first = read[0]?.from ?? 0;
      const from = judgeFrom ?? first + Math.ceil(((last - first) * CHOSEN) / spanMs) * spanMs;
      const part = (fits: (span: { readonly from: Milliseconds }) => boolean): Tried[] => {
        const sums = make();
        for (const span of read) if (fits(span)) addTried(sums, span.sums);
        return sums.map((labels) => ({ labels }));
      };
      const [chosen, tried] = [part((span) => span.from < from), part((span) => span.from >= from)];
      const isSplit = isJudged(chosen[0]!) && isJudged(tried[0]!);
      return isSplit ? { chosen, heldOut: { from, tried } } : { chosen: part(() => true), heldOut: null };
    },
    /** Labelled payments of a currency without a rate. */
    get withoutRate(): number {
      return withoutRate;
    },
  };
}

type Labels = Readonly<Record<Label, Sums<Recommendation>>>;

function nothing(): Labels {
  return Object.fromEntries(LABELS.map((label) => [label, noSums(MILDEST_FIRST)])) as Labels;
}

/** Adds what a span has of each rule set. */
function addTried(to: readonly Labels[], more: readonly Labels[]): void {
  for (const [i, sums] of to.entries())
    for (const label of LABELS)
      for (const verdict of MILDEST_FIRST) {
        sums[label][verdict].count += more[i]![label][verdict].count;
        sums[label][verdict].eur += more[i]![label][verdict].eur;
      }
}
