// The text output of a back-test: transactions and period, changed verdicts, and the hits of each rule on both sides.

import type { Backtested, BacktestInput, BacktestProgress, NamedRules } from "#src/actions/rules/backtest.ts";
import { FEWEST_HITS, findOverlap } from "#src/actions/rules/rule-overlap.ts";
import type { Output } from "#src/cli/output.ts";
import { comparisonLines } from "#src/cli/replay/comparison-text.ts";
import { bar, more, rejectedLines } from "#src/cli/replay/run-text.ts";
import { layOut } from "#src/cli/table.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import type { RuleMode } from "#src/contract/wire/explanation.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { rateText, sortedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";

const OVERLAPS_SHOWN = 8;
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
  const title = headLines(input, done, style);
  if (done.summary.total === 0) return [...title, ...rejectedLines(rejected, done.rejected, style)];
  return [
    ...comparisonLines(done.comparison, "minor", style, columns, {
      title,
      why: ({ after }) => after?.result?.message ?? null,
      showsReleased: true,
    }),
    ...ruleLines(input, done, style, columns),
    ...overlapLines(done, style),
    ...rejectedLines(rejected, done.rejected, style),
  ];
}

function headLines(input: BacktestInput, done: Backtested, style: Style): string[] {
  const { current, proposed, riskLevel, stepMs } = input;
  const { summary, repeats, untimed, outOfOrder, from, to } = done;
  const span = from === null || to === null ? "" : `, ${formatUtc(from)} to ${formatUtc(to)} UTC`;
  const spaced = untimed === summary.total ? "They have" : `${formatCount(untimed)} of them have`;
  return [
    style.paint("heading", `Back-test of ${safe(proposed.name)} against ${safe(current.name)}`),
    `  ${counted(summary.total, "transaction")}${span}; both sides count from zero`,
    ...(riskLevel === null ? [] : [`  All are decided on the risk level ${riskLevel}`]),
    ...(untimed === 0
      ? []
      : [
          `  ${spaced} no time of their own: each comes ${stepText(stepMs)} the one before it (--step, --start-at)`,
        ]),
    ...(outOfOrder === 0 ? [] : [`  ${sortedText(outOfOrder)}`]),
    ...(repeats === 0
      ? []
      : [`  ${counted(repeats, "identical repeat")} within 60 s left out, as the service does`]),
  ];
}

function stepText(stepMs: number): string {
  return stepMs === 0 ? "at the time of" : `${formatDuration(stepMs)} after`;
}

/** Hits of every rule that hit, the largest change first. */
function ruleLines(input: BacktestInput, done: Backtested, style: Style, columns: number): string[] {
  const rules = ruleRows(input, done);
  const active = rules.filter(({ current, proposed }) => current.hits + proposed.hits > 0);
  const quiet = rules.filter(
    ({ current, proposed }) => current.hits + proposed.hits === 0 && isTried(proposed.mode),
  );
  const rows = active
    .toSorted((a, b) => b.weight - a.weight || b.proposed.hits - a.proposed.hits)
    .map((rule) => [
      safe(rule.code),
      sideText(rule.current),
      sideText(rule.proposed),
      changeText(rule),
      rule.proposed.mode === "live" ? formatCount(rule.alone) : NEVER,
    ]);
  const table = layOut(style, ["RULE", "CURRENT", "PROPOSED", "CHANGE", "ALONE"], rows, [1, 2, 3, 4]);
  return [
    "",
    style.paint("heading", "Hits of each rule"),
    ...(rows.length === 0
      ? ["  No rule hit anything."]
      : [
          ...table.map((line) => `  ${line}`),
          "  ALONE: of the proposed hits, those on which no other live rule hit",
        ]),
    ...(quiet.length === 0 || rows.length === 0
      ? []
      : wrapped(
          "  Never hit: ",
          quiet.map(({ code }) => safe(code)),
          columns,
        )),
  ];
}

/** A rule on one side; `mode` is null where that side does not have it. */
interface RuleSide {
  readonly mode: RuleMode | null;
  readonly hits: number;
}

interface RuleRow {
  readonly code: string;
  readonly current: RuleSide;
  readonly proposed: RuleSide;
  /** Items that it hit on both sides. */
  readonly both: number;
  readonly alone: number;
  /** Sort key: the size of the change. */
  readonly weight: number;
}

function ruleRows({ current, proposed }: BacktestInput, { summary, shadow }: Backtested): RuleRow[] {
  const modes = (rules: NamedRules): Map<string, RuleMode> =>
    new Map(rules.ruleSet.rules.map(({ code, mode }) => [code, mode]));
  const [before, after] = [modes(current), modes(proposed)];
  const tried = new Map(shadow.map((each) => [each.code, each]));
  return summary.rules.map((rule) => {
    const side = (mode: RuleMode | undefined, name: "current" | "proposed"): RuleSide => ({
      mode: mode ?? null,
      hits: (mode === "shadow" ? tried.get(rule.code)?.[name] : rule[name]) ?? 0,
    });
    const sides = {
      current: side(before.get(rule.code), "current"),
      proposed: side(after.get(rule.code), "proposed"),
    };
    const moved = sides.current.mode === sides.proposed.mode ? 0 : Number.MAX_SAFE_INTEGER;
    const weight = Math.max(moved, Math.abs(sides.proposed.hits - sides.current.hits));
    return { code: rule.code, ...sides, both: rule.both, alone: rule.alone, weight };
  });
}

function isTried(mode: RuleMode | null): boolean {
  return mode === "live" || mode === "shadow";
}

/** Hits; those in shadow mode are marked. */
function sideText({ mode, hits }: RuleSide): string {
  if (mode === null) return NEVER;
  if (mode === "off") return mode;
  return mode === "shadow" ? `${formatCount(hits)} shadow` : formatCount(hits);
}

function changeText({ current, proposed, both }: RuleRow): string {
  if (current.mode === null) return "new";
  if (proposed.mode === null) return "gone";
  if (current.mode !== proposed.mode) return `now ${proposed.mode}`;
  const difference = proposed.hits - current.hits;
  if (difference !== 0) return `${difference > 0 ? "+" : "-"}${formatCount(Math.abs(difference))}`;
  // The same number of hits, on other transactions.
  return current.mode === "shadow" || both === current.hits ? "0" : "moved";
}

/** Wraps words behind a heading. */
function wrapped(head: string, words: readonly string[], columns: number): string[] {
  const lines = [head];
  for (const [index, word] of words.entries()) {
    const piece = index === words.length - 1 ? word : `${word}, `;
    const line = lines.at(-1)!;
    if (line.length + piece.trimEnd().length <= columns || line.trim() === "")
      lines[lines.length - 1] = line + piece;
    else lines.push(" ".repeat(head.length) + piece);
  }
  return lines.map((line) => line.trimEnd());
}

function overlapLines({ summary }: Backtested, style: Style): string[] {
  const { together, within } = findOverlap(summary);
  if (together.length + within.length === 0) return [];
  return [
    "",
    style.paint("heading", `Proposed rules that say the same (of those with at least ${FEWEST_HITS} hits)`),
    ...together
      .slice(0, OVERLAPS_SHOWN)
      .map(
        ({ codes, count }) =>
          `  always together, ${formatCount(count)} times: ${codes.map((code) => safe(code)).join(", ")}`,
      ),
    ...more(together.length - OVERLAPS_SHOWN),
    ...within
      .slice(0, OVERLAPS_SHOWN)
      .map(
        ({ code, other, count, otherCount }) =>
          `  ${safe(code)} (${formatCount(count)}) never without ${safe(other)} (${formatCount(otherCount)})`,
      ),
    ...more(within.length - OVERLAPS_SHOWN),
  ];
}
