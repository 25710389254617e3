// Cells of a CSV file: written so that no spreadsheet takes one for a formula, and read back exactly.

/** What a spreadsheet runs, and such a cell that carries marks already: one more or one less is exact either way. */
const FORMULA = /^'*[=+\-@\t\r]/;
const NEUTRALISED = /^'+[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * One record (RFC 4180), CRLF included. A cell that starts with `= + - @`, a tab or a carriage return gets a leading `'`.
 * @param cells their exact text
 */
export function csvLine(cells: readonly string[]): string {
  // A single empty cell would be an empty line, which readers skip.
  if (cells.length === 1 && cells[0] === "") return '""\r\n';
  return `${cells.map((cell) => quoted(neutralCell(cell))).join(",")}\r\n`;
}

/** The text of a cell that was read, without the mark that `csvLine` puts before a formula. */
export function plainCell(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}

function neutralCell(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
