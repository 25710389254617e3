// A list as rows: the titles of its columns, the visible items, the selected one, and what a click means. Pure.

import type { Sort } from "#src/contract/records/list-sort.ts";
import type { TableCell, TableLine } from "#src/display/span.ts";
import { fit, fitTail, widthOf, window, wrapWords } from "./fit.ts";
import {
  AXIS,
  fitCell,
  fitRow,
  fillRows,
  hitRow,
  markedRow,
  matchedRow,
  sortedTitle,
  titlesRow,
  type ListRows,
  type Row,
  type Size,
} from "./rows.ts";
import type { Role } from "#src/display/style.ts";
import { barSpans } from "./gauge.ts";
import type { Theme } from "./theme.ts";

export interface ListColumn<Item> {
  readonly title: string;
  /** What a screen reader says before a cell; the title by default. */
  readonly said?: string;
  /** What the list is sorted by, where it can be by this column. */
  readonly by?: string;
  /** Columns; without them and without a share the column is as wide as its widest visible cell. */
  readonly width?: number;
  /** The part of what the other columns leave, 1 for all. */
  readonly share?: number;
  /** Bounds of a width that is not fixed. */
  readonly least?: number;
  readonly most?: number;
  /** Width of the pane from which there is this column; always by default. */
  readonly from?: number;
  readonly align?: "right";
  /** The side at which a long text is cut; the start for ids and keys, which differ at their end. */
  readonly cut?: "start";
  /** Safe texts; several spans are as wide as the column. @param width columns of the cell */
  cell(item: Item, width: number): string | Row;
  /** What is searched for in the text of a cell. */
  match?(text: string): RegExpExecArray | null;
}

export interface List<Item> {
  readonly items: readonly Item[];
  /** Place of the first of them and their count, where they are not all that there are. */
  readonly offset?: number;
  readonly total?: number;
  /** Place of the selected item. */
  readonly selected: number;
  /** @param shown the visible items */
  readonly columns: readonly ListColumn<Item>[] | ((shown: readonly Item[]) => readonly ListColumn<Item>[]);
  /** Columns between two cells; 1 by default. */
  readonly gap?: number;
  /** It stands in a text: nothing is before the first column, and it is never scrolled. */
  readonly still?: boolean;
  readonly sort?: Sort | undefined;
  /** False where another pane has the keyboard. */
  readonly focused?: boolean;
  /** False where Enter does not act on the selected item. */
  readonly pointed?: boolean;
  /** Whether it is selected together with the selected one. */
  ranged?(item: Item): boolean;
  /** The colour of what has none of its own. */
  role?(item: Item): Role | null;
  /** A mark of one column between the pointer and the first cell. */
  flag?(item: Item): Row[number];
  /** What stands in place of all cells behind the first; null where they stand there. */
  instead?(item: Item): Row[number] | null;
}

/** Height from which a list has column headings. */
const HEADED_FROM = 3;

interface PlacedColumn<Item> extends ListColumn<Item> {
  readonly columns: number;
}

/**
 * The visible items in at most `size.rows` rows, with the titles of the columns above them where there is room.
 * @param before first visible item of the last view; without it the selected one is centred
 */
export function listRows<Item>(
  list: List<Item>,
  { columns, rows }: Size,
  theme: Theme,
  before?: number,
): ListRows {
  const { items, selected, focused, offset = 0, total = items.length } = list;
  const isNamed = typeof list.columns === "function" || list.columns.some(({ title }) => title !== "");
  const headed = rows >= HEADED_FROM && items.length > 0 && isNamed;
  const page = Math.max(1, headed ? rows - 1 : rows);
  const visible = window(total, page, selected, before);
  const shown = items.slice(Math.max(0, visible.from - offset), Math.max(0, visible.to - offset));
  const first = Math.max(visible.from, Math.min(offset, visible.to));
  const placed = placedColumns(list, shown, columns);
  const drawn = shown.map((item, index) => {
    const distance = first + index - selected;
    const ranged = list.ranged?.(item) === true;
    const pointer = distance === 0 ? (list.pointed === false ? "" : "pointer") : ranged ? "range" : "";
    const row = fitRow(itemRow(item, pointer, placed, list, theme), columns, theme);
    return hitRow(markedRow(row, distance === 0 || ranged, focused), distance);
  });
  const head = fitRow(headRow(placed, list, theme), columns, theme);
  // Blank rows stand for those above that are not read yet.
  const all = [...(headed ? [head] : []), ...fillRows([], columns, first - visible.from), ...drawn];
  return { rows: all, page, top: visible.from };
}

/** The columns for which there is room; the one with the largest share takes what the others leave. */
function placedColumns<Item>(
  { columns, gap = 1, still }: List<Item>,
  shown: readonly Item[],
  width: number,
): PlacedColumn<Item>[] {
  const all = typeof columns === "function" ? columns(shown) : columns;
  const there = all.filter(({ from = 0 }) => width >= from);
  const widths = there.map((column) => columnWidth(column, shown));
  const room = widths.reduce((left, each) => left - each - gap, width - (still ? 0 : AXIS) + gap);
  let left = room;
  const shares = there.map(({ share = 0 }, index) => ({ share, index })).filter(({ share }) => share > 0);
  for (const { share, index } of shares.toSorted((one, other) => one.share - other.share)) {
    const { least = 1, most = room } = there[index]!;
    widths[index] = Math.max(least, Math.min(most, left, Math.floor(room * share)));
    left -= widths[index];
  }
  return there.map((column, index) => ({ ...column, columns: widths[index]! }));
}

/** Columns that a column without a share has. */
export function columnWidth<Item>(column: ListColumn<Item>, shown: readonly Item[]): number {
  const { width, share, least = 0, most = Infinity, cell } = column;
  if (width !== undefined || share !== undefined) return width ?? 0;
  const widest = Math.max(0, ...shown.map((item) => widthOf(textOf(cell(item, least)))));
  return Math.max(least, Math.min(most, widest));
}

function headRow<Item>(
  placed: readonly PlacedColumn<Item>[],
  { gap = 1, sort, still }: List<Item>,
  theme: Theme,
): Row {
  const titles = placed.map(({ title, by, columns, align }) =>
    fit(sort === undefined ? title : sortedTitle(title, by, sort, theme), columns, { align }),
  );
  return titlesRow(titles, theme, " ".repeat(gap), still ? 0 : AXIS);
}

function itemRow<Item>(
  item: Item,
  sign: "pointer" | "range" | "",
  placed: readonly PlacedColumn<Item>[],
  { gap = 1, role, flag, instead, still }: List<Item>,
  theme: Theme,
): Row {
  const ink = role?.(item) ?? null;
  const mark = flag?.(item) ?? { text: "" };
  const other = instead?.(item) ?? null;
  const own = other === null ? placed : placed.slice(0, 1);
  const cells = own.flatMap((column, index): Row => {
    const { columns, cut } = column;
    const drawn = column.cell(item, columns);
    const spans: Row = typeof drawn === "string" ? [{ text: drawn, role: ink }] : drawn;
    const fitted = spans.flatMap((span): Row => {
      if (spans.length > 1) return [span];
      const whole = cut === "start" ? fitTail(span.text, columns, theme.sign("ellipsis")).trim() : span.text;
      const text = fitCell({ ...column, width: columns }, whole, theme);
      const found = column.match?.(text) ?? null;
      const row = [{ ...span, text }];
      return found === null ? row : matchedRow(row, found.index, found.index + found[0].length);
    });
    return index === 0 ? fitted : [{ text: " ".repeat(gap) }, ...fitted];
  });
  const before: Row = [
    { text: fit(sign === "" ? "" : theme.sign(sign), 1), role: ink },
    { role: ink, ...mark, text: fit(mark.text, AXIS - 1) },
  ];
  return [...(still ? [] : before), ...cells, ...(other === null ? [] : [{ text: " ".repeat(gap) }, other])];
}

function textOf(cell: string | Row): string {
  return typeof cell === "string" ? cell : cell.map(({ text }) => text).join("");
}

/** A list without a pointer. */
const STILL = { selected: -1, gap: 2, still: true } as const;

/** All rows of a table in a text, with its titles. */
export function stillRows<Item>(
  columns: List<Item>["columns"],
  items: readonly Item[],
  width: number,
  theme: Theme,
): readonly Row[] {
  // With a row to spare one item has titles as well.
  const area = { columns: width, rows: items.length + 2 };
  return listRows({ ...STILL, items, columns }, area, theme).rows;
}

/** A table as the lines of a page hold it. */
export function tableRows({ columns, cells }: TableLine, width: number, theme: Theme): readonly Row[] {
  const drawn = columns.map(({ wraps, ...column }, index): ListColumn<readonly TableCell[]> => {
    const cell = (row: readonly TableCell[], room: number): Row => cellSpans(row[index]!, room, theme);
    const named = { ...column, least: widthOf(column.title), cell };
    return wraps === true ? { ...named, share: 1, most: columnWidth(named, cells) } : named;
  });
  const placed = placedColumns({ ...STILL, columns: drawn, items: cells }, cells, width);
  const wrapping = columns.findIndex(({ wraps }) => wraps);
  const { columns: room } = placed[wrapping] ?? { columns: 0 };
  return stillRows(drawn, wrapping < 0 ? cells : wrapped(cells, wrapping, room), width, theme);
}

/** The cells of a table, with a row of their own for each further line of the texts in a column that is always there. */
function wrapped(
  cells: readonly (readonly TableCell[])[],
  at: number,
  room: number,
): readonly (readonly TableCell[])[] {
  return cells.flatMap((row) =>
    wrapWords(row[at]!.text, room).map((text, line) =>
      row.map((cell, index) => (index === at ? { ...cell, text } : line === 0 ? cell : { text: "" })),
    ),
  );
}

function cellSpans({ share, from = 0, ...span }: TableCell, room: number, theme: Theme): Row {
  if (share === undefined) return [span];
  const before = Math.min(room - 1, Math.floor(from * room));
  const rest = room - before;
  const bar = barSpans((share * room) / rest, rest, span.role ?? null, theme);
  return [{ text: theme.sign("horizontal").repeat(before), role: "quiet" }, ...bar];
}
