// Lays out columns of plain text.

import { stripVTControlCharacters } from "node:util";

/**
 * Lays out rows under headings, with two blanks between columns; the last column is not padded. Cells may contain colour
 * sequences, which have no width. Untrusted text belongs in the last column, because its width is unknown.
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
