// GitHub Flavored Markdown: text that stays text, and tables.

import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { formatCount } from "#src/display/count.ts";
import { disarmed } from "#src/display/guard.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { verdictLabel } from "#src/display/verdict.ts";
import { columnsOf, shownRows, type Cell, type Table } from "./parts.ts";

/** Rows of each table that are shown; `json` and `html` have all. */
export const SHOWN = 10;
const LONGEST_TEXT = 200;
/** Longest line beside the tables, e.g. a list of rules. */
const LONGEST_LINE = 1_000;

/** A line beside the tables. */
export function mdLine(text: string): string {
  return mdText(text, LONGEST_LINE);
}

/** A list, and the empty line behind it. */
export function mdList(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.map((line) => `- ${mdLine(line)}\n`).join("")}\n`;
}

/** A table of a report with its heading; nothing without rows. */
export function mdPart(table: Table): string {
  if (table.rows.length === 0) return "";
  const { title, what, notes = [] } = table;
  const [rows, more] = shownRows(table, SHOWN);
  const cells = rows.map((row) => row.map(cellText));
  const heads = columnsOf(table).map(({ name }) => mdText(name));
  const below = [...(more > 0 ? [`${formatCount(more)} more.`] : []), ...notes];
  return [
    `### ${mdText(title)}`,
    ...(what === undefined ? [] : [mdLine(what)]),
    mdTable(heads, cells).trimEnd(),
  ]
    .concat(below.map(mdLine))
    .map((part) => `${part}\n\n`)
    .join("");
}

function cellText(cell: Cell): string {
  if (typeof cell === "string") return mdText(cell);
  if ("verdict" in cell) return verdictLabel(cell.verdict, false);
  if ("was" in cell)
    return `${verdictLabel(cell.was, false)} ${SIGN.arrow.symbol} ${verdictLabel(cell.now, false)}`;
  return cell.map((line) => mdText(line)).join("<br>");
}

export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return `${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}\n`;
}

/** Text that stays text: each character that Markdown or HTML reads is escaped, an address is no link, and a name notifies no user. */
export function mdText(raw: string, max: number = LONGEST_TEXT): string {
  const text = safe(raw, { max })
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_[\]>#|~]/g, "\\$&")
    .replaceAll("://", "\\://")
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
    // Of all that is written only code is never read for names; an escape is undone before they are looked for.
    .replaceAll(/@+/g, "`$&`");
  return withoutBuildCommands(text, (character) => `\\${character}`);
}

/** A name in code style. A backtick would end it, and a bar the cell. */
export function code(raw: string): string {
  return `\`${disarmed(safe(raw, { max: LONGEST_TEXT })).replace(/[`|]/g, "'")}\``;
}
