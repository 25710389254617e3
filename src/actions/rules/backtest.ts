// A back-test: a proposed rule set against another one over saved transactions, with counters of its own, in event time.
// Nothing is sent, and no live counter is touched.

import { createHash } from "node:crypto";
import type { ActionContext } from "#src/actions/action-context.ts";
import type { Comparison, SidedRow } from "#src/contract/records/flip.ts";
import { allOf } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, RuleWorth } from "#src/contract/records/outcomes.ts";
import type { RejectedLine, RunItem, RunRow } from "#src/contract/records/run.ts";
import { NO_ANSWER, type CheckResult } from "#src/contract/wire/outcome.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { worthInEur } from "#src/replay/money-tally.ts";
import {
  createBacktest,
  type BacktestRow,
  type BacktestSummary,
  type BacktestVerdict,
} from "#src/rules/backtest.ts";
import { createOutcomeTally } from "#src/rules/outcomes/outcome-tally.ts";
import { eurPerUnit } from "#src/rules/rule-file/eur-rates.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { readTransactions, type TransactionsInput } from "./backtest-transactions.ts";
import type { LabelUse } from "./payment-labels.ts";

/** A rule set, and how people know it. */
export interface NamedRules {
  readonly ruleSet: RuleSet;
  readonly name: string;
}

export interface BacktestInput extends TransactionsInput {
  readonly current: NamedRules;
  readonly proposed: NamedRules;
}

export interface BacktestProgress {
  readonly taken: number;
  readonly flipped: number;
  /** Share of the sources that was read; null where it cannot be known. */
  readonly fraction: number | null;
}

/** A payment with what both sides decided. */
export interface DecidedPayment {
  /** With the label that counts. */
  readonly item: RunItem;
  readonly riskLevel: RiskLevel;
  readonly verdicts: BacktestRow;
}

export type BacktestEvent =
  | { readonly type: "decided"; readonly row: RunRow; readonly payment: DecidedPayment }
  | { readonly type: "rejected"; readonly line: RejectedLine }
  | { readonly type: "progress"; readonly progress: BacktestProgress };

/** How often a rule that is tried without deciding would have hit. */
export interface ShadowCount {
  readonly code: string;
  /** Null where a side does not have it in shadow. */
  readonly current: number | null;
  readonly proposed: number | null;
}

export interface Backtested {
  readonly comparison: Comparison;
  readonly summary: BacktestSummary;
  readonly shadow: readonly ShadowCount[];
  /** Null where no payment has a label. */
  readonly outcomes: Outcomes | null;
  readonly labels: LabelUse;
  /** Of the payments as they were decided, with their times and labels. */
  readonly dataHash: string;
  /** Identical repeats, which neither side counted. */
  readonly repeats: number;
  /** Lines of the sources that hold no payment. */
  readonly rejected: number;
  /** Transactions without a time of their own. */
  readonly untimed: number;
  /** Transactions that were earlier than the one before them in the sources, so that all were sorted. */
  readonly outOfOrder: number;
  /** Time of the first and of the last transaction; null where there is none. */
  readonly from: Milliseconds | null;
  readonly to: Milliseconds | null;
}

/** Progress is told after so many transactions. */
const TOLD_EVERY = 250;

/**
 * Runs the back-test in flat memory: sources are streams, counters are bounded, flips are kept up to their limit.
 * Transactions at the same time are taken in the order of their sources: who of them is the one too many hangs on it.
 * @throws Fault("usage") for a source that is not there, Fault("bad_input") for a bad line when strict, Fault("interrupted")
 */
export async function runBacktest(
  context: ActionContext,
  input: BacktestInput,
  signal: AbortSignal,
  onEvent: (event: BacktestEvent) => void,
): Promise<Backtested> {
  const { current, proposed } = input;
  const reading = readTransactions(context, input, signal);
  const backtest = createBacktest(current.ruleSet, proposed.ruleSet);
  const labels = { baseline: current.name, run: proposed.name };
  const rates = eurPerUnit(proposed.ruleSet.rates, "minor");
  const flips = new FlipCounter(labels, rates);
  const tally = createOutcomeTally(current.ruleSet, proposed.ruleSet);
  const data = createHash("sha256");
  const seen = { repeats: 0, rejected: 0, untimed: 0 };
  let [taken, flipped] = [0, 0];
  let from: Milliseconds | null = null;
  let to: Milliseconds | null = null;
  for await (const line of reading.lines) {
    if ("rejected" in line) {
      seen.rejected += 1;
      onEvent({ type: "rejected", line: line.rejected });
    } else if ("repeated" in line) seen.repeats += 1;
    if (!("item" in line)) continue;
    const { item, facts, digest, project, timed } = line;
    const verdicts = backtest.take(item.key, facts);
    const sided = rowOf(item, verdicts);
    const { riskLevel } = facts.project;
    data.update(`${facts.now} ${riskLevel} ${item.label ?? ""} ${digest}\n`);
    const eur = worthInEur(item.request, rates);
    tally.take({ ...verdicts, label: item.label ?? null, sided, eur, riskLevel });
    if (flips.take(sided.row, sided.earlier, project) === "flipped") flipped += 1;
    if (!timed) seen.untimed += 1;
    from ??= facts.now;
    to = facts.now;
    taken += 1;
    onEvent({ type: "decided", row: sided.row, payment: { item, riskLevel, verdicts } });
    if (taken % TOLD_EVERY === 0)
      onEvent({ type: "progress", progress: { taken, flipped, fraction: reading.fraction() } });
  }
  const use = reading.labels();
  const outcomes = tally.read(use.unused);
  return {
    comparison: flips.comparison(),
    summary: backtest.summary(),
    shadow: shadowOf(input, outcomes),
    outcomes: use.none < taken ? outcomes : null,
    labels: use,
    dataHash: data.digest("hex"),
    ...seen,
    rejected: seen.rejected - use.rejected,
    outOfOrder: reading.outOfOrder(),
    from,
    to,
  };
}

/** As a row of a run: what it was with the current rules, and an answer as the proposed ones give it. */
export function rowOf(item: RunItem, verdicts: BacktestRow): SidedRow {
  const { current, proposed, at } = verdicts;
  const message =
    current.recommendation === proposed.recommendation ? hitsText(proposed) : changeText(current, proposed);
  const { score, rules } = proposed;
  const result: CheckResult = {
    ...NO_ANSWER,
    outcome: "answered",
    recommendation: proposed.recommendation,
    message,
    explanation: "Decided by the proposed rules.",
    basis: { score, rules },
  };
  // Expected verdicts are those of a service; here only the two rule sets are compared.
  const row = { ...item, expect: null, was: current.recommendation, at, result };
  return { row, earlier: { verdict: current.recommendation, rules: current.rules } };
}

function hitsText({ hits }: BacktestVerdict): string {
  return hits.length === 0 ? "No rule was hit." : `Hit: ${hits.join(", ")}.`;
}

/** Why two rule sets disagree: the rules that hit on one side only, and the two scores. */
export function changeText(current: BacktestVerdict, proposed: BacktestVerdict): string {
  const gained = proposed.hits.filter((code) => !current.hits.includes(code));
  const lost = current.hits.filter((code) => !proposed.hits.includes(code));
  const scores =
    current.score === proposed.score
      ? `score ${proposed.score} on both sides`
      : `score ${current.score} before, ${proposed.score} now`;
  return [
    ...(gained.length === 0 ? [] : [`newly hit ${gained.join(", ")}`]),
    ...(lost.length === 0 ? [] : [`no longer hit ${lost.join(", ")}`]),
    ...(current.decidedBy === proposed.decidedBy || gained.length + lost.length > 0
      ? []
      : [`decided by ${words(proposed.decidedBy)} instead of ${words(current.decidedBy)}`]),
    scores,
  ].join("; ");
}

function words(decidedBy: string): string {
  return decidedBy.replaceAll("_", " ");
}

/** Rules that are in shadow on a side, the proposed ones first. */
function shadowOf({ current, proposed }: BacktestInput, { rules }: Outcomes): ShadowCount[] {
  const countOf = ({ ruleSet }: NamedRules, code: string, worth: RuleWorth | null): number | null => {
    const isShadow = ruleSet.rules.some((rule) => rule.code === code && rule.mode === "shadow");
    return isShadow && worth !== null ? allOf(worth.hits).count : null;
  };
  const counts = rules.map(({ code, ...worth }) => ({
    code,
    current: countOf(current, code, worth.current),
    proposed: countOf(proposed, code, worth.proposed),
  }));
  return counts.filter((each) => each.current !== null || each.proposed !== null);
}
