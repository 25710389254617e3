// How far a run is in one line, a run in two, and the first bad lines of its sources.

import type { ReplayProgress } from "#src/actions/replay/replay.ts";
import { placeOf, type RejectedLine, type RunInfo } from "#src/contract/records/run.ts";
import { counted, formatCount, rejectedNoun } from "#src/display/count.ts";
import { latencyText, rateText, rulesText, runKinds } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatCountdown, formatZoned } from "#src/display/time.ts";
import { verdictMix } from "#src/display/verdict-mix.ts";

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

/** `[####....]  41%`; nothing where the share is not known. */
export function shareTexts(fraction: number | null, style: Style): string[] {
  return fraction === null ? [] : [bar(fraction, BAR, style), `${Math.floor(fraction * 100)}%`];
}

function bar(fraction: number, room: number, style: Style): string {
  const full = Math.min(room, Math.floor(fraction * room));
  return style.symbol(SIGN.barFull).repeat(full) + style.symbol(SIGN.barEmpty).repeat(room - full);
}

/** A run in two lines, for a terminal on which the table of runs has no room. */
export function runBrief(run: RunInfo, style: Style): string[] {
  const { id, at, state, sources, summary } = run;
  const title = [
    id,
    formatZoned(at),
    state === "complete" ? state : style.paint("warning", state),
    safe(placeOf(run), { max: 40 }),
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
  return [
    title.join(GAP),
    `  ${[...counts, safe([rulesText(run), ...sources].filter((part) => part !== null).join(" "), { max: 40 })].join(GAP)}`,
  ];
}

/** The items to name under a summary. */
export const FINDINGS_SHOWN = { unexpected: 10, noVerdict: 5, items: 0 };

/** At most a few lines of a longer list. */
export function more(count: number): string[] {
  return count > 0 ? [`  and ${formatCount(count)} more`] : [];
}

/** The first bad lines of the sources. */
export function rejectedLines(kept: readonly RejectedLine[], count: number, style: Style): string[] {
  if (count === 0) return [];
  const shown = kept.slice(0, REJECTED_SHOWN);
  return [
    "",
    style.paint("heading", `Rejected ${rejectedNoun(kept)}s: ${formatCount(count)}`),
    ...shown.map(({ origin, message }) => `  ${safe(origin)}: ${message}`),
    ...more(count - shown.length),
  ];
}
