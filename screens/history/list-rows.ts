// The list of checks as rows of columns: as many columns as the width has room for. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isNewestFirst, type HistorySort } from "#src/contract/records/list-sort.ts";
import { marksOf } from "#src/ui/marks.ts";
import { literally } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatLatency, formatMoment } from "#src/display/time.ts";
import type { HistoryViewState } from "#src/state/history/history-state.ts";
import { entryVerdict, isForeign, type RenderOptions } from "#src/ui/decision-lines.ts";
import { finalWord } from "#src/display/verdict.ts";
import { fit, fitTail, widthOf } from "#src/ui/fit.ts";
import { fitCell, matchedRow, sortedTitle, titlesRow, type Row } from "#src/ui/rows.ts";

export interface HistoryRenderOptions extends RenderOptions {
  /** Local wall time in ms since the epoch: entries of another day show their date. */
  readonly now: number;
  /** Attempt number of each entry by id; 1 for missing ids. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Id of the entry that another one is to be compared with. */
  readonly markedId: string | null;
  readonly marks: HistoryViewState["marks"];
  readonly sort: HistorySort;
}

/** A column of the list. */
export interface HistoryColumn {
  readonly title: string;
  /** What a screen reader says before a cell; the title by default. */
  readonly said?: string;
  readonly width: number;
  readonly align: "left" | "right";
  /** What the list is sorted by, where it can be by this column. */
  readonly by?: string;
  read(entry: HistoryEntry, options: HistoryRenderOptions): string;
}

const TIME: HistoryColumn = {
  title: "Time",
  said: "",
  by: "time",
  width: 8,
  align: "left",
  read: (entry, { now }) => formatMoment(entry.at, now),
};
/** Drawn in the colour of the verdict. */
const VERDICT: HistoryColumn = {
  title: "Verdict",
  said: "",
  by: "verdict",
  width: 10,
  align: "left",
  read: (entry, options) => entryVerdict(entry, options).text,
};
const MONEY: HistoryColumn = {
  title: "Amount",
  said: "",
  by: "amount",
  width: 13,
  align: "right",
  read: ({ request }, { unit }) => formatMoney(request.amount, request.currency, unit),
};
const LATENCY: HistoryColumn = {
  title: "Latency",
  said: "",
  by: "latency",
  width: 7,
  align: "right",
  read: ({ result }) => formatLatency(result?.latencyMs ?? null),
};
/** As wide as the visible marks; the legend is below the list. */
const MARKS: Omit<HistoryColumn, "width"> = {
  title: "",
  align: "left",
  read: (entry, { attempts, theme }) => marksOf(entry, attempts.get(entry.id) ?? 1, theme.ascii),
};
const FINAL: HistoryColumn = {
  title: "Final",
  said: "final action",
  width: 8,
  align: "left",
  read: finalWord,
};

/** Order ids and project keys differ at their end, so a long one loses its start. */
function nameColumn(
  title: string,
  width: number,
  read: (entry: HistoryEntry, options: HistoryRenderOptions) => string,
  by: string = "",
): HistoryColumn {
  return {
    title,
    by,
    width,
    align: "left",
    read: (entry, options) => fitTail(safe(read(entry, options)), width, options.theme.sign("ellipsis")),
  };
}

/** A name, prefixed by its profile if that is not the one in use. */
function withProfile(name: string, entry: HistoryEntry, options: HistoryRenderOptions): string {
  return isForeign(entry, options) ? `${entry.profile}:${name}` : name;
}

const GAP = "  ";
/** The selected row's pointer, and the mark of another profile. */
const POINTER = 2;

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
  options: HistoryRenderOptions,
): HistoryColumn[] {
  const widest = ({ read }: HistoryColumn, least: number): number =>
    Math.max(least, ...entries.map((entry) => widthOf(read(entry, options))));
  const money: HistoryColumn = { ...MONEY, width: widest(MONEY, MONEY.width) };
  const time: HistoryColumn = { ...TIME, width: widest(TIME, TIME.width) };
  const widestMarks = Math.max(0, ...entries.map((entry) => MARKS.read(entry, options).length));
  const marks = widestMarks === 0 ? [] : [{ ...MARKS, width: widestMarks }];
  // It is the first to give way to final action and project.
  const hasLatency =
    width >= WITH_BOTH || options.sort.by === "latency" || (width >= WITH_LATENCY && width < WITH_PROJECT);
  const latency = options.sort.by === "latency" ? { ...LATENCY, width: LATENCY.width + 2 } : LATENCY;
  const otherColumns = (shown: boolean): HistoryColumn[] => [
    ...marks,
    ...(shown ? [latency] : []),
    ...(width >= WITH_PROJECT ? [FINAL] : []),
  ];
  const roomBeside = (columns: readonly HistoryColumn[]): number =>
    [time, VERDICT, money, ...columns].reduce(
      (left, column) => left - column.width - GAP.length,
      width - POINTER,
    );
  const orders = Math.max(0, ...entries.map(({ request }) => widthOf(safe(request.order_id ?? "-"))));
  // Without a column for the project, an order id that is cut is all that tells rows apart.
  const isSpare = options.sort.by !== "latency" && width < WITH_PROJECT;
  const fits = roomBeside(otherColumns(true)) >= Math.min(orders, LONGEST_ORDER);
  const others = otherColumns(hasLatency && (fits || !isSpare));
  const room = Math.max(4, roomBeside(others));
  const share = width >= WITH_PROJECT ? Math.floor((room - GAP.length) * 0.55) : 0;
  const project = share < PROJECT_LEAST ? 0 : share;
  const order = nameColumn("Order", project === 0 ? room : room - GAP.length - project, (entry, options) => {
    const name = entry.request.order_id ?? "-";
    return project === 0 ? withProfile(name, entry, options) : name;
  });
  const projects =
    project === 0
      ? []
      : [
          nameColumn(
            "Project",
            project,
            (entry, options) => withProfile(entry.project, entry, options),
            "project",
          ),
        ];
  return [time, VERDICT, money, order, ...others, ...projects];
}

export function headRow(columns: readonly HistoryColumn[], options: HistoryRenderOptions): Row {
  const { sort, theme } = options;
  // Newest first goes without saying.
  const titleOf = ({ title, by }: HistoryColumn): string =>
    isNewestFirst(sort) ? title : sortedTitle(title, by, sort, theme);
  const cells = columns.map((column) =>
    fit(titleOf(column), column.width, { align: column.align, ...ellipsis(options) }),
  );
  return titlesRow(cells, theme, GAP);
}

export function entryRow(
  entry: HistoryEntry,
  sign: "pointer" | "range" | null,
  columns: readonly HistoryColumn[],
  options: HistoryRenderOptions,
): Row {
  const foreign = isForeign(entry, options);
  const marked = entry.id === options.markedId;
  const role = foreign ? "warning" : null;
  const cell = (column: HistoryColumn): string =>
    fitCell(column, column.read(entry, options).trim(), options.theme);
  const verdictAt = columns.indexOf(VERDICT);
  const before = columns.slice(0, verdictAt).map(cell);
  const behind = columns.slice(verdictAt + 1).map(cell);
  const row: Row = [
    {
      text: `${sign === null ? " " : options.theme.sign(sign)}${marked ? "m" : foreign ? options.theme.sign("warning") : " "}${before.join(GAP)}${GAP}`,
      role,
    },
    { ...entryVerdict(entry, options), text: cell(VERDICT) },
    { text: `${GAP}${behind.join(GAP)}`, role },
  ];
  let at = POINTER;
  return columns.reduce((drawn, column) => {
    const text = cell(column);
    const found = matchIn(text, column, options);
    const from = at + (found?.index ?? 0);
    at += text.length + GAP.length;
    return found === null ? drawn : matchedRow(drawn, from, from + found[0].length);
  }, row);
}

/** A word of free text in a cell: what a field asks for is in every row. Null for nothing. */
function matchIn(text: string, column: HistoryColumn, options: HistoryRenderOptions): RegExpExecArray | null {
  const title = column.title.toLowerCase();
  // An audience would see in the rows what was typed unseen.
  const isRead = (title === "order" || title === "project") && options.presented !== true;
  if (!isRead) return null;
  for (const [field, word] of options.marks) {
    const found = field === "text" ? new RegExp(literally(word), "iu").exec(text) : null;
    if (found !== null) return found;
  }
  return null;
}

function ellipsis(options: RenderOptions): { ellipsis: string } {
  return { ellipsis: options.theme.sign("ellipsis") };
}
