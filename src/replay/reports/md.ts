// A report as GitHub Flavored Markdown, for the summary of a pull request; text stays text.

import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { verdictLabel } from "#src/display/verdict.ts";
import { utcTime } from "#src/display/time.ts";
import {
  ALL_ROWS,
  columnsOf,
  linesOf,
  noteText,
  shownRows,
  type Cell,
  type Fact,
  type Part,
  type Report,
  type Table,
} from "./parts.ts";

/** Rows of each table that are shown; `json` and `html` have all. */
const SHOWN = 10;
const LONGEST_TEXT = 200;
/** Longest line beside the tables, e.g. a list of rules. */
const LONGEST_LINE = 1_000;

/** GitHub Flavored Markdown of at most some 20 KB; the summary of a job may have 1 MiB. */
export function reportMd({ kind, headline, findings, facts, parts, generatedAt }: Report): string {
  const lead = (text = ""): string => (text === "" ? "" : `**${mdLine(text)}** `);
  return [
    `## ${mdLine(headline)}\n\n`,
    mdList([
      ...findings.map(({ lead: first, text }) => `${lead(first)}${mdLine(text)}`),
      ...factLines(facts),
    ]),
    ...parts.map(mdPart),
    `Made by verdict, ${kind}, ${utcTime(generatedAt)}.\n`,
  ].join("");
}

/** Heading and content; nothing where there is nothing to show. */
function mdPart(part: Part): string {
  const content =
    "rows" in part ? tablePart(part) : mdList("list" in part ? part.list.map(mdLine) : factLines(part.facts));
  return content === "" ? "" : `### ${mdText(part.title)}\n\n${content}`;
}

function factLines(facts: readonly Fact[]): string[] {
  return facts.map(([name, text]) => mdLine(`${name}: ${text}`));
}

function mdLine(text: string): string {
  return mdText(text, LONGEST_LINE);
}

/** A list, and the empty line behind it. */
function mdList(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.map((line) => `- ${line}\n`).join("")}\n`;
}

function tablePart(table: Table): string {
  if (table.rows.length === 0) return "";
  const { what, notes = [] } = table;
  const [rows, more] = shownRows(table, SHOWN);
  const heads = columnsOf(table).map(({ name }) => mdText(name));
  const below = [...(more > 0 ? [`${formatCount(more)} more; ${ALL_ROWS}.`] : []), ...notes.map(noteText)];
  const paragraphs = (texts: readonly string[]): string =>
    texts.map((text) => `${mdLine(text)}\n\n`).join("");
  const cells = rows.map((row) => row.map(cellText));
  return paragraphs(what === undefined ? [] : [what]) + mdTable(heads, cells) + paragraphs(below);
}

function cellText(cell: Cell): string {
  if (typeof cell === "object" && "verdict" in cell) return verdictLabel(cell.verdict, false);
  if (typeof cell === "object" && "was" in cell)
    return `${verdictLabel(cell.was, false)} ${SIGN.arrow.symbol} ${verdictLabel(cell.now, false)}`;
  return linesOf(cell)!
    .map((line) => mdText(line))
    .join("<br>");
}

function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return `${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}\n`;
}

/** Text that stays text: each character that Markdown or HTML reads is escaped, an address is no link, and a name notifies no user. */
function mdText(raw: string, max: number = LONGEST_TEXT): string {
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
