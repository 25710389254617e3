// The list of earlier runs, and what is known of the selected one. Pure.

import type { RunInfo } from "#src/contract/records/run.ts";
import { keyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { formatClockOrDay } from "#src/display/time.ts";
import { sourceText } from "#src/state/replay/replay-setup.ts";
import { chosenRun, type ReplaysState } from "#src/state/replay/replays.ts";
import { fit, fitTail, window } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { countRows, mixSpans, paceRows, wrongText, type ReplayLook } from "./look.ts";

export interface RunList {
  readonly rows: readonly Row[];
  /** Runs on a page. */
  readonly page: number;
  /** First visible run, to be given back to the next view. */
  readonly top: number;
}

const TIME = 8;
const ITEMS = 6;
const FLIPS = 6;
const STATE = 8;
/** The mix, as wide as there is room. */
const MIX = { least: 8, most: 20 };
const MARGIN = 3;

/** A list that is lower than this shows no names of columns. */
const HEADED_FROM = 4;

/** @param before first visible run of the view before, so that the list moves no further than it must */
export function runRows(state: ReplaysState, size: Size, look: ReplayLook, before: number): RunList {
  const { columns, rows } = size;
  const { runs, selectedId } = state;
  const headed = rows >= HEADED_FROM;
  const page = Math.max(1, headed ? rows - 1 : rows);
  const at = Math.max(
    0,
    runs.findIndex(({ id }) => id === selectedId),
  );
  const visible = window(runs.length, page, at, before);
  const widths = columnWidths(columns);
  const drawn = runs.slice(visible.from, visible.to).map((run) => runRow(run, state, widths, columns, look));
  return {
    rows: headed ? [headRow(widths, columns, look), ...drawn] : drawn,
    page,
    top: visible.from,
  };
}

interface Widths {
  readonly mix: number;
  readonly project: number;
}

function columnWidths(columns: number): Widths {
  const rest = columns - MARGIN - TIME - ITEMS - FLIPS - STATE - 6;
  const mix = Math.min(MIX.most, Math.max(MIX.least, Math.floor(rest * 0.35)));
  return { mix, project: Math.max(4, rest - mix) };
}

function headRow({ mix, project }: Widths, columns: number, { theme }: ReplayLook): Row {
  const cells = [
    fit("Time", TIME),
    fit("Project", project),
    fit("Items", ITEMS, { align: "right" }),
    fit("Verdicts", mix),
    fit("Flips", FLIPS, { align: "right" }),
    fit("State", STATE),
  ];
  return fitRow([{ text: `${" ".repeat(MARGIN)}${cells.join(" ")}`, role: "heading" }], columns, theme);
}

function runRow(
  run: RunInfo,
  state: ReplaysState,
  { mix, project }: Widths,
  columns: number,
  look: ReplayLook,
): Row {
  const { theme } = look;
  const selected = run.id === state.selectedId;
  const role: Span["role"] = selected ? "accent" : null;
  const ellipsis = theme.sign("ellipsis");
  const { summary } = run;
  const flips = state.flips.get(run.id);
  const pointer = selected ? theme.sign("pointer") : " ";
  const flag = run.id === state.markedId ? "*" : run.id === state.baselineId ? "b" : " ";
  return fitRow(
    [
      { text: pointer, role },
      { text: flag, role: "warning" },
      { text: ` ${fit(formatClockOrDay(run.at, look.now), TIME)} `, role },
      { text: `${fitTail(safe(projectText(run, look)), project, ellipsis)} `, role },
      { text: `${fit(summary === null ? "-" : String(summary.counts.total), ITEMS, { align: "right" })} ` },
      ...(summary === null
        ? [{ text: fit("not known", mix, { ellipsis }) }]
        : mixSpans(summary.counts, mix, look)),
      {
        text: ` ${fit(flips === undefined ? "-" : String(flips), FLIPS, { align: "right" })} `,
        role: flips !== undefined && flips > 0 ? "warning" : null,
      },
      { text: fit(run.state, STATE), role: run.state === "partial" ? "warning" : null },
    ],
    columns,
    theme,
  );
}

/** The project, with the profile before it where that is not the one in use. */
function projectText({ project, profile }: RunInfo, look: ReplayLook): string {
  return profile === look.profile ? project : `${profile}:${project}`;
}

/** All about the selected run, most telling first. */
export function runDetail(state: ReplaysState, width: number, look: ReplayLook): Row[] {
  const run = chosenRun(state);
  if (run === null) return [];
  const { theme } = look;
  const { summary } = run;
  const line = (text: string, role: Span["role"] = null, limit = 2): Row[] =>
    textRows(text, width, theme, { role, limit });
  const wrong = summary === null ? "" : wrongText(summary);
  return [
    ...line(`${formatDateTime(run.at)}, run ${safe(run.id)}`, "heading"),
    ...(summary === null
      ? line(
          `It lost its process before it could add up; ${keyName("replay.goOn", "c")} goes on with it.`,
          "warning",
        )
      : [...countRows(summary.counts, width, look), ...paceRows(summary, width, look)]),
    ...(wrong === "" ? [] : line(`${wrong}.`, "warning")),
    ...line(`Sources: ${safe(sourceText(run.sources, look.data), { max: 400 })}`),
    ...(run.baseline === null && !state.flips.has(run.id)
      ? []
      : line(`Compared with ${baselineText(run, state)}.`)),
    ...(run.freshOrderIds ? line("Every item got an order id of its own.") : []),
    ...flagLines(run, state).flatMap((text) => line(text, "note")),
  ];
}

function baselineText({ baseline }: RunInfo, { runs }: ReplaysState): string {
  if (baseline === null) return "what the payloads carried";
  const run = runs.find(({ id }) => id === baseline);
  return run === undefined ? `run ${safe(baseline)}, which is gone` : `the run of ${formatDateTime(run.at)}`;
}

function flagLines({ id, state }: RunInfo, { markedId, baselineId }: ReplaysState): string[] {
  return [
    ...(state === "partial" ? [`It was not finished; ${keyName("replay.goOn", "c")} sends the rest.`] : []),
    ...(markedId === id ? ["* Marked: the next run that you open is compared with it."] : []),
    ...(baselineId === id ? ["b Baseline: the next replay is compared with it."] : []),
  ];
}
