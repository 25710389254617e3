// The lines of an explained signature as rows, wrapped so that no byte is hidden. Pure.

import type { SigningLine } from "#src/display/signing-lines.ts";
import { graphemes, widthOf } from "./fit.ts";
import type { Span } from "./line.tsx";

const INDENT = "    ";

export function signingRows(lines: readonly SigningLine[], width: number): Span[][] {
  return lines.flatMap(({ text, role }) => cutLines(text, width).map((row): Span[] => [{ text: row, role }]));
}

/** Wrapped at any character, because signed text has no words. */
function cutLines(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const grapheme of graphemes(text)) {
    if (row !== "" && row !== INDENT && widthOf(row + grapheme) > width) {
      rows.push(row);
      row = INDENT;
    }
    row += grapheme;
  }
  return [...rows, row];
}
