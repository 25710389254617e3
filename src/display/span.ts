// Lines of text for both front ends: spans with a colour role, which the console draws and the command line paints.

import type { Role, Style } from "./style.ts";

/** Text in one colour; the terminal's own without a role. The text must be safe. */
export interface RoleSpan {
  readonly text: string;
  readonly role?: Role | null;
}

/** A line with a hanging indent: `text` may be wrapped and goes on below itself, behind `fixed`. */
export interface HangingLine {
  readonly fixed: readonly RoleSpan[];
  readonly text: string;
  /** Of the text. */
  readonly role?: Role | null;
}

/** A text in one colour, wrapped from the start of the line. */
export function textLine(text: string, role: Role | null = null): HangingLine {
  return { fixed: [], text, role };
}

/** A cell of a table: a text, or a bar where a share of its column is named. */
export interface TableCell extends RoleSpan {
  readonly share?: number;
  /** The share of the column before the bar. */
  readonly from?: number;
}

interface TableColumn {
  readonly title: string;
  readonly align?: "right";
  /** The part of what the other columns leave, for bars and long texts. */
  readonly share?: number;
  /** Most columns of one with a share. */
  readonly most?: number;
  /** Width from which there is this column. */
  readonly from?: number;
  /** Takes what the others leave, and its texts are wrapped; of one column at most. */
  readonly wraps?: boolean;
}

/** A table among lines, which the console draws in columns as wide as it has. */
export interface TableLine {
  readonly columns: readonly TableColumn[];
  readonly cells: readonly (readonly TableCell[])[];
}

/** The spans as one text in their colours. */
export function paintSpans(spans: readonly RoleSpan[], style: Style): string {
  return spans.map(({ text, role }) => (role ? style.paint(role, text) : text)).join("");
}

/** A line that is not wrapped. */
export function paintLine({ fixed, ...text }: HangingLine, style: Style): string {
  return paintSpans([...fixed, text], style).trimEnd();
}
