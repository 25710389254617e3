// The running replay as rows: progress and counts. Pure.

import { formatCount } from "#src/display/count.ts";
import { latencyText, rateText, settingText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration } from "#src/display/time.ts";
import type { LiveReplay } from "#src/state/replay/replays-state.ts";
import { barSpans } from "#src/ui/gauge.ts";
import { AXIS, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { countRows, mixSpans, wrongRows } from "./summary-rows.ts";
import { fit } from "#src/ui/fit.ts";

type Progress = NonNullable<LiveReplay["progress"]>;

const BAR = { least: 10, most: 60 };

/** Progress and counts. */
export function liveFacts(live: LiveReplay, width: number, options: ReplayRenderOptions): Row[] {
  const { progress, header } = live;
  if (progress === null) {
    const what = live.isIsolated ? "a sandbox is being started" : "the sources are being opened";
    return textRows(`Starting: ${what}.`, width, options.theme);
  }
  const { summary } = progress;
  const setting = header === null ? null : settingText({ ...header, summary });
  return [
    progressRow(progress, width, options),
    ...textRows(paceNow(progress, options), width, options.theme, { limit: 2 }),
    ...(setting === null ? [] : textRows(setting, width, options.theme, { limit: 2 })),
    blank(width, options),
    fitRow(
      [{ text: fit("", AXIS) }, ...mixSpans(summary.counts, barWidth(width), options)],
      width,
      options.theme,
    ),
    ...countRows(summary.counts, width, options),
    ...textRows(latencyText(summary.latencies), width, options.theme),
    ...wrongRows(summary, width, options.theme),
    ...wordRows(live, width, options),
  ];
}

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

function paceNow({ summary, inFlight }: Progress, options: ReplayRenderOptions): string {
  const dot = ` ${options.theme.sign("separator")} `;
  const rate = summary.ratePerS === null ? [] : [rateText(summary.ratePerS)];
  const done = `${formatCount(summary.counts.total)} done`;
  return [done, `${inFlight} in flight`, ...rate, formatDuration(summary.durationMs)].join(dot);
}

/** Messages about the state of the replay. */
function wordRows(
  { progress, notes, tripped, rejected, alreadySent }: LiveReplay,
  width: number,
  options: ReplayRenderOptions,
): Row[] {
  const { theme } = options;
  const rows: Row[] = [];
  const add = (text: string, role: "warning" | "error" | "note"): void => {
    rows.push(blank(width, options), ...textRows(text, width, theme, { role, limit: 3 }));
  };
  for (const text of notes) add(text, "note");
  if (tripped !== null) add(safe(tripped, { max: 600 }), "error");
  if (progress?.state === "paused")
    add(`Paused: nothing new is sent; ${theme.keyName("replay.live.pause")} continues.`, "note");
  if (progress?.state === "stopping") add("Stopping: verdict waits for the open answers.", "note");
  if (alreadySent === 1) add("1 was sent before and is not sent again.", "note");
  if (alreadySent > 1) add(`${alreadySent} were sent before and are not sent again.`, "note");
  const last = rejected.at(-1);
  if (last !== undefined)
    add(`Rejected ${safe(last.origin)}: ${safe(last.message, { max: 300 })}`, "warning");
  return rows;
}

function blank(width: number, { theme }: ReplayRenderOptions): Row {
  return fitRow([], width, theme);
}
