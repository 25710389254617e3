// The list of earlier runs, and the details of the selected one. Pure.

import { formatCount } from "#src/display/count.ts";
import { CARRIED } from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import { rulesText, runKinds } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime, formatMoment } from "#src/display/time.ts";
import { verdictMix } from "#src/display/verdict-mix.ts";
import { sourceText } from "#src/state/replay/replay-setup.ts";
import { chosenRun, type ReplaysState } from "#src/state/replay/replays-state.ts";
import { selectedAt } from "#src/state/list-selection.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { listRows, type ListColumn } from "#src/ui/list.ts";
import { mixSpans } from "#src/ui/strip-rows.ts";
import { textRows, type ListRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { summaryRows } from "./summary-rows.ts";

/** With the runs that the filter lets through. */
export type ListedState = ReplaysState & { readonly listed: readonly RunInfo[] };

/** @param before first visible run of the last view; the list moves as little as possible */
export function runRows(
  state: ListedState,
  size: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
  const { listed, selectedId, markedId, baselineId } = state;
  const list = {
    items: listed,
    selected: selectedAt(listed, ({ id }) => id === selectedId),
    columns: (shown: readonly RunInfo[]) => runColumns(shown, state, options),
    flag: ({ id }: RunInfo): Span => ({
      text: id === markedId ? "m" : id === baselineId ? "b" : "",
      role: "warning",
    }),
  };
  return listRows(list, size, options.theme, before);
}

function runColumns(
  shown: readonly RunInfo[],
  { flips }: ReplaysState,
  options: ReplayRenderOptions,
): ListColumn<RunInfo>[] {
  return [
    { title: "Time", said: "", least: 8, cell: ({ at }) => formatMoment(at, options.now) },
    {
      title: "Source",
      share: 1,
      least: 6,
      cut: "start",
      cell: ({ sources }) => safe(sourceText(sources, options.data), { max: 120 }),
    },
    {
      title: "Project",
      said: "",
      share: 0.55,
      least: 4,
      cut: "start",
      cell: (run, width) => placeText(run, width, options),
    },
    {
      title: "Items",
      least: 5,
      align: "right",
      cell: ({ summary }) => (summary === null ? "-" : formatCount(summary.counts.total)),
    },
    {
      title: "Verdicts",
      said: "",
      width: Math.min(MIX_MOST, Math.max(...shown.map((run) => mixWidth(run, options.theme)))),
      from: MIXED_FROM,
      cell: ({ summary }, width) =>
        summary === null ? NO_MIX : mixSpans(runKinds(summary.counts), 0, width, options.theme),
    },
    {
      title: "Flips",
      least: 5,
      align: "right",
      cell({ id }) {
        const count = flips.get(id);
        return [{ text: count === undefined ? "-" : formatCount(count), role: count ? "warning" : null }];
      },
    },
    // A column only where a visible run is not complete.
    { title: "", cell: ({ state }) => [{ text: state === "partial" ? state : "", role: "warning" }] },
  ];
}

/** Columns of the count of each verdict: a bar in their colours alone would look alike without them. */
function mixWidth({ summary }: RunInfo, { ascii }: Theme): number {
  if (summary === null) return widthOf(NO_MIX);
  const labels = verdictMix(runKinds(summary.counts), 0, ascii).map(({ label }) => label);
  return Math.max("Verdicts".length, widthOf(labels.join(" ")));
}

const NO_MIX = "unknown";
/** Three counts of six digits, or seven of two. */
const MIX_MOST = 34;
/** Width from which there is room for the verdicts of a run beside what tells it from the others. */
const MIXED_FROM = 78;

/**
 * The project, behind its profile if that is not the one in use, and at the end, which is never cut, the rules of a
 * sandbox of its own: they alone where there is no room for both.
 */
function placeText(run: RunInfo, width: number, options: ReplayRenderOptions): string {
  const place = safe(run.profile === options.profile ? run.project : placeOf(run));
  const rules = rulesText(run);
  if (rules === null) return place;
  const whole = `${place}, isolated: ${rules}`;
  return [whole, `isolated: ${rules}`].find((text) => widthOf(text) <= width) ?? rules;
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
    ...(run.freshOrderIds ? line("Every item got a new order id.") : []),
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
  return run === undefined
    ? `run ${safe(baseline)}, which was removed`
    : `the run of ${formatDateTime(run.at)}`;
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
    ...(markedId === id
      ? [`m Marked: ${theme.keyName("replay.compare")} on another run compares them.`]
      : []),
    ...(baselineId === id ? ["b Baseline: the next replay is compared with it."] : []),
  ];
}
