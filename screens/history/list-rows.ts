// The list of checks: as many columns as the width has room for. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isNewestFirst } from "#src/contract/records/list-sort.ts";
import { literally } from "#src/display/mask.ts";
import { checkedMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatLatency, formatMoment } from "#src/display/time.ts";
import { finalWord } from "#src/display/verdict.ts";
import type { HistoryViewState } from "#src/state/history/history-state.ts";
import { selectedAt } from "#src/state/list-selection.ts";
import { entryVerdict, isForeign, type RenderOptions } from "#src/ui/decision-lines.ts";
import { widthOf } from "#src/ui/fit.ts";
import { columnWidth, type List, type ListColumn } from "#src/ui/list.ts";
import { attemptsAmong, marksOf } from "#src/ui/marks.ts";
import { AXIS } from "#src/ui/rows.ts";

export interface HistoryListOptions extends RenderOptions {
  /** Local wall time in ms since the epoch: entries of another day show their date. */
  readonly now: number;
}

/** What of the state is listed. */
export type Listed = Pick<
  HistoryViewState,
  "entries" | "offset" | "total" | "selectedId" | "opened" | "range" | "marked" | "marks" | "sort"
>;

/** The entries that are read, of all that there are. @param width columns of the list */
export function historyList(state: Listed, width: number, options: HistoryListOptions): List<HistoryEntry> {
  const { entries, offset, selectedId, range, marked, sort } = state;
  const { theme } = options;
  return {
    items: entries,
    offset,
    total: Math.max(state.total, offset + entries.length),
    selected: offset + selectedAt(entries, ({ id }) => id === selectedId),
    columns: (shown) => listColumns(width, shown, state, options),
    gap: GAP,
    // Newest first goes without saying.
    sort: isNewestFirst(sort) ? undefined : sort,
    focused: state.opened === null,
    ranged: ({ id }) => range?.includes(id) === true,
    role: (entry) => (isForeign(entry, options) ? "warning" : null),
    flag: (entry) => ({
      text: entry.id === marked?.id ? "m" : isForeign(entry, options) ? theme.sign("warning") : "",
    }),
  };
}

/** A name, prefixed by its profile if that is not the one in use. */
function withProfile(name: string, entry: HistoryEntry, options: HistoryListOptions): string {
  return isForeign(entry, options) ? `${entry.profile}:${name}` : name;
}

/** Columns between two cells. */
const GAP = 2;

/** Widths from which there is the latency; final action and project instead of it; and all of them. */
const WITH_LATENCY = 62;
const WITH_PROJECT = 72;
const WITH_BOTH = 92;

/** Of longer order ids the end is enough. */
const LONGEST_ORDER = 16;
/** With fewer columns only the end of a project key is visible, which most keys share. */
const PROJECT_LEAST = 10;

/**
 * The columns that fit: money and verdict always, the project only in a wide list.
 * @param entries the visible ones: amounts are never cut, so their column must fit
 */
export function listColumns(
  width: number,
  entries: readonly HistoryEntry[],
  { entries: all, sort, marks: words }: Pick<Listed, "entries" | "sort" | "marks">,
  options: HistoryListOptions,
): ListColumn<HistoryEntry>[] {
  const { theme, unit, now } = options;
  type Column = ListColumn<HistoryEntry>;
  const isByLatency = sort.by === "latency";
  const attempts = attemptsAmong(all);
  const time: Column = {
    title: "Time",
    said: "",
    by: "time",
    least: 8,
    cell: ({ at }) => formatMoment(at, now),
  };
  const verdict: Column = {
    title: "Verdict",
    said: "",
    by: "verdict",
    width: 10,
    cell: (entry) => [entryVerdict(entry, options)],
  };
  const money: Column = {
    title: "Amount",
    said: "",
    by: "amount",
    least: 13,
    align: "right",
    cell: (entry) => checkedMoney(entry, unit),
  };
  const latency: Column = {
    title: "Latency",
    said: "",
    by: "latency",
    width: isByLatency ? 9 : 7,
    align: "right",
    cell: ({ result }) => formatLatency(result?.latencyMs ?? null),
  };
  /** As wide as the visible marks; the legend is below the list. */
  const marks: Column = {
    title: "",
    cell: (entry) => marksOf(entry, attempts(entry), theme.ascii),
  };
  const final: Column = { title: "Final", said: "final action", width: 8, cell: finalWord };
  const otherColumns = (hasLatency: boolean): Column[] => [
    ...(columnWidth(marks, entries) === 0 ? [] : [marks]),
    ...(hasLatency ? [latency] : []),
    ...(width >= WITH_PROJECT ? [final] : []),
  ];
  const roomBeside = (columns: readonly Column[]): number =>
    [time, verdict, money, ...columns].reduce(
      (left, column) => left - columnWidth(column, entries) - GAP,
      width - AXIS,
    );
  const orders = Math.max(0, ...entries.map(({ request }) => widthOf(safe(request.order_id ?? "-"))));
  // Latency is the first to give way to final action and project.
  const hasLatency = width >= WITH_BOTH || isByLatency || (width >= WITH_LATENCY && width < WITH_PROJECT);
  // Without a column for the project, an order id that is cut is all that tells rows apart.
  const isSpare = !isByLatency && width < WITH_PROJECT;
  const fits = roomBeside(otherColumns(true)) >= Math.min(orders, LONGEST_ORDER);
  const others = otherColumns(hasLatency && (fits || !isSpare));
  const room = Math.max(4, roomBeside(others));
  const share = width >= WITH_PROJECT ? Math.floor((room - GAP) * 0.55) : 0;
  const hasProject = share >= PROJECT_LEAST;
  // They differ at their end, so a long one loses its start.
  const name = { cut: "start", match: (text: string) => matchIn(text, words) } as const;
  const order: Column = {
    ...name,
    title: "Order",
    width: hasProject ? room - GAP - share : room,
    cell(entry) {
      const id = entry.request.order_id ?? "-";
      return safe(hasProject ? id : withProfile(id, entry, options));
    },
  };
  const project: Column = {
    ...name,
    title: "Project",
    by: "project",
    width: share,
    cell: (entry) => safe(withProfile(entry.project, entry, options)),
  };
  return [time, verdict, money, order, ...others, ...(hasProject ? [project] : [])];
}

/** A word of free text in a cell: what a field asks for is in every row. Null for nothing. */
function matchIn(text: string, words: Listed["marks"]): RegExpExecArray | null {
  for (const [field, word] of words) {
    const found = field === "text" ? new RegExp(literally(word), "iu").exec(text) : null;
    if (found !== null) return found;
  }
  return null;
}
