// Adds up what two rule sets did to payments whose outcome is known, in memory that does not grow with the payments.

import { decisiveRule, type SidedRow } from "#src/contract/records/flip.ts";
import { isBad, LABELS, type Label } from "#src/contract/records/label.ts";
import { addWeighed, allOf } from "#src/contract/records/outcome-shares.ts";
import {
  CASES_KEPT,
  type ByKind,
  type ByWorth,
  type CurvePoint,
  type OutcomeCase,
  type OutcomeCause,
  type Outcomes,
  type ScoreBin,
  type SideOutcomes,
  type OutcomeSpan,
} from "#src/contract/records/outcomes.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import type { BacktestVerdict } from "#src/rules/backtest.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { noSums, type Sums, createTimeSpans } from "./time-spans.ts";

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

type Rules = Pick<RuleSet, "rules" | "thresholds">;
type Part = keyof ByKind;
type Parts = Sums<Part>;

/** Widths of the bins of a distribution, and how many there are at most unless the widest is too small. */
const BIN_WIDTHS = [1, 2, 5, 10, 25, 50, 100, 250];
const BINS = 50;

export function createOutcomeTally(current: Rules, proposed: Rules) {
  const sides = { current: createSide(current), proposed: createSide(proposed) };
  const cases = (): Record<"bad" | "good", OutcomeCase[]> => ({ bad: [], good: [] });
  const changes = MILDEST_FIRST.flatMap((was) =>
    MILDEST_FIRST.map((now) => ({ was, now, ...parts(), cases: cases() })),
  );
  const causes = new Map<string, OutcomeCause & Parts>();
  const spans = createSpans();
  let withoutRate = 0;

  return {
    /** Takes payments in the order of their time. */
    take(payment: JudgedPayment): void {
      const { label, sided, current: before, proposed: after, eur, at } = payment;
      const [was, now] = [before.recommendation, after.recommendation];
      const part = label === null ? "unlabelled" : isBad(label) ? "bad" : "good";
      sides.current.take(payment, before, part);
      sides.proposed.take(payment, after, part);
      const change = changes[MILDEST_FIRST.indexOf(was) * MILDEST_FIRST.length + MILDEST_FIRST.indexOf(now)]!;
      add(change[part], eur);
      if (part !== "unlabelled") keep(change.cases[part], { ...sided, label, eur });
      if (was !== now) {
        const rules = { before: decisiveRule(was, before.rules), after: decisiveRule(now, after.rules) };
        const cause = { was, now, ...rules };
        add(entry(causes, JSON.stringify(cause), () => ({ ...cause, ...parts() }))[part], eur);
      }
      addToSpan(spans.at(at), part, was, now);
      if (label !== null && eur === null) withoutRate += 1;
    },
    /** The result, behind the last payment. @param unused labels of a list that no payment has */
    read(unused: number): Outcomes {
      const [before, after] = [sides.current, sides.proposed];
      const { spans: read, spanMs } = spans.read();
      const width = binWidth(Math.max(before.highest(), after.highest()));
      const codes = new Set([...after.rules.keys(), ...before.rules.keys()]);
      return {
        current: before.read(width),
        proposed: after.read(width),
        changes,
        causes: [...causes.values()].sort((a, b) => allOf(b).count - allOf(a).count),
        rules: [...codes].map((code) => ({
          code,
          current: before.rules.get(code) ?? null,
          proposed: after.rules.get(code) ?? null,
        })),
        spans: read.map(({ from, sums }) => ({ from, ...sums })),
        spanMs,
        withoutRate,
        unused,
      };
    },
  };
}

const parts = (): Parts => noSums(["bad", "good", "unlabelled"]);

function add(sum: Parts[Part], eur: number | null): void {
  sum.count += 1;
  sum.eur += eur ?? 0;
}

function entry<K, V>(entries: Map<K, V>, key: K, make: () => V): V {
  let found = entries.get(key);
  if (found === undefined) entries.set(key, (found = make()));
  return found;
}

/** Keeps those of the most money; of the same money, the earlier. */
function keep(kept: OutcomeCase[], one: OutcomeCase): void {
  const worth = ({ eur }: OutcomeCase): number => eur ?? -Infinity;
  kept.splice(kept.findLastIndex((each) => worth(each) >= worth(one)) + 1, 0, one);
  if (kept.length > CASES_KEPT) kept.pop();
}

function createSide({ rules: ownRules, thresholds }: Rules) {
  type Labels = Record<Label, Sums<Recommendation>>;
  const labels = Object.fromEntries(LABELS.map((label) => [label, noSums(MILDEST_FIRST)])) as Labels;
  const unlabelled = noSums(MILDEST_FIRST);
  const rules = new Map(ownRules.map(({ code }) => [code, { hits: parts(), alone: parts() }]));
  // Blocked wherever the marks are, and by how much the score is above the block mark.
  const always = parts();
  const margins = new Map<number, Parts>();
  const scores = new Map<number, Parts>();
  const levels = new Set<RiskLevel>();
  const highest = (): number => Math.max(0, ...scores.keys());
  return {
    rules,
    take({ label, eur, riskLevel }: JudgedPayment, verdict: BacktestVerdict, part: Part): void {
      const { recommendation, decidedBy, score, hits, shadowHits } = verdict;
      levels.add(riskLevel);
      add((label === null ? unlabelled : labels[label])[recommendation], eur);
      for (const code of [...hits, ...shadowHits]) {
        const rule = rules.get(code)!;
        add(rule.hits[part], eur);
        if (hits.every((other) => other === code)) add(rule.alone[part], eur);
      }
      add(entry(scores, score, parts)[part], eur);
      if (decidedBy === "hard_block") add(always[part], eur);
      else if (decidedBy !== "allow_list")
        add(entry(margins, score - thresholds[riskLevel].block, parts)[part], eur);
    },
    highest,
    read(width: number): SideOutcomes {
      const marks = [...levels].map((level) => thresholds[level]);
      return {
        labels,
        unlabelled,
        curve: curveOf(always, margins, Math.min(...marks.map(({ block }) => block))),
        scores: binsOf(scores, width, highest()),
        marks: marks.length === 1 ? marks[0]! : null,
      };
    },
  };
}

/** A point wherever the number of blocked payments changes, as long as each mark is above 0; and 0 in any case. */
function curveOf(always: ByWorth, margins: ReadonlyMap<number, Parts>, lowestMark: number): CurvePoint[] {
  const shifts = new Set([0, Math.max(...margins.keys()) + 1, ...margins.keys()]);
  let blocked = always;
  const points: CurvePoint[] = [];
  for (const shift of [...shifts].sort((a, b) => b - a)) {
    if (shift !== 0 && shift <= -lowestMark) break;
    const { bad, good } = margins.get(shift) ?? parts();
    blocked = { bad: addWeighed([blocked.bad, bad]), good: addWeighed([blocked.good, good]) };
    points.push({ shift, ...blocked });
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

const HOUR: Milliseconds = 3_600_000;
const SIDES = ["current", "proposed"] as const;

interface SpanSums extends Omit<OutcomeSpan, "from"> {
  total: number;
  readonly current: { goodBlocked: number; badPassed: number };
  readonly proposed: { goodBlocked: number; badPassed: number };
}

/** Good payments blocked and bad ones passed by hours in UTC; doubled where there would be more than `SPANS_KEPT`. */
function createSpans() {
  const none = { goodBlocked: 0, badPassed: 0 };
  const make = (): SpanSums => ({ total: 0, current: { ...none }, proposed: { ...none } });
  return createTimeSpans(HOUR, 0, make, (to, shorter) => {
    to.total += shorter.total;
    for (const side of SIDES) {
      to[side].goodBlocked += shorter[side].goodBlocked;
      to[side].badPassed += shorter[side].badPassed;
    }
  });
}

function addToSpan(span: SpanSums, part: Part, was: Recommendation, now: Recommendation): void {
  span.total += 1;
  for (const [counts, verdict] of [[span.current, was] as const, [span.proposed, now] as const]) {
    if (part === "good" && verdict === "block") counts.goodBlocked += 1;
    if (part === "bad" && verdict === "pass") counts.badPassed += 1;
  }
}
