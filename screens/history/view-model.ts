// The History screen as rows, from the state and the size of the area. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isNewestFirst } from "#src/contract/records/list-sort.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { MARKS_LEGEND } from "#src/ui/marks.ts";
import { safe } from "#src/display/safe.ts";
import { DETAIL_TABS, type HistoryViewState } from "#src/state/history/history-state.ts";
import { arranged, filledPane, seenRows } from "#src/ui/arranged.ts";
import { clip, fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Band, PaneView } from "#src/ui/pane.tsx";
import { AXIS, fillRows, hasTwoPanes, hiddenNote, type Row, type Size, textRows } from "#src/ui/rows.ts";
import { countChanged, sidesBands } from "#src/ui/sides.ts";
import { STRIP_ROWS, stripRows } from "#src/ui/strip-rows.ts";
import { detailLines } from "./detail-lines.ts";
import { footRows } from "./foot-rows.ts";
import { historyList, type HistoryListOptions } from "./list-rows.ts";
import { pairLines } from "./pair-lines.ts";
import type { Theme } from "#src/ui/theme.ts";
import { listRows } from "#src/ui/list.ts";

export interface HistoryScreenView {
  /** The list, the detail, or both side by side. */
  readonly bands: readonly Band[];
  /** Errors below the panes. */
  readonly feet: readonly Row[];
  /** Entries on a page of the list. */
  readonly listPage: number;
  /** First visible entry, to pass to the next view. */
  readonly top: number;
  /** Lines of the detail that are visible at once; 0 while it is not shown. */
  readonly detailPage: number;
  /** Last scroll position of the detail. */
  readonly detailEnd: number;
}

/** Rendering options besides the state and the size. */
export interface HistoryRenderOptions extends HistoryListOptions {
  /** A filter is being typed. */
  readonly asking?: boolean;
}

/** @param top first visible entry of the last view; the list moves as little as possible */
export function historyView(
  state: HistoryViewState,
  size: Size,
  options: HistoryRenderOptions,
  top: number = 0,
): HistoryScreenView {
  const feet = footRows(state, size.columns, options.theme);
  const area = { ...size, rows: Math.max(2, size.rows - feet.length) };
  const view = { listPage: 1, top, detailPage: 0, detailEnd: 0 };
  if (state.compared !== null) {
    const { bands, page, end } = pairBands(state, area, options);
    return { ...view, bands, feet, detailPage: page, detailEnd: end };
  }
  const beside = hasTwoPanes(size);
  const shown = state.opened ?? (beside ? selectedEntry(state) : null);
  const list = (columns: number, rows: number): PaneView => {
    const { pane, page, top: first } = listPane(state, { columns, rows, zoom: size.zoom }, options, top);
    Object.assign(view, { listPage: page, top: first });
    return pane;
  };
  const detail = (columns: number, rows: number): PaneView => {
    if (shown === null) return filledPane({ title: "Detail", width: columns, focused: false }, [], rows);
    const { pane, page, end } = detailPane(state, shown, { columns, rows }, options, !beside);
    Object.assign(view, { detailPage: page, detailEnd: end });
    return pane;
  };
  const columns = { least: 52, share: 0.54, most: 100, opened: state.opened !== null };
  const bands = arranged(area, columns, [list, detail]);
  return { bands, feet, ...view };
}

function selectedEntry({ entries, selectedId }: HistoryViewState): HistoryEntry | null {
  return entries.find((entry) => entry.id === selectedId) ?? null;
}

function listPane(
  state: HistoryViewState,
  { columns, rows, zoom = 0 }: Size,
  options: HistoryRenderOptions,
  before: number,
): { pane: PaneView; page: number; top: number } {
  const { entries, filter, sort } = state;
  const { theme } = options;
  const title = isNewestFirst(sort) ? "History" : `History by ${sort.by}`;
  const below = rows >= STRIP_FROM && zoom === 0 ? belowRows(state, columns, rows, options) : [];
  const height = rows - below.length;
  const list = historyList(state, columns, options);
  const { rows: listed, page, top } = listRows(list, { columns, rows: height }, theme, before);
  const drawn =
    entries.length > 0 ? listed : textRows(emptyText(state, options), columns, theme, { role: "quiet" });
  return {
    pane: {
      title: filter === "" ? title : `${title} ${theme.sign("separator")} ${safe(filter, { max: 80 })}`,
      note: noteText(state, list.selected),
      width: columns,
      focused: state.opened === null,
      rows: [...fillRows(drawn, columns, height), ...below],
    },
    page,
    top,
  };
}

/** Height from which a strip is shown below the list. */
const STRIP_FROM = 12;
/** Height from which the legend of the marks is shown. */
const LEGEND_FROM = 16;

/** Below the list: the strip of the entries in memory and the legend, always of the same height. */
function belowRows(
  { entries, total, progress, filter }: HistoryViewState,
  columns: number,
  rows: number,
  options: HistoryRenderOptions,
): Row[] {
  if (entries.length === 0) return [];
  const all = filter === "" && progress === null && total <= entries.length;
  const scope = all ? "All" : "These";
  const strip = stripRows({ entries, sendingId: options.sendingId, scope }, columns, options.theme);
  const legend =
    rows >= LEGEND_FROM && options.theme.ascii !== "words"
      ? [[{ text: fit("", AXIS) + clip(MARKS_LEGEND, columns - AXIS), role: "quiet" as const }]]
      : [];
  return [...fillRows(strip, columns, STRIP_ROWS), ...legend];
}

/** `3 of 1,000,000`, or the progress of a search and its results so far. */
function noteText(
  { reading, entries, total, progress, offset, following, range }: HistoryViewState,
  at: number,
): string | undefined {
  if (reading !== "idle") return "reading";
  const searched =
    progress === null || progress.all === 0
      ? ""
      : `${Math.floor((100 * progress.done) / progress.all)}% searched`;
  if (entries.length === 0) return searched === "" ? undefined : searched;
  const count = `${formatCount(Math.max(total, offset + entries.length))}${progress === null ? "" : "+"}`;
  const isFollowing = following && at === 0 && searched === "";
  const follows =
    range !== null ? `, ${formatCount(range.length)} selected` : isFollowing ? ", following" : "";
  return `${formatCount(at + 1)} of ${count}${searched === "" ? follows : `, ${searched}`}`;
}

function emptyText(
  { reading, filter, fault, progress, meant }: HistoryViewState,
  { theme: { keyName }, asking = false }: HistoryRenderOptions,
): string {
  if (reading !== "idle") return "Reading the history.";
  if (progress !== null)
    return `Searching; nothing is found yet. ${keyName("history.back")} ends the search.`;
  if (filter !== "") {
    const doubt = meant === null ? "" : ` Did you mean ${meant}?`;
    if (!asking)
      return `No check matches the filter; press ${keyName("history.back")} to see all, or ${keyName("history.filter")} to change it.${doubt}`;
    return `No check matches ${safe(filter, { max: 80 })}.${doubt === "" ? "" : `${doubt} Press ${keyName("prompt.complete")} to use it.`}`;
  }
  if (fault !== null) return "The history could not be read.";
  return `No single check has been sent yet; press ${keyName("shell.check")}, and ${keyName("check.send")} there sends the payment. The runs of replays are on ${keyName("shell.replay")}.`;
}

function detailPane(
  state: HistoryViewState,
  entry: HistoryEntry,
  { columns, rows }: Size,
  options: HistoryRenderOptions,
  covers: boolean,
): { pane: PaneView; page: number; end: number } {
  const { tab, signed, seen: before } = state;
  const lines = detailLines(entry, tab, columns - AXIS, { ...options, seen: before }, signed);
  const tabs = tabSpans(state, options.theme);
  const filtered = covers && state.filter !== "";
  const titled = columns >= TITLED_TABS && !filtered;
  // Beside both there is no room for the position.
  const crowded = titled && columns < NOTED_TABS && lines.length > rows;
  const page = Math.max(1, titled && !crowded ? rows : rows - 1);
  const { seen, from, end, place } = seenRows(lines, state.scroll, page);
  const visible = seen.map((row): Row => [{ text: fit("", AXIS) }, ...row]);
  const more = hiddenNote(from, end - from, options.theme);
  const order = entry.request.order_id;
  return {
    pane: {
      title: order === undefined ? "No order id" : safe(order, { max: 80 }),
      cut: "start",
      ...(titled ? { tabs } : {}),
      note: [
        ...(filtered ? [`filter on, ${counted(state.total, "match", "matches")}`] : []),
        ...(end === 0 || crowded ? [] : [place]),
      ].join(` ${options.theme.sign("separator")} `),
      width: columns,
      focused: state.opened !== null,
      rows: fillRows(
        [
          ...(titled ? [] : [tabs]),
          ...visible,
          ...(crowded ? [[{ text: `${fit("", AXIS)}${more}`, role: "quiet" as const }]] : []),
        ],
        columns,
        rows,
      ),
    },
    page,
    end,
  };
}

/** Columns of a detail whose tabs stand beside its title; in a narrower one, and under a filter, they have a row of their own. */
const TITLED_TABS = 53;
const NOTED_TABS = 70;

/** The tabs; the open one is in brackets, which need no colour. */
function tabSpans({ tab, opened }: HistoryViewState, { ascii }: Theme): Row {
  const role = opened === null ? "heading" : "accent";
  const tabs = DETAIL_TABS.map((each): Span => {
    const title = `${each[0]!.toUpperCase()}${each.slice(1)}`;
    if (ascii === "words") return { text: each === tab ? `  tab ${title}` : "" };
    return each === tab ? { text: `[${title}]`, role } : { text: ` ${title} `, role: "quiet", hit: each };
  });
  return [{ text: " " }, ...tabs];
}

/** Two entries side by side, or stacked on a narrow screen. */
function pairBands(
  { compared, scroll }: HistoryViewState,
  { columns, rows }: Size,
  options: HistoryRenderOptions,
): ReturnType<typeof sidesBands> {
  const { theme } = options;
  const lines = pairLines(compared!, options);
  const changed = countChanged(lines);
  const count = changed === 0 ? "nothing changed" : `${formatCount(changed)} changed`;
  const name = ({ request }: HistoryEntry): string =>
    request.order_id === undefined ? "no order id" : safe(request.order_id, { max: 60 });
  const [before, after] = [name(compared!.before), name(compared!.after)];
  const names = {
    before: `Earlier: ${before}`,
    after: `Later: ${after}`,
    both: `${before} ${theme.sign("arrow")} ${after}`,
    note: (place: string) => (place === "" ? count : `${count} ${theme.sign("separator")} ${place}`),
  };
  return sidesBands(lines, { columns, rows }, names, scroll, theme);
}
