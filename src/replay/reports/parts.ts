// A report as data: plain text that is not yet escaped. Text, Markdown and HTML each have one writer for all of them.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Ascii } from "#src/display/sign.ts";
import type { RoleSpan } from "#src/display/span.ts";
import { verdictLabel, type VerdictKind } from "#src/display/verdict.ts";
import type { Markup } from "./markup.ts";

export interface Report {
  /** What kind of report this is: `rule decision`. */
  readonly kind: string;
  /** Of the file. */
  readonly name: string;
  readonly headline: string;
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly parts: readonly Part[];
  readonly generatedAt: Milliseconds;
}

/** A sentence below the headline. */
export interface Finding {
  /** Null for one that is neither good nor bad. */
  readonly sign: VerdictKind | null;
  /** The first words, in bold. */
  readonly lead?: string;
  readonly text: string;
}

export type Fact = readonly [name: string, text: string];

/** What has nothing to show is left out. */
export type Part =
  | Table
  | { readonly title: string; readonly list: readonly string[] }
  | { readonly title: string; readonly facts: readonly Fact[] };

/** A line, or a main one and small ones below it, of a `tone`; or a verdict, or the verdicts before and now, which have signs and colours. */
export type Cell =
  | string
  | readonly string[]
  | { readonly lines: readonly string[]; readonly tone: VerdictKind }
  | { readonly verdict: VerdictKind }
  | { readonly was: VerdictKind; readonly now: VerdictKind };

/** How a column is drawn: "" as words, `number` to the right, `key` as a code, `whole` unbroken; `name`, `why` and `origin` are long. */
export type Look = "" | "number" | "key" | "name" | "why" | "origin" | "whole";

export interface Table {
  readonly title: string;
  readonly what?: string;
  /** A class of its own on a page. */
  readonly form?: "matrix" | "shares" | "folded";
  /** What a page shows in place of the rows; null for nothing. */
  readonly draw?: () => Markup | null;
  /** The first names the row. A head without a look is a number, unless its cells are verdicts: write `["Label", ""]` for words. */
  readonly heads: readonly (string | readonly [name: string, look: Look] | { readonly now: VerdictKind })[];
  /** None where there is nothing to show. */
  readonly rows: readonly (readonly Cell[])[];
  /** The rows to show, of `rows` itself, where there is room for no more than so many; else the first ones. */
  first?(most: number): readonly (readonly Cell[])[];
  /** Every row is shown, however many there are. */
  readonly isWhole?: boolean;
  /** How many rows there would be, where `rows` are not all. */
  readonly count?: number;
  /** Below the rows. */
  readonly notes?: readonly (string | readonly RoleSpan[])[];
}

/** Where the rows are that a table leaves out. */
export const ALL_ROWS = "--report json=FILE has all of them";

/** The table's rows as far as there is room, and how many more there are. */
export function shownRows(table: Table, most: number): readonly [rows: Table["rows"], more: number] {
  const { rows, count = rows.length, isWhole = false } = table;
  const shown = isWhole || rows.length <= most ? rows : (table.first?.(most) ?? rows.slice(0, most));
  return [shown, count - shown.length];
}

/** The columns with their looks. */
export function columnsOf(
  { heads, rows }: Table,
  ascii: Ascii = false,
): readonly { readonly name: string; readonly look: Look }[] {
  return heads.map((head, column) => {
    if (typeof head !== "string" && !("now" in head)) return { name: head[0], look: head[1] };
    const name = typeof head === "string" ? head : `Now ${verdictLabel(head.now, ascii)}`;
    const isNumber = column > 0 && rows.every((cells) => linesOf(cells[column]!) !== null);
    return { name, look: isNumber ? "number" : "" };
  });
}

/** The lines of a cell; null for verdicts. */
export function linesOf(cell: Cell): readonly string[] | null {
  if (typeof cell === "string") return [cell];
  if ("lines" in cell) return cell.lines;
  return "verdict" in cell || "was" in cell ? null : cell;
}

/** The words of a note without their colours. */
export function noteText(note: NonNullable<Table["notes"]>[number]): string {
  return typeof note === "string" ? note : note.map(({ text }) => text).join("");
}
