// A decision about rules as Markdown, for the summary of a pull request: the same sentence, tables and doubts as the page.

import type { DecisionData } from "./decision-data.ts";
import { changesText, decisionTables, decisionWords, provenance, unknowns } from "./decision-parts.ts";
import { mdLine, mdList, mdPart, mdText } from "./md.ts";
import { utcTime } from "./page-markup.ts";

/** GitHub Flavored Markdown of at most some 20 KB. */
export function decisionMd(data: DecisionData): string {
  const { sentence, besides, doubts } = decisionWords(data);
  const { failedGates, gates } = data;
  const kept = failedGates.length === 0 && gates.length > 0;
  return [
    `## ${mdLine(sentence)}\n\n`,
    ...failedGates.map(({ message }) => `**Limit not kept: ${mdText(message)}**\n\n`),
    kept ? `**Every limit is kept:** ${mdText(gates.join(", "))}.\n\n` : "",
    mdList([changesText(data.ruleChanges), ...besides, ...doubts]),
    ...decisionTables(data).map(mdPart),
    `### What is not known\n\n${mdList(unknowns(data))}`,
    `### How this was made\n\n${mdList(provenance(data).map(([name, text]) => `${name}: ${text}`))}`,
    `Made by verdict, ${utcTime(data.generatedAt)}.\n`,
  ].join("");
}
