// The Replay screen as bands of panes, from the state and the size of the area. Pure.

import { placeText, formatCount } from "#src/display/count.ts";
import { CARRIED, type Comparison, type FlipCell } from "#src/contract/records/flip.ts";
import { nothingCompared } from "#src/display/comparison-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { shownForm } from "#src/state/entry-form.ts";
import { listedCauses, shownGroup, type ReplayResult } from "#src/state/replay/replay-result.ts";
import type { ReplaysState, SetupState } from "#src/state/replay/replays-state.ts";
import { cellId } from "#src/state/replay/run-findings.ts";
import { arranged, filledPane, filledBand } from "#src/ui/arranged.ts";
import { formHeight, formRows } from "#src/ui/form-view.ts";
import { filteredTitle } from "#src/ui/listing-view.ts";
import type { Band, PaneHead, PaneView } from "#src/ui/pane.tsx";
import { fitRow, hasTwoPanes, hiddenNote, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { sidesBands } from "#src/ui/sides.ts";
import { stillTableHeight, type StillTableProps } from "#src/ui/still-table.tsx";
import type { Theme } from "#src/ui/theme.ts";
import { changeRows, flippedMoneyRows, headlineRows } from "./change-rows.ts";
import { findingRows } from "./finding-rows.ts";
import { causeBars, liveChanges } from "./live-changes.ts";
import { liveRows } from "./live-rows.ts";
import { matrixTable, moneyTable } from "./matrix.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { baselineText, runDetail, runRows, type ListedState } from "./runs-rows.ts";
import { preflightRows } from "./setup-rows.ts";
import { findingLines } from "./side-rows.ts";
import { summaryRows } from "./summary-rows.ts";

/** One pane: rows, and maybe tables and rows below them; its band cuts what is higher. */
export interface ReplayPane extends PaneView {
  /** With a blank row between two of them. */
  readonly tables?: readonly StillTableProps[];
  readonly below?: readonly Row[];
}

export interface ReplayView {
  /** One below the other. */
  readonly bands: readonly Band<ReplayPane>[];
  /** Rows that a page key moves. */
  readonly page: number;
  /** First visible row of the list, to pass to the next view. */
  readonly top: number;
  /** Last scroll position of an opened finding. */
  readonly end: number;
}

/**
 * @param state `listed` are the runs that the filter lets through: what an audience sees of its words finds nothing
 * @param top first visible row of the last view; a list moves as little as possible
 */
export function replayView(
  state: ListedState,
  size: Size,
  options: ReplayRenderOptions,
  top: number,
): ReplayView {
  const { live, setup, result } = state;
  if (live !== null) return liveView(live, state, size, options);
  if (setup !== null) return setupView(setup, state, size, options);
  if (result?.opened != null) return sidesView(result, size, options);
  if (result !== null) return resultView(result, state, size, options, top);
  return runsView(state, size, options, top);
}

const STILL = { page: 1, top: 0, end: 0 } as const;

function runsView(state: ListedState, size: Size, options: ReplayRenderOptions, top: number): ReplayView {
  const { columns, rows } = size;
  const { theme } = options;
  const { listed: shown, filter, selectedId, fault } = state;
  const title = filteredTitle("Replay runs", filter, theme);
  if (shown.length === 0) {
    const text = emptyText(state, theme);
    const drawn = text
      .split("\n")
      .flatMap((line) => textRows(line, columns, theme, { role: fault === null ? null : "error" }));
    const body = Math.max(0, rows - 1);
    return {
      bands: [filledBand({ title: filter === "" ? "Replay" : title, width: columns }, drawn, body)],
      ...STILL,
    };
  }
  const at = shown.findIndex(({ id }) => id === selectedId);
  const head = { title, note: withZoom(placeText(at + 1, shown.length), size, theme) };
  let listed = { page: 1, top };
  const list = (width: number, height: number): ReplayPane => {
    const drawn = runRows(state, { columns: width, rows: height }, options, top);
    listed = drawn;
    return filledPane({ ...head, width }, drawn.rows, height);
  };
  const detail = (width: number, height: number): ReplayPane =>
    filledPane(
      { title: "Run", note: withZoom(undefined, size, theme), width, focused: false },
      runDetail(state, width, options),
      height,
    );
  const bands = arranged<ReplayPane>(
    size,
    {
      least: 62,
      share: 0.55,
      most: 108,
      upper(bodies) {
        // Keep the height of the list from one run to the next.
        const below = Math.max(runDetail(state, columns, options).length, DETAIL_ROWS);
        return Math.max(bodies - below, Math.min(bodies, LIST_LEAST));
      },
    },
    [list, detail],
  );
  return { bands, page: listed.page, top: listed.top, end: 0 };
}

/** The note of a pane, which also says where the pane is alone because it is zoomed. */
function withZoom(note: string | undefined, { zoom = 0 }: Size, { keyName }: Theme): string | undefined {
  if (zoom === 0) return note;
  const zoomed = `zoomed, ${keyName("shell.zoom")} goes on`;
  return note === undefined ? zoomed : `${zoomed}, ${note}`;
}

function emptyText({ fault, loaded, runs }: ReplaysState, { keyName }: Theme): string {
  if (fault !== null) return safe(fault, { max: 600 });
  if (!loaded) return "Reading the runs.";
  if (runs.length > 0) return `No run matches the filter; ${keyName("replay.back")} shows all.`;
  return (
    "No replay has been run yet.\n\n" +
    "A replay sends saved payloads, files or the history again and shows which verdicts have changed.\n\n" +
    `Press ${keyName("replay.new")} to set one up. To save a payload, press ${keyName("history.save")} on History or ${keyName("check.save")} on Check.`
  );
}

const DETAIL_ROWS = 7;
const LIST_LEAST = 4;

function setupView(
  setup: SetupState,
  { runs }: ReplaysState,
  { columns, rows }: Size,
  options: ReplayRenderOptions,
): ReplayView {
  const { theme } = options;
  const form = (width: number, height: number): ReplayPane =>
    filledPane(
      { title: "New replay", width },
      formRows(shownForm(setup.form), { action: "Start the replay", width, height, theme }),
      height,
    );
  const survey = (width: number, height: number): ReplayPane => {
    const drawn = preflightRows(setup, runs, width, options);
    const note = hiddenNote(0, Math.max(0, drawn.length - height), theme);
    return filledPane({ title: "Before sending", note, width, focused: false }, drawn, height);
  };
  const bands = arranged<ReplayPane>(
    { columns, rows },
    {
      least: 56,
      share: 0.56,
      most: 84,
      upper: (bodies) => Math.min(formHeight(setup.form), Math.max(3, bodies - SURVEY_LEAST)),
    },
    [form, survey],
  );
  return { bands, ...STILL };
}

const SURVEY_LEAST = 4;

function liveView(
  live: NonNullable<ReplaysState["live"]>,
  state: ReplaysState,
  { columns, rows }: Size,
  options: ReplayRenderOptions,
): ReplayView {
  const { header, progress } = live;
  const note = progress?.state ?? "running";
  const title = header === null ? "Replay" : `Replay to ${safe(header.project)}`;
  const against = header === null ? "" : `Compared with ${baselineText(header, state)}.`;
  const isLow = !hasTwoPanes({ columns, rows });
  const charts = isLow ? 0 : Math.min(CHART_MOST, 1 + Math.max(0, Math.floor((rows - LIVE_ROWS) / CHARTS)));
  const drawn = (width: number): Row[] => liveRows(live, width, charts, options);
  const bands = arranged<ReplayPane>(
    { columns, rows },
    { least: 0, share: 0.48, most: columns, upper: (bodies) => Math.min(drawn(columns).length, bodies) },
    [
      (width, height) => filledPane({ title, note, width }, drawn(width), height),
      (width, height) =>
        filledPane(
          { title: "Changes so far", width, focused: false },
          liveChanges(live, against, width, isLow, options),
          height,
        ),
    ],
  );
  return { bands, ...STILL };
}

/** Charts of a running replay, the rows of each at most, and the rows of a page on which each has one row and sentences follow. */
const CHARTS = 4;
const CHART_MOST = 5;
const LIVE_ROWS = 27;

/** Width from which the matrix gets sums, and the flips a table of their money: a terminal of 120 without its last column. */
const WIDE = 119;
const FINDINGS_LEAST = 5;
/** The groups, the matrix and its shares; the sentences above them need two. */
const OUTCOME_ROWS = 17;

function resultView(
  result: ReplayResult,
  state: ReplaysState,
  size: Size,
  options: ReplayRenderOptions,
  top: number,
): ReplayView {
  const { columns, zoom = 0 } = size;
  const group = shownGroup(result);
  const { theme } = options;
  const { state: ended } = result.info;
  // As in the list: what is complete goes without saying, and leaves its room to the title.
  const said = withZoom(ended === "complete" ? undefined : ended, size, theme);
  const head = { title: resultTitle(result, options), note: said };
  const kept = listedCauses(result) ?? group?.findings ?? [];
  const note = withZoom(noteOf(result, kept.length, group?.count ?? 0, theme), size, theme);
  let listed = { page: 1, top };
  const summary = (width: number): ReplayPane =>
    summaryPane({ ...head, width, focused: false }, result, state, columns >= WIDE, options);
  const findings = (width: number, height: number): ReplayPane => {
    const drawn = findingRows(result, { columns: width, rows: height }, options, top);
    listed = drawn;
    const title = filteredTitle("Findings", result.filter, theme);
    return filledPane({ title, note, width }, drawn.rows, height);
  };
  const bands = arranged<ReplayPane>(
    // The findings are zoomed first.
    { ...size, zoom: zoom === 0 ? 0 : 3 - zoom },
    {
      least: 50,
      share: 0.48,
      most: 84,
      upper: (bodies) =>
        Math.min(
          heightOf(summary(columns)),
          group?.kind === "outcomes"
            ? Math.max(2, bodies - OUTCOME_ROWS)
            : Math.max(3, bodies - FINDINGS_LEAST),
        ),
    },
    [summary, findings],
  );
  return { bands, page: listed.page, top: listed.top, end: 0 };
}

function resultTitle({ info }: ReplayResult, { theme }: ReplayRenderOptions): string {
  return `Run of ${formatDateTime(info.at)} ${theme.sign("separator")} ${safe(info.project)}`;
}

/** Where the selection is. The last of those that are kept here is not the last of all. */
function noteOf(
  { selected, reading }: ReplayResult,
  kept: number,
  count: number,
  { keyName }: Theme,
): string | undefined {
  if (reading) return "reading";
  if (kept === 0) return undefined;
  const place = placeText(selected + 1, kept);
  return kept < count ? `${place}, ${keyName("replay.export")} exports all ${formatCount(count)}` : place;
}

/** The summary of the run and its matrix, as high as they are. */
function summaryPane(
  head: PaneHead,
  result: ReplayResult,
  state: ReplaysState,
  isWide: boolean,
  options: ReplayRenderOptions,
): ReplayPane {
  const { width } = head;
  const { theme } = options;
  const { info, comparison, reading, fault } = result;
  const facts = summaryRows(info, width, options);
  const against = textRows(`Compared with ${baselineText(result, state)}.`, width, theme, { limit: 2 });
  if (comparison === null || comparison.compared === 0) {
    const text = reading ? "Comparing the verdicts." : (fault ?? nothingText(comparison, theme));
    const why = textRows(safe(text, { max: 600 }), width, theme, { role: fault === null ? null : "error" });
    // Payloads without a verdict are no baseline.
    const all = [...facts, ...(info.baseline === null ? [] : against), fitRow([], width, theme), ...why];
    return filledPane(head, all, all.length);
  }
  const cell = shownGroup(result)?.cell ?? null;
  const blank = isWide ? [fitRow([], width, theme)] : [];
  return {
    ...head,
    // Most important first: a low area cuts the end.
    rows: [...(isWide ? headlineRows : changeRows)(comparison, width, options), ...blank],
    tables: flipTables(comparison, cell, isWide, width, options),
    below: [
      ...(isWide ? causeBars(comparison, width, theme) : []),
      ...blank,
      ...flippedMoneyRows(comparison, cell, width, options),
      ...against,
      ...blank,
      ...facts,
    ],
  };
}

/** The matrix and, where it is wide, the money. @param cell whose flips are listed; null for none */
function flipTables(
  comparison: Comparison,
  cell: Pick<FlipCell, "was" | "now"> | null,
  isWide: boolean,
  width: number,
  options: ReplayRenderOptions,
): StillTableProps[] {
  const matrix = matrixTable(comparison, cell === null ? null : cellId(cell), isWide, width, options);
  const withMoney = isWide && comparison.changes.flipped > 0;
  return withMoney ? [matrix, moneyTable(comparison, width, options)] : [matrix];
}

function heightOf({ rows: above, tables = [], below = [] }: ReplayPane): number {
  const between = Math.max(0, tables.length - 1);
  return tables.reduce(
    (sum, { rows }) => sum + stillTableHeight(rows.length),
    above.length + below.length + between,
  );
}

/** Why nothing was compared, and how to get a comparison. */
function nothingText(comparison: Comparison | null, { keyName }: Theme): string {
  if (comparison === null) return "Nothing was compared.";
  const text = nothingCompared(comparison);
  if (comparison.baseline !== CARRIED) return text;
  return `${text} ${keyName("replay.baseline")} compares the next replay with this run; ${keyName("replay.mark")} in the list marks a run for a comparison.`;
}

function sidesView(result: ReplayResult, { columns, rows }: Size, options: ReplayRenderOptions): ReplayView {
  const finding = result.opened!;
  const name = safe(finding.key, { max: 80 });
  const place = placeText(result.selected + 1, shownGroup(result)?.findings.length ?? 0);
  const names = {
    before: "Before",
    after: `Now: ${name}`,
    both: name,
    alone: finding.before === null,
    note: () => place,
  };
  const lines = findingLines(finding, options);
  const { bands, page, end } = sidesBands(lines, { columns, rows }, names, result.scroll, options.theme);
  return { bands, page, top: 0, end };
}
