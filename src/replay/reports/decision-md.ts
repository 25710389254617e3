// A decision about rules as Markdown, for the summary of a pull request: the same sentence, tables and doubts as the page.

import { utcTime } from "./page-markup.ts";
import { verdictLabel } from "#src/display/verdict.ts";
import type { DecisionData } from "./decision-data.ts";
import {
  changesText,
  decisionTables,
  decisionWords,
  provenance,
  unknowns,
  type Cell,
  type PartTable,
} from "./decision-parts.ts";
import { mdTable, mdText } from "./report-md.ts";

/** Rows of each table; the page has all. */
const SHOWN = 10;
/** Longest line beside the tables, e.g. a list of rules. */
const LONGEST = 1_000;

/** GitHub Flavored Markdown of at most some 20 KB. */
export function decisionMd(data: DecisionData): string {
  const { sentence, besides, doubts } = decisionWords(data);
  const { failedGates, gates } = data;
  const list = (lines: readonly string[]): string =>
    lines.length === 0 ? "" : `${lines.map((line) => `- ${mdText(line, LONGEST)}\n`).join("")}\n`;
  const kept = failedGates.length === 0 && gates.length > 0;
  return [
    `## ${mdText(sentence, LONGEST)}\n\n`,
    ...failedGates.map(({ message }) => `**Limit not kept: ${mdText(message)}**\n\n`),
    kept ? `**Every limit is kept:** ${mdText(gates.join(", "))}.\n\n` : "",
    list([changesText(data.ruleChanges), ...besides, ...doubts]),
    ...decisionTables(data).map(tablePart),
    `### What is not known\n\n${list(unknowns(data))}`,
    `### How this was made\n\n${list(provenance(data).map(([name, text]) => `${name}: ${text}`))}`,
    `Made by verdict, ${utcTime(data.generatedAt)}.\n`,
  ].join("");
}

function tablePart({ title, what, heads, rows, notes = [] }: PartTable): string {
  if (rows.length === 0) return "";
  const more = rows.length - SHOWN;
  const shown = rows.slice(0, SHOWN).map((cells) => cells.map(cellText));
  const below = [...(more > 0 ? [`${more} more.`] : []), ...notes];
  return (
    `### ${mdText(title)}\n\n${mdText(what, LONGEST)}\n\n${mdTable(
      heads.map((head) => mdText(head)),
      shown,
    )}` + below.map((note) => `${mdText(note, LONGEST)}\n\n`).join("")
  );
}

function cellText(cell: Cell): string {
  if (typeof cell === "string") return mdText(cell);
  if ("was" in cell) return `${verdictLabel(cell.was, false)} → ${verdictLabel(cell.now, false)}`;
  return cell.map((line) => mdText(line)).join("<br>");
}
