// The running replay as rows: progress, verdicts and their course over the payments, latencies. Pure.

import { LATENCY_BINS, MOST_BINS } from "#src/contract/records/run-course.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { latencyText, rateText, runKinds, settingText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration, formatMoment } from "#src/display/time.ts";
import { verdictLabel, VERDICTS, verdictSign } from "#src/display/verdict.ts";
import type { LiveReplay } from "#src/state/replay/replays-state.ts";
import { fit, widthOf } from "#src/ui/fit.ts";
import { barRows, barSpans, type Gauge } from "#src/ui/gauge.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, besideRows, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import { sparkRows } from "#src/ui/sparkline.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { countRows, wrongRows } from "./summary-rows.ts";

type Progress = NonNullable<LiveReplay["progress"]>;

const BAR = { least: 10, most: 60 };

/**
 * Progress, verdicts and latencies.
 * @param chartRows how high a chart is; 0 leaves blank rows out, and puts what moves beside its figures
 */
export function liveRows(
  live: LiveReplay,
  width: number,
  chartRows: number,
  options: ReplayRenderOptions,
): Row[] {
  const { progress, header } = live;
  const { theme } = options;
  if (progress === null) {
    const what = live.isIsolated ? "a sandbox is being started" : "the sources are being opened";
    const then = live.isPaused ? ` It pauses then; ${theme.keyName("replay.live.pause")} lets it go on.` : "";
    return textRows(`Starting: ${what}.${then}`, width, theme);
  }
  const { summary } = progress;
  const setting = header === null ? null : settingText({ ...header, summary });
  const gap: Row[] = chartRows === 0 ? [] : [[]];
  const rows = [
    progressRow(progress, width, options),
    ...textRows(paceNow(progress, theme), width, theme, { limit: 2 }),
    ...gap,
    ...axisRows(verdictRows(progress, width - AXIS - 1, chartRows, options)),
    ...gap,
    ...axisRows(latencyRows(progress, width - AXIS - 1, chartRows, theme)),
    ...gap,
    ...wrongRows(summary, width, theme),
    ...(setting === null ? [] : textRows(setting, width, theme, { limit: 2 })),
    ...wordRows(live, width, options),
  ];
  return rows.map((row) => fitRow(row, width, theme));
}

/** The verdicts as bars, and their course beside or below them. */
function verdictRows(
  { summary: { counts }, course }: Progress,
  width: number,
  chartRows: number,
  options: ReplayRenderOptions,
): Row[] {
  const { theme, now } = options;
  const isBeside = chartRows === 0;
  if (theme.ascii === "words") return countRows(counts, width, options);
  const gauges = runKinds(counts)
    .filter(([, count], index) => index < RECOMMENDATIONS || count > 0)
    .map(([kind, count]): Gauge => {
      const value = `${formatCount(count).padStart(COUNT)}  ${percent(count, counts.total).padStart(PERCENT)}`;
      const label = verdictLabel(kind, theme.ascii);
      return { label, value, share: count / Math.max(1, counts.total), role: VERDICTS[kind].role };
    });
  if (course.parts.length === 0) return barRows(gauges, width, theme, width);
  const lines = MILDEST_FIRST.flatMap((verdict, index) => {
    const counted = course.parts.map((part) => part[verdict] || null);
    const sign = isBeside ? "" : `${verdictSign(verdict, theme.ascii)} `;
    const { role } = VERDICTS[verdict];
    const drawn = chart(counted, isBeside ? 1 : columnsOfPart(width), chartRows, theme);
    const rows = drawn.map((text, row): Row => [
      { text: (row === drawn.length - 1 ? sign : fit("", widthOf(sign))) + text, role },
    ]);
    return index > 0 && chartRows > 1 ? [[], ...rows] : rows;
  });
  const span: Span = { text: courseText(course, now), role: "quiet" };
  if (!isBeside) return [...barRows(gauges, width, theme, width), [], [span], ...lines];
  const room = width - COURSE - 2;
  // The numbers matter more than their course.
  if (room < LEAST_BARS) return barRows(gauges, width, theme, width);
  const bars = { rows: barRows(gauges, room, theme, width), width: room };
  return besideRows([bars, { rows: [...lines, [span]], width: COURSE }], 2, theme);
}

/** Each value `wide` columns wide, at least one row high. */
function chart(values: readonly (number | null)[], wide: number, rows: number, theme: Theme): string[] {
  const columns = values.flatMap((value) => Array.from({ length: wide }, () => value));
  return sparkRows(columns, columns.length, Math.max(1, rows), theme.ascii !== false);
}

/** Columns of a part of the course, and of a bin of the latencies, which are a few more. */
function columnsOfPart(width: number): number {
  return width < 2 * MOST_BINS ? 1 : 2;
}

const RECOMMENDATIONS = MILDEST_FIRST.length;
const COUNT = 7;
const PERCENT = 8;
/** Columns of signs, words and numbers, with short bars. */
const LEAST_BARS = 32;
/** Columns of the course with its words. */
const COURSE = 40;

/** Its ends, and the length of a column: `03-01 00:00 to 03-01 12:30 by 30 min`, `payments 1 to 767, 32 in each`. */
function courseText({ isTimed, from, step, parts }: Progress["course"], now: number): string {
  const to = from + step * parts.length;
  if (isTimed) return `${formatMoment(from, now)} to ${formatMoment(to, now)} by ${formatDuration(step)}`;
  return `payments ${formatCount(Math.max(1, from))} to ${formatCount(to - 1)}, ${formatCount(step)} in each`;
}

/** The percentiles, and all answers by how long they took. */
function latencyRows({ summary, course }: Progress, width: number, chartRows: number, theme: Theme): Row[] {
  const text = latencyText(summary.latencies);
  const last = course.latencies.findLastIndex((count) => count > 0);
  const bins = course.latencies.slice(0, last + 1).map((count) => count || null);
  if (bins.length === 0 || theme.ascii === "words") return [[{ text }]];
  if (chartRows === 0) return [[{ text: `${text}   ${chart(bins, 1, 1, theme).join("")}` }]];
  const wide = columnsOfPart(width);
  const marks = Array.from({ length: Math.ceil(bins.length / LATENCY_BINS) }, (_, tenfold) =>
    formatDuration(10 ** tenfold).padEnd(wide * LATENCY_BINS),
  );
  const drawn = chart(bins, wide, chartRows, theme).map((line): Row => [{ text: line }]);
  return [[{ text }], ...drawn, [{ text: marks.join(""), role: "quiet" }]];
}

const axisRows = (rows: readonly Row[]): Row[] => rows.map((row) => [{ text: fit("", AXIS) }, ...row]);

function progressRow({ fraction, etaMs }: Progress, width: number, options: ReplayRenderOptions): Row {
  if (fraction === null) return fitRow([{ text: "  Sending; the total is unknown." }], width, options.theme);
  const { theme } = options;
  const room = barWidth(width);
  const left = etaMs === null ? "" : `  ${formatDuration(etaMs)} left`;
  return fitRow(
    [
      { text: fit("", AXIS) },
      ...barSpans(Math.min(1, fraction), room, null, theme),
      // Never 100 % before the end.
      { text: ` ${Math.min(99, Math.floor(fraction * 100))} %${left}` },
    ],
    width,
    theme,
  );
}

function barWidth(width: number): number {
  return Math.max(BAR.least, Math.min(BAR.most, width - 24));
}

/** How fast it is, or why it is not: the rows below it stay where they are. */
function paceNow({ summary, inFlight, state }: Progress, { keyName }: Theme): string {
  if (state === "paused") return `Paused, ${inFlight} in flight; ${keyName("replay.live.pause")} continues.`;
  if (state === "stopping") return "Stopping: verdict waits for the open answers.";
  const rate = summary.ratePerS === null ? [] : [rateText(summary.ratePerS)];
  const done = `${formatCount(summary.counts.total)} done`;
  return [done, ...rate, `${inFlight} in flight`, `after ${formatDuration(summary.durationMs)}`].join("   ");
}

/** Messages about the state of the replay. */
function wordRows(
  { notes, tripped, rejected, alreadySent }: LiveReplay,
  width: number,
  options: ReplayRenderOptions,
): Row[] {
  const { theme } = options;
  const rows: Row[] = [];
  const add = (text: string, role: "warning" | "error" | "note"): void => {
    rows.push(...textRows(text, width, theme, { role, limit: 3 }));
  };
  for (const text of notes) add(text, "note");
  if (tripped !== null) add(safe(tripped, { max: 600 }), "error");
  if (alreadySent === 1) add("1 was sent before and is not sent again.", "note");
  if (alreadySent > 1) add(`${formatCount(alreadySent)} were sent before and are not sent again.`, "note");
  const last = rejected.at(-1);
  if (last !== undefined)
    add(`Rejected ${safe(last.origin)}: ${safe(last.message, { max: 300 })}`, "warning");
  return rows;
}
