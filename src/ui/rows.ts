// Rows of a screen: spans cut and padded to exactly one width.

import { isFalling, type Sort } from "#src/contract/records/list-sort.ts";
import type { HangingLine } from "#src/display/span.ts";
import { clip, clipLines, fit, spansWidth, widthOf, wrap, wrapWords } from "./fit.ts";
import type { Span } from "./line.tsx";
import type { Theme } from "./theme.ts";

/** The column in which all text of a pane starts: the first is the pointer's, the second is blank. */
export const AXIS = 2;

/** An area of the screen. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
  /** The pane that has all of it, from 1; 0 or missing for every pane. */
  readonly zoom?: number | undefined;
  /** Columns by which the divider between its panes stands to the right of its own place; 0 by default. */
  readonly divider?: number | undefined;
}

/** Columns that a divider leaves to each pane. */
export const PANE_LEAST = 30;

/**
 * Columns of the first of two panes, where the user has put the divider between them.
 * @param own without the user @param both of the two
 */
export function dividedAt(
  own: number,
  both: number,
  divider: number = 0,
  least: number = PANE_LEAST,
): number {
  return divider === 0 ? own : Math.min(both - PANE_LEAST, Math.max(least, own + divider));
}

/** Columns from which the form of a check stands beside the checks before it. */
export const FORM_BESIDE = 76;
/** Columns from which a list and its detail stand side by side. */
export const TWO_PANES = 100;

/** Whether two panes stand side by side. */
export function hasTwoPanes({ columns, zoom = 0 }: Size): boolean {
  return columns >= TWO_PANES && zoom === 0;
}

/** One row of the screen; its texts are safe. */
export type Row = readonly Span[];

/** The visible rows of a list that scrolls. */
export interface ListRows {
  readonly rows: readonly Row[];
  /** Items on a page. */
  readonly page: number;
  /** First visible item, to pass to the next view. */
  readonly top: number;
}

/** A cell in its column; for a screen reader behind the title, which eyes find above it. */
export function fitCell(
  column: {
    readonly title: string;
    /** What a screen reader says before the cell; the title by default. */
    readonly said?: string | undefined;
    readonly width: number;
    readonly align?: "left" | "right" | undefined;
  },
  text: string,
  theme: Theme,
): string {
  const { title, said = title, width, align = "left" } = column;
  const isEmpty = theme.ascii === "words" && /^-?$/.test(text);
  return fit(isEmpty ? "" : theme.named(said) + text, width, { align, ellipsis: theme.sign("ellipsis") });
}

/** The row of the titles; a screen reader has them in the cells, and hears here what the list is sorted by. */
export function titlesRow(
  titles: readonly string[],
  theme: Theme,
  gap: string = " ",
  indent: number = AXIS,
): Row {
  const told = theme.ascii === "words" ? titles.filter((title) => title.includes(", sorted")) : titles;
  return [{ text: `${" ".repeat(indent)}${told.join(gap)}`, role: "quiet" }];
}

/** The heading of a column, with a sign where the list is sorted by it. */
export function sortedTitle(title: string, by: string | undefined, sort: Sort, theme: Theme): string {
  return by === sort.by ? `${title} ${theme.sign(isFalling(sort) ? "falling" : "rising")}` : title;
}

/** The spans in exactly `width` columns: cut at the end, or padded. */
export function fitRow(spans: Row, width: number, theme: Theme): Row {
  const fitted: Span[] = [];
  let left = width;
  for (const span of spans) {
    const text = clip(span.text, left, theme.sign("ellipsis"));
    if (text !== "") fitted.push({ ...span, text });
    left -= widthOf(text);
  }
  return left > 0 ? [...fitted, { text: fit("", left) }] : fitted;
}

/** The row with a match from one character to another. */
export function matchedRow(row: Row, from: number, to: number): Row {
  let start = 0;
  return row.flatMap((span) => {
    const [first, last] = [Math.max(0, from - start), Math.max(0, to - start)];
    const { text } = span;
    start += text.length;
    const pieces = [
      { ...span, text: text.slice(0, first) },
      { ...span, text: text.slice(first, last), match: true },
      { ...span, text: text.slice(Math.max(first, last)) },
    ];
    return pieces.filter((piece) => piece.text !== "");
  });
}

/** Spans that are not in the colour of a verdict. */
const OWN_INK: ReadonlySet<Span["role"]> = new Set([undefined, null, "quiet", "accent"]);

/** A row of a list; the selected one is a bar over its whole width in the pane that has the keyboard, bold in another one. */
export function markedRow(row: Row, selected: boolean, focused: boolean = true): Row {
  if (!selected) return row;
  if (focused && row.some(({ match }) => match)) return row.map((span) => ({ ...span, role: "bar" }));
  if (focused) return [{ text: row.map(({ text }) => text).join(""), role: "bar" }];
  return row.map((span) => (OWN_INK.has(span.role) ? { ...span, role: "heading" } : span));
}

/** A row that a click can select. */
export function hitRow([first, ...rest]: Row, hit: number | string): Row {
  return first === undefined ? [] : [{ ...first, hit }, ...rest];
}

/** A text over as many rows as it needs, at most `limit`; from the axis unless told. */
export function textRows(
  text: string,
  width: number,
  theme: Theme,
  options: { readonly limit?: number; readonly role?: Span["role"]; readonly indent?: number } = {},
): Row[] {
  const { limit = Number.MAX_SAFE_INTEGER, role = null, indent = AXIS } = options;
  const room = Math.max(1, width - indent - 1);
  return clipLines(wrapWords(text, room), limit, room, theme.sign("ellipsis")).map((line) =>
    fitRow([{ text: " ".repeat(indent) }, { text: line, role }], width, theme),
  );
}

/** Columns of rows side by side, as high as the highest; below each other for a screen reader. */
export function besideRows(
  columns: readonly { readonly rows: readonly Row[]; readonly width: number }[],
  gap: number,
  theme: Theme,
): Row[] {
  if (theme.ascii === "words") return columns.flatMap(({ rows }) => rows);
  const height = Math.max(0, ...columns.map(({ rows }) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap(({ rows, width }, index): Row => [
      ...(index === 0 ? [] : [{ text: fit("", gap) }]),
      ...fitRow(rows[row] ?? [], width, theme),
    ]),
  );
}

/** Rows with a hanging indent: the text goes on below itself. */
export function hangingRows({ fixed, text, role = null }: HangingLine, width: number): Row[] {
  const used = spansWidth(fixed);
  return wrap(text, Math.max(2, width - used)).map((line, index): Row =>
    index === 0 ? [...fixed, { text: line, role }] : [{ text: " ".repeat(used) + line, role }],
  );
}

/** Rows hidden above or below: `↓ 5 more`. */
export function hiddenNote(above: number, below: number, theme: Theme): string {
  return [
    ...(above > 0 ? [`${theme.sign("up")} ${above}`] : []),
    ...(below > 0 ? [`${theme.sign("down")} ${below} more`] : []),
  ].join(" ");
}

/** Exactly `height` rows: padded with empty ones, or cut. */
export function fillRows(rows: readonly Row[], width: number, height: number): Row[] {
  const missing = Math.max(0, height - rows.length);
  return [
    ...rows.slice(0, Math.max(0, height)),
    ...Array.from({ length: missing }, () => [{ text: fit("", width) }]),
  ];
}
