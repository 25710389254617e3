// The page of a decision about rules: one self-contained file without network requests, with every untrusted text escaped.

import { isJudged } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import { counted } from "#src/display/count.ts";
import { SIGN } from "#src/display/sign.ts";
import { curveChart, scoreChart, spanChart } from "./decision-charts.ts";
import type { DecisionData } from "./decision-data.ts";
import {
  changesText,
  decisionTables,
  decisionWords,
  provenance,
  spanText,
  unknowns,
  type Cell,
  type PartTable,
} from "./decision-parts.ts";
import {
  finding,
  head,
  pageHead,
  pageTop,
  proseMarkup,
  section,
  tableMarkup,
  utcTime,
  verdictMark,
} from "./page-markup.ts";
import theme from "./page/theme.browser.js";

export function decisionHtml(data: DecisionData): string {
  const list = (lines: readonly string[]): string =>
    `<ul class="open">${lines.map((line) => `<li>${proseMarkup(line)}</li>`).join("")}</ul>`;
  const made = provenance(data).map(([name, value]) => `<dt>${name}</dt><dd>${proseMarkup(value)}</dd>`);
  const [shares, ...tables] = decisionTables(data);
  const parts = [
    pageHead(`Decision: ${data.proposed.name} instead of ${data.current.name}`, theme),
    `<div class="page decision">\n${top(data)}\n<main>\n`,
    tableSection(shares, "list shares"),
    ...(data.outcomes === null ? [] : chartSections(data.outcomes)),
    ...tables.map((table) => tableSection(table, "list")),
    section("What is not known", "", list(unknowns(data))),
    section("How this was made", "", `<dl class="about">${made.join("")}</dl>`),
    `</main>\n<footer><p>Made by verdict, ${utcTime(data.generatedAt)}.</p></footer>\n</div>\n`,
    `<script>${theme}</script>\n</body>\n</html>\n`,
  ];
  return parts.join("");
}

function top(data: DecisionData): string {
  const { failedGates, gates, current, proposed, total, ruleChanges } = data;
  const { sentence, besides, doubts } = decisionWords(data);
  const leads = [
    ...failedGates.map(({ message }) =>
      finding("block", `<strong>Limit not kept:</strong> ${proseMarkup(message)}`),
    ),
    ...(failedGates.length > 0 || gates.length === 0
      ? []
      : [finding("pass", `<strong>Every limit is kept:</strong> ${proseMarkup(gates.join(", "))}.`)]),
    ...[changesText(ruleChanges), ...besides].map((line) => finding(null, proseMarkup(line))),
    ...doubts.map((line) => finding("indeterminate", proseMarkup(line))),
  ];
  return pageTop(
    "rule decision",
    `<h1 class="sentence">${proseMarkup(sentence).replaceAll(" EUR", "&nbsp;EUR")}</h1>`,
    leads,
    [
      ["Proposed", proposed.name],
      ["Today", current.name],
      ["Over", `${counted(total, "payment")}${spanText(data)}`],
    ],
  );
}

/** What of the charts there is something to draw for. */
export function chartSections(outcomes: Outcomes): string[] {
  const kinds = [
    ["Good payments blocked", "goodBlocked"],
    ["Fraud passed", "badPassed"],
  ] as const;
  const spans = kinds.filter(
    ([, key]) =>
      outcomes.spans.length > 1 &&
      outcomes.spans.some(({ current, proposed }) => current[key] + proposed[key] > 0),
  );
  const scores = isJudged(outcomes.current)
    ? [scoreChart("Today", outcomes.current), scoreChart("Proposed", outcomes.proposed)]
    : [];
  const halves = scores.map((chart) => (chart === null ? "" : `<div>${chart}</div>`)).join("");
  const parts = [
    [
      "Fraud caught against good payments blocked",
      "Each curve shows what its rules would block with the block mark moved; large points are the marks as they are. Further up catches more fraud, further left blocks fewer good payments.",
      curveChart(outcomes) ?? "",
    ],
    [
      "Scores",
      "Labelled payments by score: good ones above the line, fraud below it. Heights are logarithmic: a bar that is somewhat higher stands for many more payments.",
      halves === "" ? "" : `<div class="halves">${halves}</div>`,
    ],
    [
      "Over time",
      "Bars: proposed. Dashed line: today. Times in UTC.",
      spans.map(([name, key]) => spanChart(name, outcomes, key)).join(""),
    ],
  ] as const;
  return parts.map(([title, what, content]) => (content === "" ? "" : section(title, what, content)));
}

function tableSection(table: PartTable, look: string): string {
  if (table.rows.length === 0) return "";
  const heads = table.heads.map((name, column) => head(proseMarkup(name), lookOf(table, column)));
  const rows = table.rows.map((cells) => {
    const drawn = cells.map((cell, column) =>
      column === 0
        ? `<th scope="row">${cellMarkup(cell)}</th>`
        : `<td class="${lookOf(table, column)}">${cellMarkup(cell)}</td>`,
    );
    return `<tr>${drawn.join("")}</tr>`;
  });
  const notes = (table.notes ?? []).map((note) => `<p class="below muted">${proseMarkup(note)}</p>`);
  return section(
    table.title,
    proseMarkup(table.what),
    tableMarkup(table.title, `class="${look}"`, heads, rows) + notes.join(""),
    table.rows.length > 12 ? "long" : "",
  );
}

/** Numbers stand at the right, below each other, and sentences have room. */
function lookOf({ heads, rows }: PartTable, column: number): string {
  if (column === 0 || heads[column] === "Label" || "was" in Object(rows[0]![column])) return "";
  return { Why: "why", Time: "whole" }[heads[column]!] ?? "number";
}

function cellMarkup(cell: Cell): string {
  if (typeof cell === "string") return proseMarkup(cell);
  if ("was" in cell)
    return `<span class="whole">${verdictMark(cell.was)} <span aria-label="to">${SIGN.arrow.symbol}</span> ${verdictMark(cell.now)}</span>`;
  const [first, ...more] = cell;
  return `<span class="main">${proseMarkup(first!)}</span>${more.map((line) => `<span class="extra">${proseMarkup(line)}</span>`).join("")}`;
}
