// The text output of a back-test: transactions and period, changed verdicts, and the hits of each rule on both sides.

import { ruleSides } from "#src/actions/rules/backtest-report.ts";
import type { Backtested, BacktestInput, BacktestProgress } from "#src/actions/rules/backtest.ts";
import { findOverlap } from "#src/actions/rules/rule-overlap.ts";
import type { Output } from "#src/cli/output.ts";
import { comparisonLines } from "#src/cli/replay/comparison-text.ts";
import { bar, rejectedLines } from "#src/cli/replay/run-text.ts";
import { tableLines } from "#src/cli/table-lines.ts";
import { wrapped } from "#src/cli/table.ts";
import { isJudged, precisionOf } from "#src/contract/records/outcome-shares.ts";
import type { RuleOutcomes } from "#src/contract/records/outcomes.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { rateText, sortedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";
import type { DecisionRule } from "#src/replay/reports/decision-data.ts";
import { activeRules, changesText, hitsText, ruleNotes } from "#src/replay/reports/decision-parts.ts";
import { ruleChanges } from "#src/rules/rule-changes.ts";
import { labelLines } from "./label-options.ts";
import { causeNote, outcomeLines } from "./outcome-text.ts";

const BAR = 20;
const NEVER = "-";

/** Progress of a back-test in one line, without colours. */
export function backtestProgress(
  { taken, flipped, fraction }: BacktestProgress,
  elapsedMs: number,
  style: Style,
): string {
  return [
    ...(fraction === null ? [] : [bar(fraction, BAR, style), `${Math.floor(fraction * 100)}%`]),
    `${formatCount(taken)} decided`,
    rateText((taken * 1_000) / Math.max(1, elapsedMs)),
    `${formatCount(flipped)} changed`,
  ].join("  ");
}

export function backtestLines(
  input: BacktestInput,
  done: Backtested,
  rejected: readonly RejectedLine[],
  { style, columns }: Output,
): string[] {
  const title = headLines(input, done, style, columns);
  const { outcomes } = done;
  const allRejected = done.rejected + done.labels.rejected;
  if (done.summary.total === 0) return [...title, ...rejectedLines(rejected, allRejected, style)];
  return [
    ...comparisonLines(done.comparison, "minor", style, columns, {
      title: [...title, ...(outcomes === null ? [] : outcomeLines(outcomes, style, columns))],
      note: (cause) => (outcomes === null ? null : causeNote(outcomes, cause)),
      showsWhy: true,
      showsReleased: true,
    }),
    ...ruleLines(input, done, { style, columns }),
    ...rejectedLines(rejected, allRejected, style),
  ];
}

function headLines(input: BacktestInput, done: Backtested, style: Style, columns: number): string[] {
  const { current, proposed, riskLevel, stepMs, labels } = input;
  const { summary, repeats, untimed, outOfOrder, from, to } = done;
  const span = from === null || to === null ? "" : `, ${formatUtc(from)} to ${formatUtc(to)} UTC`;
  const step = stepMs === 0 ? "at the time of" : `${formatDuration(stepMs)} after`;
  const spaced = untimed === summary.total ? "They have" : `${formatCount(untimed)} of them have`;
  return [
    style.paint("heading", `Back-test of ${safe(proposed.name)} against ${safe(current.name)}`),
    `  ${counted(summary.total, "transaction")}${span}; both sides count from zero`,
    ...wrapped("  ", changesText(ruleChanges(current.ruleSet, proposed.ruleSet)).split(" "), columns, " "),
    riskLevel === null ? null : `  All are decided on the risk level ${riskLevel}`,
    ...(labels === undefined ? [] : labelLines(labels, done.labels, summary.total, done.outcomes)),
    untimed === 0
      ? null
      : `  ${spaced} no time of their own: each comes ${step} the one before it (--step, --start-at)`,
    outOfOrder === 0 ? null : `  ${sortedText(outOfOrder)}`,
    repeats === 0
      ? null
      : `  ${counted(repeats, "identical repeat")} within 60 s left out, as the service does`,
  ].filter((line) => line !== null);
}

/** Hits of every rule that hit, the largest change first, and what they are worth where outcomes are known. */
function ruleLines(
  input: BacktestInput,
  { summary, shadow, outcomes }: Backtested,
  output: Pick<Output, "style" | "columns">,
): string[] {
  const { style, columns } = output;
  const rules = ruleSides(input, { summary, shadow });
  // With labels of one kind alone every rule looks right, or wrong.
  const worths =
    outcomes === null || !isJudged(outcomes.current)
      ? null
      : new Map(outcomes.rules.map((rule) => [rule.code, rule]));
  const rows = activeRules(rules).active.map((rule) => [
    rule.code,
    hitsText(rule.current),
    hitsText(rule.proposed),
    changeText(rule),
    rule.proposed.mode === "live" ? formatCount(rule.alone) : NEVER,
    ...(worths === null ? [] : worthCells(worths.get(rule.code)!, style)),
  ]);
  const worth = worths === null ? [] : ["Fraud", "Right"];
  const heads = ["Rule", "Current", "Proposed", "Change", "Alone", ...worth];
  const notes = [
    "Alone: of the proposed hits, those on which no other live rule hit.",
    ...(worths === null
      ? []
      : ["Fraud: fraud that only it hits. Right: fraud among all of its labelled hits."]),
    ...ruleNotes({ rules, overlap: findOverlap(summary) }),
  ];
  const table = { title: "Hits of each rule", heads, rows };
  const empty = ["", style.paint("heading", table.title), "  No rule hit anything."];
  return [
    ...(rows.length === 0 ? empty : tableLines(table, rows.length, output)),
    ...notes.flatMap((note) => wrapped("  ", safe(note, { max: 5_000 }).split(" "), columns, " ")),
  ];
}

function worthCells({ current, proposed }: RuleOutcomes, style: Style): string[] {
  const [was, now] = [current, proposed].map((rule) => {
    const { part = 0, whole = 0 } = rule === null ? {} : precisionOf(rule.hits);
    return whole === 0 ? NEVER : percent(part, whole);
  });
  const arrow = style.symbol({ symbol: SIGN.arrow.symbol, ascii: "to" });
  const right = was === now ? was! : `${was} ${arrow} ${now}`;
  return [proposed === null ? NEVER : formatCount(proposed.alone.bad.count), right];
}

function changeText({ current, proposed, both }: DecisionRule): string {
  if (current.mode === null) return "new";
  if (proposed.mode === null) return "gone";
  if (current.mode !== proposed.mode) return `now ${proposed.mode}`;
  const difference = proposed.hits - current.hits;
  if (difference !== 0) return `${difference > 0 ? "+" : "-"}${formatCount(Math.abs(difference))}`;
  // The same number of hits, on other transactions.
  return current.mode === "shadow" || both === current.hits ? "0" : "moved";
}
