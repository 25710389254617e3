// Rows that are filled from the top, as text of a width: fields, headings, tables of values, bars. Pure.

import { escapeNonAscii } from "#src/contract/text/escape-text.ts";
import { hasHidden, safe } from "#src/display/safe.ts";
import { SIGN, type SignName } from "#src/display/sign.ts";
import type { Role } from "#src/display/style.ts";
import { widthOf, wrap } from "./fit.ts";
import type { Span } from "./line.tsx";
import type { Row } from "./rows.ts";

/** What a page depends on besides its width. */
export interface PageLook {
  readonly ascii: boolean;
}

export function sign(name: SignName, { ascii }: PageLook): string {
  return ascii ? SIGN[name].ascii : SIGN[name].symbol;
}

/** Longest text that is shown of one field; more would not be read on a terminal. */
export const LONGEST = 4_000;

/** Columns of a label with the blank behind it. */
const LABEL = 12;
const INDENT = 2;

/** Rows that are filled from the top, each at most `width` columns wide. */
export class Page {
  readonly rows: Row[] = [];
  /** Columns that there are. */
  readonly width: number;
  readonly look: PageLook;

  constructor(width: number, look: PageLook) {
    this.width = Math.max(LABEL + 8, width);
    this.look = look;
  }

  spans(spans: Row): void {
    this.rows.push(spans);
  }

  blank(): void {
    this.rows.push([{ text: "" }]);
  }

  heading(text: string): void {
    this.blank();
    this.rows.push([{ text, role: "heading" }]);
  }

  text(text: string): void {
    this.#lines(text, 0);
  }

  /** @param indent columns in front of every line */
  indented(text: string, indent: number = INDENT): void {
    this.#lines(text, indent);
  }

  /** A line of JSON; what does not fit goes on below, so that nothing is left out. */
  json(line: string): void {
    const indent = line.length - line.trimStart().length;
    const rest = wrap(line.trimStart(), this.width - indent);
    for (const part of rest) this.rows.push([{ text: " ".repeat(indent) + part }]);
  }

  field(label: string, text: string, role: Role | null = null): void {
    const [first = "", ...rest] = wrap(text, this.width - LABEL);
    this.rows.push([{ text: label.padEnd(LABEL), role: role ?? "heading" }, { text: first }]);
    for (const line of rest) this.rows.push([{ text: " ".repeat(LABEL) + line }]);
  }

  /** A text of the service, with a badge where it holds what would not have been seen. */
  untrusted(label: string, text: string): void {
    this.field(label, safe(text, { max: LONGEST }));
    if (hasHidden(text)) this.#badge("It holds hidden characters, shown as escapes.");
  }

  /** A word of the service's that must not be taken for another. */
  exact(label: string, text: string): void {
    const shown = escapeNonAscii(text, LONGEST);
    this.field(label, shown);
    if (shown !== text) this.#badge("It holds characters outside ASCII, shown as escapes.");
  }

  #badge(sentence: string): void {
    const badge = `${sign("hidden", this.look)} ${sentence}`;
    for (const line of wrap(badge, this.width - LABEL)) {
      this.rows.push([{ text: " ".repeat(LABEL) + line, role: "warning" }]);
    }
  }

  /** A text beside what stands in front of its first line; the other lines begin below the first. */
  hanging(head: Span, text: string): void {
    const indent = widthOf(head.text);
    const [first = "", ...rest] = wrap(text, Math.max(2, this.width - indent));
    this.rows.push([head, { text: first }]);
    for (const line of rest) this.rows.push([{ text: " ".repeat(indent) + line }]);
  }

  #lines(text: string, indent: number): void {
    for (const line of wrap(text, this.width - indent)) this.rows.push([{ text: " ".repeat(indent) + line }]);
  }
}
