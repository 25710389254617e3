// The tables of reports as data: plain text that is not yet escaped. Text, Markdown and HTML each have one writer for them.

import type { VerdictKind } from "#src/display/verdict.ts";

/** A line, or a main one and small ones below it; or a verdict, or the verdicts before and now, which have signs and colours. */
export type Cell =
  | string
  | readonly string[]
  | { readonly verdict: VerdictKind }
  | { readonly was: VerdictKind; readonly now: VerdictKind };

/** How a column is drawn: "" as words, `number` to the right, `key` as a code, `whole` unbroken; `name`, `why` and `origin` are long. */
export type Look = "" | "number" | "key" | "name" | "why" | "origin" | "whole";

export interface Table {
  readonly title: string;
  readonly what?: string;
  /** The first names the row. A head without a look is a number, unless its cells are verdicts: write `["Label", ""]` for words. */
  readonly heads: readonly (string | readonly [name: string, look: Look])[];
  /** None where there is nothing to show. */
  readonly rows: readonly (readonly Cell[])[];
  /** The rows to show, of `rows` itself, where there is room for no more than so many; else the first ones. */
  first?(most: number): readonly (readonly Cell[])[];
  /** How many rows there would be, where `rows` are not all. */
  readonly count?: number;
  /** Below the rows. */
  readonly notes?: readonly string[];
}

/** The table's rows as far as there is room, and how many more there are. */
export function shownRows(table: Table, most: number): readonly [rows: Table["rows"], more: number] {
  const { rows, count = rows.length } = table;
  const shown = rows.length <= most ? rows : (table.first?.(most) ?? rows.slice(0, most));
  return [shown, count - shown.length];
}

/** The columns with their looks. */
export function columnsOf({ heads, rows }: Table): readonly { readonly name: string; readonly look: Look }[] {
  return heads.map((head, column) => {
    if (typeof head !== "string") return { name: head[0], look: head[1] };
    const isText = (cell: Cell): boolean => typeof cell === "string" || Array.isArray(cell);
    const isNumber = column > 0 && rows.every((cells) => isText(cells[column]!));
    return { name: head, look: isNumber ? "number" : "" };
  });
}
