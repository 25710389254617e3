// Columns of plain text. The widest cell of a column sets its width; the last column is not padded.

import { stripVTControlCharacters } from "node:util";

/**
 * Lays out rows under headings, two blanks between columns.
 * Cells may carry our own colours, which take no room. Untrusted text belongs into the last column: its width is not known.
 * @param right indexes of columns that are aligned to the right
 */
export function layOut(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => width(row[column] ?? ""))),
  );
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => {
        const room = " ".repeat(Math.max(0, widths[column]! - width(cell)));
        if (right.includes(column)) return room + cell;
        return column === row.length - 1 ? cell : cell + room;
      })
      .join("  ")
      .trimEnd(),
  );
}

function width(cell: string): number {
  return Array.from(stripVTControlCharacters(cell)).length;
}
