// The History screen as rows of text: pure, from what the store remembers and the size of the area.

import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { safe } from "#src/display/safe.ts";
import type { SignName } from "#src/display/sign.ts";
import { DETAIL_TABS, type HistoryViewState } from "#src/state/history-view.ts";
import { clip, window } from "#src/ui/fit.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { detailLines, sign, type Look, type Row } from "./detail-lines.ts";
import { entryRow, headRow, listColumns, type HistoryLook } from "./list-rows.ts";
import { wrap } from "./wrap.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** One pane: its title, and exactly as many rows as the body is high. */
export interface PaneView extends PaneHead {
  readonly rows: readonly Row[];
}

export interface HistoryScreenView {
  /** The list, the detail, or both side by side. */
  readonly panes: readonly PaneView[];
  /** Height of the panes without their titles. */
  readonly height: number;
  /** Below the panes: what is wrong. */
  readonly feet: readonly Row[];
  /** Entries on a page of the list. */
  readonly listPage: number;
  /** First visible entry, to be given back to the next view. */
  readonly top: number;
  /** Lines of the detail that are visible at once; 0 while it is not shown. */
  readonly detailPage: number;
  /** The furthest that the detail can be scrolled. */
  readonly detailEnd: number;
}

/** Two panes from this width on. */
const TWO_PANES = 100;
const FOOT_LINES = 2;

/** @param top first visible entry of the view before, so that the list moves no further than it must */
export function historyView(
  state: HistoryViewState,
  size: Size,
  look: HistoryLook,
  top: number = 0,
): HistoryScreenView {
  const { columns } = size;
  const feet = footRows(state, columns, look);
  const height = Math.max(1, size.rows - 1 - feet.length);
  const beside = columns >= TWO_PANES;
  const shown = state.opened ?? (beside ? selectedEntry(state) : null);
  const listWidth = !beside ? columns : Math.min(100, Math.max(52, Math.floor(columns * 0.54)));
  const detailWidth = beside ? columns - listWidth - 1 : columns;

  const list =
    beside || state.opened === null ? listPane(state, { columns: listWidth, rows: height }, look, top) : null;
  const detail =
    shown === null ? null : detailPane(state, shown, { columns: detailWidth, rows: height }, look);
  const empty = beside && detail === null ? emptyDetail(detailWidth, height) : null;
  return {
    panes: [list?.pane, detail?.pane, empty].filter((pane) => pane !== null && pane !== undefined),
    height,
    feet,
    listPage: list?.page ?? 1,
    top: list?.top ?? top,
    detailPage: detail?.page ?? 0,
    detailEnd: detail?.end ?? 0,
  };
}

function selectedEntry({ entries, selectedId }: HistoryViewState): HistoryEntry | null {
  return entries.find((entry) => entry.id === selectedId) ?? null;
}

function footRows({ fault, problems }: HistoryViewState, columns: number, look: Look): Row[] {
  const rows: Row[] = [];
  const add = (name: SignName, role: "error" | "warning", text: string): void => {
    const lines = wrap(safe(text, { max: 600 }), Math.max(2, columns - 3));
    const kept = lines.slice(0, FOOT_LINES);
    const rest = lines.slice(FOOT_LINES - 1).join(" ");
    if (lines.length > FOOT_LINES) kept[FOOT_LINES - 1] = clip(rest, columns - 3, sign("ellipsis", look));
    for (const [index, line] of kept.entries()) {
      rows.push([
        { text: index === 0 ? ` ${sign(name, look)} ` : "   ", role },
        { text: line, role },
      ]);
    }
  };
  if (fault !== null) add("error", "error", fault);
  const [first, ...others] = problems;
  if (first !== undefined)
    add("warning", "warning", others.length === 0 ? first : `${first} (and ${others.length} more)`);
  return rows;
}

/** A list that is lower than this shows no names of columns. */
const HEADED_FROM = 6;

function listPane(
  state: HistoryViewState,
  { columns, rows }: Size,
  look: HistoryLook,
  before: number,
): { pane: PaneView; page: number; top: number } {
  const { entries, offset, selectedId, filter, opened } = state;
  const at =
    offset +
    Math.max(
      0,
      entries.findIndex((entry) => entry.id === selectedId),
    );
  const headed = rows >= HEADED_FROM && entries.length > 0;
  const page = Math.max(1, headed ? rows - 1 : rows);
  const visible = window(Math.max(state.total, offset + entries.length), page, at, before);
  const shown = entries.slice(Math.max(0, visible.from - offset), Math.max(0, visible.to - offset));
  const shownColumns = listColumns(columns, shown, look);
  const drawn: Row[] = headed ? [headRow(shownColumns, look)] : [];
  // Rows above those in memory, until they are read.
  for (let position = visible.from; position < Math.min(offset, visible.to); position += 1) drawn.push(BLANK);
  for (const entry of shown) drawn.push(entryRow(entry, entry.id === selectedId, shownColumns, look));
  if (entries.length === 0) {
    for (const line of wrap(emptyText(state), columns - 2)) drawn.push([{ text: ` ${line}` }]);
  }
  return {
    pane: {
      title: filter === "" ? "History" : `History ${sign("separator", look)} ${safe(filter, { max: 80 })}`,
      note: noteText(state, at),
      width: columns,
      focused: opened === null,
      rows: filled(drawn, rows),
    },
    page,
    top: visible.from,
  };
}

/** `3 of 1,000,000`; how far a search is; how many it has found so far. */
function noteText(
  { reading, entries, total, complete, looked, offset }: HistoryViewState,
  at: number,
): string | undefined {
  if (reading !== "idle") return "reading";
  const searched =
    looked === null || looked.all === 0 ? "" : `${Math.floor((100 * looked.done) / looked.all)}% searched`;
  if (entries.length === 0) return searched === "" ? undefined : searched;
  const count = `${grouped(Math.max(total, offset + entries.length))}${complete ? "" : "+"}`;
  return `${grouped(at + 1)} of ${count}${searched === "" ? "" : `, ${searched}`}`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function emptyText({ reading, filter, fault, looked }: HistoryViewState): string {
  if (reading !== "idle") return "Reading the history.";
  if (looked !== null) return "Searching; nothing is found yet. Esc ends the search.";
  if (filter !== "") return "No check matches the filter; press Esc to see all, or / to change it.";
  if (fault !== null) return "The history could not be read.";
  return "Nothing has been checked yet; press 1 for Check, and Enter there sends the prepared payment.";
}

const TAB_TITLE = {
  decision: "Decision",
  request: "Request",
  response: "Response",
  timing: "Timing",
} as const;

function detailPane(
  state: HistoryViewState,
  entry: HistoryEntry,
  { columns, rows }: Size,
  look: HistoryLook,
): { pane: PaneView; page: number; end: number } {
  const lines = detailLines(entry, state.tab, columns - 2, look);
  const page = Math.max(1, rows - 1);
  const end = Math.max(0, lines.length - page);
  const from = Math.min(state.scroll, end);
  const visible = lines.slice(from, from + page).map((row): Row => [{ text: " " }, ...row]);
  const order = entry.request.order_id;
  return {
    pane: {
      title: order === undefined ? "No order id" : safe(order, { max: 80 }),
      note: end === 0 ? undefined : `${from + 1}-${from + visible.length} of ${lines.length}`,
      width: columns,
      focused: state.opened !== null,
      rows: filled([tabRow(state, look), ...visible], rows),
    },
    page,
    end,
  };
}

/** The tabs; a pointer marks the one that is open, so that it needs no colour. */
function tabRow({ tab }: HistoryViewState, look: Look): Row {
  const arrow = sign("pointer", look);
  return DETAIL_TABS.map((each) =>
    each === tab
      ? { text: ` ${arrow}${TAB_TITLE[each]}`, role: "accent" as const }
      : { text: `  ${TAB_TITLE[each]}` },
  );
}

function emptyDetail(columns: number, rows: number): PaneView {
  return { title: "Detail", width: columns, focused: false, rows: filled([], rows) };
}

const BLANK: Row = [{ text: " " }];

/** Exactly as many rows as asked for. */
function filled(rows: readonly Row[], count: number): Row[] {
  return Array.from({ length: count }, (_, index) => rows[index] ?? BLANK);
}
