// The list of earlier runs, and the details of the selected one. Pure.

import { formatCount } from "#src/display/count.ts";
import { CARRIED } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { formatClockOrDay } from "#src/display/time.ts";
import { sourceText } from "#src/state/replay/replay-setup.ts";
import { chosenRun, type ReplaysState } from "#src/state/replay/replays-state.ts";
import { fit, fitTail, window } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import {
  fitRow,
  hitRow,
  markedRow,
  textRows,
  titlesRow,
  type ListRows,
  type Row,
  type Size,
} from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { mixSpans, summaryRows } from "./summary-rows.ts";

const TIME = 8;
const ITEMS = 9;
const FLIPS = 7;
const STATE = 8;
/** Columns of the bar of verdicts. */
const MIX = { least: 8, most: 20 };
const MARGIN = 2;

/** Height from which a list has column headings. */
const HEADED_FROM = 4;

/** @param before first visible run of the last view; the list moves as little as possible */
export function runRows(
  state: ReplaysState,
  size: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
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
  const drawn = runs.slice(visible.from, visible.to).map((run, index) => {
    const row = markedRow(runRow(run, state, widths, columns, options), run.id === state.selectedId);
    return hitRow(row, visible.from + index - at);
  });
  return {
    rows: headed ? [headRow(widths, columns, options), ...drawn] : drawn,
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

function headRow({ mix, project }: Widths, columns: number, { theme }: ReplayRenderOptions): Row {
  const cells = [
    fit("Time", TIME),
    fit("Project", project),
    fit("Items", ITEMS, { align: "right" }),
    fit("Verdicts", mix),
    fit("Flips", FLIPS, { align: "right" }),
    fit("State", STATE),
  ];
  return fitRow(titlesRow(cells, theme), columns, theme);
}

function runRow(
  run: RunInfo,
  state: ReplaysState,
  { mix, project }: Widths,
  columns: number,
  options: ReplayRenderOptions,
): Row {
  const { theme } = options;
  const selected = run.id === state.selectedId;
  const ellipsis = theme.sign("ellipsis");
  const { summary } = run;
  const flips = state.flips.get(run.id);
  const pointer = selected ? theme.sign("pointer") : " ";
  const flag = run.id === state.markedId ? "*" : run.id === state.baselineId ? "b" : " ";
  return fitRow(
    [
      { text: pointer },
      { text: flag, role: "warning" },
      { text: `${fit(formatClockOrDay(run.at, options.now), TIME)} ` },
      { text: `${fitTail(safe(projectText(run, options)), project, ellipsis)} ` },
      {
        text: `${fit(theme.named("items") + (summary === null ? "-" : formatCount(summary.counts.total)), ITEMS, { align: "right" })} `,
      },
      ...(summary === null
        ? [{ text: fit("not known", mix, { ellipsis }) }]
        : mixSpans(summary.counts, mix, options)),
      {
        text: ` ${fit(theme.named("flips") + (flips === undefined ? "-" : formatCount(flips)), FLIPS, { align: "right" })} `,
        role: flips !== undefined && flips > 0 ? "warning" : null,
      },
      { text: fit(run.state, STATE), role: run.state === "partial" ? "warning" : null },
    ],
    columns,
    theme,
  );
}

/** The project, prefixed by its profile if that is not the one in use. */
function projectText({ project, profile }: RunInfo, options: ReplayRenderOptions): string {
  return profile === options.profile ? project : `${profile}:${project}`;
}

/** The details of the selected run, most important first. */
export function runDetail(state: ReplaysState, width: number, options: ReplayRenderOptions): Row[] {
  const run = chosenRun(state);
  if (run === null) return [];
  const { theme } = options;
  const line = (text: string, role: Span["role"] = null, limit = 2): Row[] =>
    textRows(text, width, theme, { role, limit });
  return [
    ...line(`${formatDateTime(run.at)}, run ${safe(run.id)}`, "heading"),
    ...summaryRows(run, width, options),
    ...line(`Sources: ${safe(sourceText(run.sources, options.data), { max: 400 })}`),
    ...(run.baseline === null && !state.flips.has(run.id)
      ? []
      : line(`Compared with ${baselineText(run, state)}.`)),
    ...(run.freshOrderIds ? line("Every item got an order id of its own.") : []),
    ...flagLines(run, state, theme).flatMap((text) => line(text, "note")),
  ];
}

/** What a run is compared with, in words. */
export function baselineText(
  { baseline }: Pick<RunInfo, "baseline">,
  { runs }: Pick<ReplaysState, "runs">,
): string {
  if (baseline === null) return CARRIED;
  const run = runs.find(({ id }) => id === baseline);
  return run === undefined ? `run ${safe(baseline)}, which is gone` : `the run of ${formatDateTime(run.at)}`;
}

function flagLines(
  { id, state, isolated }: RunInfo,
  { markedId, baselineId }: ReplaysState,
  theme: Theme,
): string[] {
  const rest =
    isolated === undefined ? `${theme.keyName("replay.goOn")} sends the rest` : "its sandbox is gone";
  return [
    ...(state === "partial" ? [`It was not finished; ${rest}.`] : []),
    ...(markedId === id ? ["* Marked: the next run that you open is compared with it."] : []),
    ...(baselineId === id ? ["b Baseline: the next replay is compared with it."] : []),
  ];
}
