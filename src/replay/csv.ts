// Cells of a CSV file, escaped against spreadsheet formulas and terminal control characters, and decoded without loss.

import { commandStarts } from "#src/contract/text/build-commands.ts";
import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";

/** A cell that a spreadsheet would run as a formula, with any leading marks: one more is added, or one removed, without loss. */
const FORMULA = /^'*[=+\-@\t\r]/;
const NEUTRALISED = /^'+[=+\-@\t\r]/;
/** A character, or its escape, with the backslashes before it. */
const WRITTEN = /(\\*)(u\{([0-9a-f]+)\}|[^\\])/gu;
const READ = /(\\+)(u\{([0-9a-f]+)\})/g;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * One record (RFC 4180), CRLF included. A cell that starts with `= + - @`, a tab or a carriage return gets a leading `'`;
 * a character that a terminal would obey, hide or reorder, tabs and line breaks excepted, becomes `\u{200b}`, and so does
 * the first one of what a build server would obey; backslashes before it, or before such a text, are doubled.
 * @param cells their exact text
 */
export function csvLine(cells: readonly string[]): string {
  // A single empty cell would be an empty line, which parsers skip.
  if (cells.length === 1 && cells[0] === "") return '""\r\n';
  // A cell may begin what another one ends: `::1` before a cell with `::` in it.
  const starts = commandStarts(cells.join(","));
  let at = 0;
  const written = cells.map((cell) => {
    const begins = at;
    at += cell.length + 1;
    return quoted(neutralCell(visibleCell(cell, (place) => starts.has(begins + place))));
  });
  return `${written.join(",")}\r\n`;
}

/** The text of a cell that was read, without what `csvLine` puts before a formula or for a hidden character. */
export function plainCell(cell: string): string {
  const text = NEUTRALISED.test(cell) ? cell.slice(1) : cell;
  if (!text.includes("\\u{")) return text;
  return text.replaceAll(READ, (whole, marks: string, name: string, hex: string) => {
    if (!isEscape(hex)) return whole;
    const half = marks.slice(0, marks.length >> 1);
    return half + (marks.length % 2 === 0 ? name : String.fromCodePoint(Number.parseInt(hex, 16)));
  });
}

/** @param startsInLine whether a command begins at this place of the cell, given the cells around it */
function visibleCell(cell: string, startsInLine: (place: number) => boolean): string {
  const isPlain = !/\\u\{|::|##/.test(cell) && !isEscaped(cell.replaceAll(/[\t\r\n]/g, ""));
  if (isPlain) return cell;
  const own = commandStarts(cell);
  const starts = (place: number): boolean => own.has(place) || startsInLine(place);
  return cell.replaceAll(
    WRITTEN,
    (whole, marks: string, text: string, hex: string | undefined, at: number) => {
      if (hex !== undefined) return isEscape(hex) ? marks + whole : whole;
      return isEscaped(text) || starts(at + marks.length)
        ? `${marks}${marks}\\u{${text.codePointAt(0)!.toString(16)}}`
        : whole;
    },
  );
}

/** Whether the text holds a character that is written as an escape. */
function isEscaped(text: string): boolean {
  return hasHiddenCharacter(text) && !/^[\t\r\n]$/.test(text);
}

/** Whether these digits are those of an escape. */
function isEscape(hex: string): boolean {
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff || code.toString(16) !== hex) return false;
  const character = String.fromCodePoint(code);
  return isEscaped(character) || character === ":" || character === "#";
}

function neutralCell(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
