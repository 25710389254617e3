// A run as text: its counts, what was expected and did not come, and the line that shows how far it is.

import type { ReplayProgress } from "#src/actions/replay/replay.ts";
import { layOut } from "#src/cli/table.ts";
import { LABELS } from "#src/contract/records/label.ts";
import {
  placeOf,
  withoutVerdict,
  type KeptRows,
  type RejectedLine,
  type RuleHits,
  type RunCounts,
  type RunInfo,
  type RunRow,
  type RunSummary,
} from "#src/contract/records/run.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";
import { isRecommendation, MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import {
  latencyText,
  repeatedText,
  NO_SUMMARY,
  paceText,
  rateText,
  runKinds,
  settingText,
} from "#src/display/run-lines.ts";
import { runOutcomeLines, uncountedText } from "#src/display/run-outcome-lines.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN, separatorText } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatCountdown, formatZoned, formatLatency } from "#src/display/time.ts";
import { verdictMix } from "#src/display/verdict-mix.ts";
import { NO_OUTCOME, paintedVerdict, verdictKind, VERDICTS } from "#src/display/verdict.ts";

const BAR = 20;
const BAR_LEAST = 5;
const REJECTED_SHOWN = 10;
const GAP = "  ";

/**
 * How far a run is, in one line without colours: `[####....]  41%  1 234 sent  182/s  00:35 left  + 900  > 200  x 134`.
 * @param columns width of the terminal; the bar gives way to the figures
 */
export function progressLine(progress: ReplayProgress, style: Style, columns: number): string {
  const { fraction } = progress;
  const text = progressFigures(progress, style);
  const room = Math.min(BAR, columns - text.length - GAP.length - 1);
  return fraction === null || room < BAR_LEAST ? text : `${bar(fraction, room, style)}${GAP}${text}`;
}

function progressFigures({ summary, fraction, etaMs, state }: ReplayProgress, style: Style): string {
  const { counts, latencies } = summary;
  return [
    ...(fraction === null ? [] : [`${Math.floor(fraction * 100)}%`]),
    `${formatCount(counts.total)} sent`,
    ...(state === "running" ? [] : [state === "paused" ? "paused" : "waiting for answers under way"]),
    ...(summary.ratePerS === null ? [] : [rateText(summary.ratePerS)]),
    ...(etaMs === null || state !== "running" ? [] : [`${formatCountdown(etaMs)} left`]),
    ...verdictMix(runKinds(counts), 0, style.ascii).map(({ label }) => label),
    ...(latencies === null ? [] : [latencyText(latencies)]),
  ].join(GAP);
}

export function bar(fraction: number, room: number, style: Style): string {
  const full = Math.min(room, Math.floor(fraction * room));
  return style.symbol(SIGN.barFull).repeat(full) + style.symbol(SIGN.barEmpty).repeat(room - full);
}

/** A run in two lines, for a terminal on which the table of runs has no room. */
export function runBrief(run: RunInfo, style: Style): string[] {
  const { id, at, state, profile, project, sources, summary } = run;
  const title = [
    id,
    formatZoned(at),
    state === "complete" ? state : style.paint("warning", state),
    safe(`${profile}:${project}`, { max: 40 }),
  ];
  const counts =
    summary === null
      ? ["not known"]
      : [
          counted(summary.counts.total, "item"),
          ...verdictMix(runKinds(summary.counts), 0, style.ascii).map(({ role, label }) =>
            style.paint(role, label),
          ),
        ];
  return [title.join(GAP), `  ${[...counts, safe(sources.join(" "), { max: 30 })].join(GAP)}`];
}

const PARTIAL = "Not every item is in these totals.";

/** The run in one line, then its counts by verdict with their shares, then latencies. */
export function runLines(run: RunInfo, style: Style): string[] {
  const { summary } = run;
  const dot = separatorText(style.ascii);
  const title = [
    `Run ${run.id}`,
    run.state === "complete" ? "complete" : style.paint("warning", "partial"),
    formatZoned(run.at),
    safe(placeOf(run)),
  ];
  if (summary === null) return [title.join(dot), `  ${NO_SUMMARY}`];
  const { counts, latencies } = summary;
  const repeated = repeatedText(summary);
  const setting = settingText(run);
  return [
    title.join(dot),
    ...(run.state === "partial" ? [`  ${style.paint("warning", PARTIAL)}`] : []),
    `  ${paceText(summary)}`,
    ...(setting === null ? [] : [`  ${setting}`]),
    ...countLines(counts, style),
    ...(latencies === null
      ? []
      : [`  Latency of answers: ${latencyText(latencies)}  max ${formatLatency(latencies.max)}`]),
    ...(repeated === null ? [] : [`  ${style.paint("warning", repeated)}`]),
  ];
}

function countLines(counts: RunCounts, style: Style): string[] {
  const rows = runKinds(counts)
    .filter(([kind, count]) => count > 0 || isRecommendation(kind))
    .map(([kind, count]) => [
      `  ${paintedVerdict(kind, style)}`,
      formatCount(count),
      counts.total === 0 ? "" : percent(count, counts.total),
    ]);
  return layOut(style, ["", "", ""], rows, [1, 2]).slice(1);
}

/** The items to name under a summary. */
export const FINDINGS_SHOWN = { unexpected: 10, noVerdict: 5, items: 0 };

/** How often each rule hit, and decided. */
export function hitLines(hits: readonly RuleHits[], style: Style): string[] {
  if (hits.length === 0) return [];
  const rows = hits.map(({ code, hits: count, decided }) => [
    `  ${safe(code)}`,
    formatCount(count),
    formatCount(decided),
  ]);
  return [
    "",
    style.paint("heading", "Hits of each rule"),
    ...layOut(style, ["  RULE", "HITS", "DECISIVE"], rows, [1, 2]),
  ];
}

/** The verdicts against what became of the payments. */
export function outcomeLines(outcomes: RunOutcomes, style: Style): string[] {
  const rows = LABELS.map((label) => [
    `  ${label}`,
    ...MILDEST_FIRST.map((verdict) => formatCount(outcomes.now.labels[label][verdict].count)),
  ]);
  const words = MILDEST_FIRST.map((verdict) => VERDICTS[verdict].word);
  return [
    "",
    style.paint("heading", "What became of the payments"),
    ...layOut(style, ["  BECAME", ...words], rows, [1, 2, 3]),
    ...[...runOutcomeLines(outcomes), uncountedText(outcomes)].map((line) => `  ${line}`),
  ];
}

export function findingLines(
  { unexpected, noVerdict }: KeptRows,
  summary: RunSummary,
  style: Style,
): string[] {
  const lines: string[] = [];
  const lacking = withoutVerdict(summary.counts);
  if (noVerdict.length > 0) {
    lines.push("", style.paint("heading", `Without a trustworthy verdict: ${formatCount(lacking)}`));
    for (const row of noVerdict) lines.push(`  ${name(row)}  ${row.result?.explanation ?? NO_OUTCOME}`);
    lines.push(...more(lacking - noVerdict.length));
  }
  if (unexpected.length > 0) {
    lines.push("", style.paint("heading", `Expectations failed: ${formatCount(summary.expectationsFailed)}`));
    for (const row of unexpected) {
      lines.push(`  ${name(row)}  expected ${row.expect}, got ${verdictKind(row.result)}`);
    }
    lines.push(...more(summary.expectationsFailed - unexpected.length));
  }
  return lines;
}

/** At most a few lines of a longer list. */
export function more(count: number): string[] {
  return count > 0 ? [`  and ${formatCount(count)} more`] : [];
}

function name({ key }: RunRow): string {
  return safe(key, { max: 60 });
}

/** The first bad lines of the sources. */
export function rejectedLines(kept: readonly RejectedLine[], count: number, style: Style): string[] {
  if (count === 0) return [];
  const shown = kept.slice(0, REJECTED_SHOWN);
  return [
    "",
    style.paint("heading", `Rejected lines: ${formatCount(count)}`),
    ...shown.map(({ origin, message }) => `  ${safe(origin)}: ${message}`),
    ...more(count - shown.length),
  ];
}
