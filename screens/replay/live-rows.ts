// The replay under way as rows: how far it is, what came back, and which verdicts have changed so far. Pure.

import { keyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration } from "#src/display/time.ts";
import type { LiveReplay } from "#src/state/replay/live-replay.ts";
import { fitRow, textRows, type Row } from "#src/ui/rows.ts";
import { changeRows, flippedMoneyRows } from "./change-rows.ts";
import { countRows, latencyText, mixSpans, rateText, wrongText, type ReplayLook } from "./look.ts";
import { matrixRows } from "./matrix.ts";

type Progress = NonNullable<LiveReplay["progress"]>;

const BAR = { least: 10, most: 60 };

/** How far it is and what came back. */
export function liveFacts(live: LiveReplay, width: number, look: ReplayLook): Row[] {
  const { progress } = live;
  if (progress === null) return textRows("Starting: the sources are being opened.", width, look.theme);
  const { summary } = progress;
  const wrong = wrongText(summary);
  return [
    progressRow(progress, width, look),
    ...textRows(paceNow(progress, look), width, look.theme, { limit: 2 }),
    blank(width, look),
    fitRow([{ text: " " }, ...mixSpans(summary.counts, barWidth(width), look)], width, look.theme),
    ...countRows(summary.counts, width, look),
    ...textRows(latencyText(summary), width, look.theme),
    ...(wrong === "" ? [] : textRows(`${wrong}.`, width, look.theme, { role: "warning", limit: 2 })),
    ...wordRows(live, width, look),
  ];
}

/** What has changed so far; nothing while there is nothing to compare. */
export function liveFlips({ progress }: LiveReplay, width: number, look: ReplayLook): Row[] {
  if (progress === null) return [];
  const { comparison, summary } = progress;
  if (comparison.compared === 0) {
    const text =
      summary.counts.total === 0
        ? "Flips are counted as the verdicts come."
        : "There is nothing to compare with so far.";
    return textRows(text, width, look.theme);
  }
  return [
    ...matrixRows(comparison, null, width, look),
    blank(width, look),
    ...changeRows(comparison, width, look),
    ...flippedMoneyRows(comparison, null, width, look),
  ];
}

function progressRow({ fraction, etaMs }: Progress, width: number, look: ReplayLook): Row {
  if (fraction === null)
    return fitRow([{ text: " Sending; how much is left is not known." }], width, look.theme);
  const { theme } = look;
  const room = barWidth(width);
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * room);
  const left = etaMs === null ? "" : `  ${formatDuration(etaMs)} left`;
  return fitRow(
    [
      { text: " " },
      { text: theme.sign("barFull").repeat(full), role: "accent" },
      { text: theme.sign("barEmpty").repeat(room - full) },
      // 100 % are for what is done.
      { text: ` ${Math.min(99, Math.floor(fraction * 100))} %${left}` },
    ],
    width,
    theme,
  );
}

function barWidth(width: number): number {
  return Math.max(BAR.least, Math.min(BAR.most, width - 24));
}

function paceNow({ summary, inFlight }: Progress, look: ReplayLook): string {
  const dot = ` ${look.theme.sign("separator")} `;
  const rate = summary.ratePerS === null ? [] : [rateText(summary.ratePerS)];
  const done = `${summary.counts.total} done`;
  return [done, `${inFlight} in flight`, ...rate, formatDuration(summary.durationMs)].join(dot);
}

/** What somebody should know now. */
function wordRows(
  { progress, tripped, rejected, alreadySent }: LiveReplay,
  width: number,
  look: ReplayLook,
): Row[] {
  const { theme } = look;
  const rows: Row[] = [];
  const add = (text: string, role: "warning" | "error" | "note"): void => {
    rows.push(blank(width, look), ...textRows(text, width, theme, { role, limit: 3 }));
  };
  if (tripped !== null) add(safe(tripped, { max: 600 }), "error");
  if (progress?.state === "paused")
    add(`Paused: nothing new is sent; ${keyName("replay.live.pause", "Space")} goes on.`, "note");
  if (progress?.state === "stopping") add("Stopping: what is under way is waited for.", "note");
  if (alreadySent === 1) add("1 was sent before and is not sent again.", "note");
  if (alreadySent > 1) add(`${alreadySent} were sent before and are not sent again.`, "note");
  const last = rejected.at(-1);
  if (last !== undefined)
    add(`Rejected ${safe(last.origin)}: ${safe(last.message, { max: 300 })}`, "warning");
  return rows;
}

function blank(width: number, { theme }: ReplayLook): Row {
  return fitRow([], width, theme);
}
