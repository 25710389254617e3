// A page builder: fields, headings and wrapped text as rows of a given width. Pure.

import { escapeNonAscii } from "#src/contract/text/escape-text.ts";
import { hasHidden, safe } from "#src/display/safe.ts";
import type { HangingLine, TableLine } from "#src/display/span.ts";
import type { Role } from "#src/display/style.ts";
import { wrap } from "./fit.ts";
import { stillRows, tableRows, type List } from "./list.ts";
import { hangingRows, type Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** Longest text that is shown of one field; more would not be read on a terminal. */
export const LONGEST = 4_000;

/** Columns of a label with the space behind it. */
const LABEL = 12;
const INDENT = 2;

/** Collects rows from the top, each at most `width` columns wide. */
export class Page {
  readonly rows: Row[] = [];
  /** Columns that there are. */
  readonly width: number;
  readonly theme: Theme;

  constructor(width: number, theme: Theme) {
    this.width = Math.max(LABEL + 8, width);
    this.theme = theme;
  }

  spans(spans: Row): void {
    this.rows.push(spans);
  }

  blank(): void {
    this.rows.push([{ text: "" }]);
  }

  heading(text: string): void {
    this.blank();
    this.rows.push([{ text, role: "quiet" }]);
  }

  text(text: string): void {
    this.#lines(text, 0);
  }

  /** @param indent columns in front of every line */
  indented(text: string, indent: number = INDENT, role: Role | null = null): void {
    this.#lines(text, indent, role);
  }

  /** A line of JSON, wrapped so that nothing is left out. */
  json(line: string): void {
    const indent = line.length - line.trimStart().length;
    const rest = wrap(line.trimStart(), this.width - indent);
    for (const part of rest) this.rows.push([{ text: " ".repeat(indent) + part }]);
  }

  field(label: string, text: string, role: Role | null = null): void {
    const [first = "", ...rest] = wrap(text, this.width - LABEL);
    this.rows.push([{ text: label.padEnd(LABEL), role: role ?? "quiet" }, { text: first }]);
    for (const line of rest) this.rows.push([{ text: " ".repeat(LABEL) + line }]);
  }

  /** A text of the service, with a badge if it has invisible characters. */
  untrusted(label: string, text: string): void {
    this.field(label, safe(text, { max: LONGEST }));
    if (hasHidden(text)) this.#badge("The text contains hidden characters; they are shown as escapes.");
  }

  /** A code of the service, with everything outside ASCII escaped, so that it cannot imitate another. */
  exact(label: string, text: string): void {
    const shown = escapeNonAscii(text, LONGEST);
    this.field(label, shown);
    if (shown !== text) this.#badge("The text contains characters outside ASCII; they are shown as escapes.");
  }

  #badge(sentence: string): void {
    const badge = `${this.theme.sign("hidden")} ${sentence}`;
    for (const line of wrap(badge, this.width - LABEL)) {
      this.rows.push([{ text: " ".repeat(LABEL) + line, role: "warning" }]);
    }
  }

  /** A text with a hanging indent, or a table. */
  line(line: HangingLine | TableLine): void {
    this.rows.push(
      ...("cells" in line ? tableRows(line, this.width, this.theme) : hangingRows(line, this.width)),
    );
  }

  /** All items in columns. */
  table<Item>(columns: List<Item>["columns"], items: readonly Item[]): void {
    this.rows.push(...stillRows(columns, items, this.width, this.theme));
  }

  #lines(text: string, indent: number, role: Role | null = null): void {
    for (const line of wrap(text, this.width - indent)) {
      this.rows.push([{ text: " ".repeat(indent) + line, role }]);
    }
  }
}
