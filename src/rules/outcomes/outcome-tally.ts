// Adds up what two rule sets did to payments whose outcome is known, in memory that does not grow with the payments.

import type { SidedRow } from "#src/contract/records/flip.ts";
import { isBad, LABELS, type Label } from "#src/contract/records/label.ts";
import {
  CASES_KEPT,
  type ByVerdict,
  type ByWorth,
  type CurvePoint,
  type OutcomeCase,
  type OutcomeCause,
  type OutcomeChange,
  type Outcomes,
  type RuleOutcomes,
  type RuleWorth,
  type ScoreBin,
  type SideOutcomes,
  type Weighed,
} from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import type { BacktestVerdict } from "#src/rules/backtest.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { createSpans } from "./outcome-spans.ts";

/** A payment that both sides have decided. */
export interface JudgedPayment {
  /** Null where nobody knows what became of it. */
  readonly label: Label | null;
  readonly sided: SidedRow;
  readonly current: BacktestVerdict;
  readonly proposed: BacktestVerdict;
  /** Its worth in EUR; null without a rate. */
  readonly eur: number | null;
  readonly at: Milliseconds;
  readonly riskLevel: RiskLevel;
}

export interface OutcomeTally {
  take(payment: JudgedPayment): void;
  /** The result so far. @param unused labels of a list that no payment has */
  read(unused: number): Outcomes;
}

type Marks = SideOutcomes["marks"] & object;
type Rules = Pick<RuleSet, "rules" | "thresholds">;

const WORDS: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];
/** Widths of the bins of a distribution, and how many there are at most unless the widest is too small. */
const BIN_WIDTHS = [1, 2, 5, 10, 25, 50, 100, 250];
const BINS = 50;

export function createOutcomeTally(current: Rules, proposed: Rules): OutcomeTally {
  const sides = { current: createSide(current), proposed: createSide(proposed) };
  const changes = WORDS.flatMap((was) => WORDS.map((now) => ({ was, now, ...parts(), cases: cases() })));
  const causes = new Map<string, Omit<OutcomeCause, keyof Parts> & Parts>();
  const spans = createSpans();
  let withoutRate = 0;

  return {
    take(payment) {
      const { label, sided, current: before, proposed: after, eur, at } = payment;
      const [was, now] = [before.recommendation, after.recommendation];
      const part = label === null ? "unlabelled" : isBad(label) ? "bad" : "good";
      sides.current.take(payment, before, part);
      sides.proposed.take(payment, after, part);
      const change = changes[WORDS.indexOf(was) * WORDS.length + WORDS.indexOf(now)]!;
      add(change[part], eur);
      if (part !== "unlabelled") keep(change.cases[part], { ...sided, label }, eur);
      if (was !== now) {
        const [first = null, then = null] = [before.rules[0], after.rules[0]];
        const name = JSON.stringify([was, now, first, then]);
        let cause = causes.get(name);
        if (cause === undefined)
          causes.set(name, (cause = { was, now, before: first, after: then, ...parts() }));
        add(cause[part], eur);
      }
      spans.take(at, part, was, now);
      if (label !== null && eur === null) withoutRate += 1;
    },
    read(unused) {
      const width = binWidth(Math.max(sides.current.highest(), sides.proposed.highest()));
      return {
        current: sides.current.read(width),
        proposed: sides.proposed.read(width),
        changes: changes.map(({ cases: { bad, good }, ...change }): OutcomeChange => ({
          ...structuredClone(change),
          cases: { bad: bad.map(({ of }) => of), good: good.map(({ of }) => of) },
        })),
        causes: structuredClone([...causes.values()]).sort(largestFirst),
        rules: rulesOf(sides.current.rules, sides.proposed.rules),
        ...spans.read(),
        withoutRate,
        unused,
      };
    },
  };
}

type Part = "bad" | "good" | "unlabelled";
type Sum = { -readonly [K in keyof Weighed]: Weighed[K] };
type Parts = Readonly<Record<Part, Sum>>;

function nothing(): Sum {
  return { count: 0, eur: 0 };
}

function parts(): Parts {
  return { bad: nothing(), good: nothing(), unlabelled: nothing() };
}

function add(sum: Sum, eur: number | null): void {
  sum.count += 1;
  sum.eur += eur ?? 0;
}

interface KeptCase {
  readonly of: OutcomeCase;
  readonly worth: number;
}

function cases(): Readonly<Record<"bad" | "good", KeptCase[]>> {
  return { bad: [], good: [] };
}

/** Keeps those of the most money; of the same money, the earlier. */
function keep(kept: KeptCase[], of: OutcomeCase, eur: number | null): void {
  const worth = eur ?? -Infinity;
  kept.splice(kept.findLastIndex((each) => each.worth >= worth) + 1, 0, { of, worth });
  if (kept.length > CASES_KEPT) kept.pop();
}

function largestFirst(a: Parts, b: Parts): number {
  const count = ({ bad, good, unlabelled }: Parts): number => bad.count + good.count + unlabelled.count;
  return count(b) - count(a);
}

interface RuleTally {
  readonly hits: Parts;
  readonly alone: Parts;
}

interface SideTally {
  readonly rules: ReadonlyMap<string, RuleTally>;
  take(payment: JudgedPayment, verdict: BacktestVerdict, part: Part): void;
  highest(): number;
  read(width: number): SideOutcomes;
}

function createSide({ rules: ownRules, thresholds }: Rules): SideTally {
  const byVerdict = (): Record<Recommendation, Sum> => ({
    pass: nothing(),
    "3ds_or_block": nothing(),
    block: nothing(),
  });
  const labels = Object.fromEntries(LABELS.map((label) => [label, byVerdict()])) as Record<Label, ByVerdict>;
  const unlabelled = byVerdict();
  const rules = new Map<string, RuleTally>(
    ownRules.map(({ code }) => [code, { hits: parts(), alone: parts() }]),
  );
  // Blocked wherever the marks are, and by how much the score is above the block mark.
  const always = parts();
  const margins = new Map<number, Parts>();
  const scores = new Map<number, Parts>();
  const levels = new Set<RiskLevel>();
  let highest = 0;
  return {
    rules,
    take({ label, eur, riskLevel }, { recommendation, decidedBy, score, hits, shadowHits }, part) {
      levels.add(riskLevel);
      highest = Math.max(highest, score);
      add((label === null ? unlabelled : labels[label])[recommendation], eur);
      for (const code of hits) {
        const { hits: all, alone } = rules.get(code)!;
        add(all[part], eur);
        if (hits.length === 1) add(alone[part], eur);
      }
      for (const code of shadowHits) {
        const { hits: all, alone } = rules.get(code)!;
        add(all[part], eur);
        if (hits.length === 0) add(alone[part], eur);
      }
      add(group(scores, score)[part], eur);
      if (decidedBy === "hard_block") add(always[part], eur);
      else if (decidedBy !== "allow_list")
        add(group(margins, score - thresholds[riskLevel].block)[part], eur);
    },
    highest: () => highest,
    read(width) {
      const marks = [...levels].map((level): Marks => thresholds[level]);
      return {
        labels: structuredClone(labels),
        unlabelled: structuredClone(unlabelled),
        curve: curveOf(always, margins, Math.min(...marks.map(({ block }) => block))),
        scores: binsOf(scores, width, highest),
        marks: marks.length === 1 ? marks[0]! : null,
      };
    },
  };
}

function group(groups: Map<number, Parts>, name: number): Parts {
  let found = groups.get(name);
  if (found === undefined) groups.set(name, (found = parts()));
  return found;
}

/** A point wherever the number of blocked payments changes, as long as each mark is above 0; and 0 in any case. */
function curveOf(always: Parts, margins: ReadonlyMap<number, Parts>, lowestMark: number): CurvePoint[] {
  const byMargin = [...margins].sort(([a], [b]) => b - a);
  const shifts = new Set([0, ...byMargin.map(([margin]) => margin)]);
  if (byMargin.length > 0) shifts.add(byMargin[0]![0] + 1);
  const blocked = { bad: { ...always.bad }, good: { ...always.good } };
  let next = 0;
  const points: CurvePoint[] = [];
  for (const shift of [...shifts].sort((a, b) => b - a)) {
    if (shift !== 0 && shift <= -lowestMark) break;
    for (; next < byMargin.length && byMargin[next]![0] >= shift; next++) {
      for (const part of ["bad", "good"] as const) {
        blocked[part].count += byMargin[next]![1][part].count;
        blocked[part].eur += byMargin[next]![1][part].eur;
      }
    }
    points.push({ shift, ...structuredClone(blocked) });
  }
  return points.reverse();
}

function binWidth(highest: number): number {
  return BIN_WIDTHS.find((width) => highest / width < BINS) ?? Math.ceil((highest + 1) / BINS);
}

function binsOf(scores: ReadonlyMap<number, Parts>, width: number, highest: number): ScoreBin[] {
  const bins = Array.from({ length: Math.floor(highest / width) + 1 }, (_, bin) => ({
    from: bin * width,
    bad: 0,
    good: 0,
  }));
  for (const [score, { bad, good }] of scores) {
    const bin = bins[Math.floor(score / width)]!;
    bin.bad += bad.count;
    bin.good += good.count;
  }
  return bins;
}

function rulesOf(
  current: ReadonlyMap<string, RuleTally>,
  proposed: ReadonlyMap<string, RuleTally>,
): RuleOutcomes[] {
  const worth = ({ bad, good }: Parts): ByWorth => ({ bad: { ...bad }, good: { ...good } });
  const read = (rule: RuleTally | undefined): RuleWorth | null =>
    rule === undefined
      ? null
      : { hits: worth(rule.hits), alone: worth(rule.alone), unlabelled: rule.hits.unlabelled.count };
  return [...new Set([...proposed.keys(), ...current.keys()])].map((code) => ({
    code,
    current: read(current.get(code)),
    proposed: read(proposed.get(code)),
  }));
}
