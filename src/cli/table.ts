// Lays out columns of plain text.

import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import type { Style } from "#src/display/style.ts";

/** Headings, rows, and the indexes of columns that are aligned to the right. */
export type Table = readonly [
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right?: readonly number[],
];

/**
 * Lays out rows under headings, with two blanks between columns; the last column is not padded. Cells may contain colour
 * sequences, which have no width. Untrusted text belongs in the last column, because its width is unknown.
 * For a screen reader a table of two columns, or without headings, has a line a row, and another one a line a cell.
 */
export function layOut(style: Pick<Style, "spoken">, ...[heads, cells, right = []]: Table): string[] {
  const [headings, rows] = [heads.map(inOneLine), cells.map((row) => row.map(inOneLine))];
  if (style.spoken) return factsOf(headings, rows);
  const widths = headings.map((heading, column) =>
    Math.max(stringWidth(heading), ...rows.map((row) => stringWidth(row[column] ?? ""))),
  );
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => {
        const room = " ".repeat(Math.max(0, widths[column]! - stringWidth(cell)));
        if (right.includes(column)) return room + cell;
        return column === row.length - 1 ? cell : cell + room;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Only a text from outside has line feeds, with which it would forge a line. */
export function inOneLine(cell: string): string {
  return cell.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

function factsOf(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const plain = (cell: string): string => stripVTControlCharacters(cell).trim();
  const isTold = (cell: string): boolean => cell !== "" && cell !== "-";
  if (headings.length <= 2 || headings.every((heading) => heading === "")) {
    const between = headings.length <= 2 ? ": " : ", ";
    return [headings, ...rows].map((row) => row.map(plain).filter(isTold).join(between));
  }
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.map(plain).flatMap((cell, column) => {
      const heading = headings[column]!.trim();
      return isTold(cell) ? [heading === "" ? cell : `${heading}: ${cell}`] : [];
    }),
  ]);
}

/** Wraps words behind a heading. */
export function wrapped(
  head: string,
  words: readonly string[],
  columns: number,
  between: string = ", ",
): string[] {
  const lines = [head];
  for (const [index, word] of words.entries()) {
    const piece = index === words.length - 1 ? word : word + between;
    const line = lines.at(-1)!;
    if (line.length + piece.trimEnd().length <= columns || line.trim() === "")
      lines[lines.length - 1] = line + piece;
    else lines.push(" ".repeat(head.length) + piece);
  }
  return lines.map((line) => line.trimEnd());
}
