// The page of a decision about rules: one self-contained file without network requests, with every untrusted text escaped.

import { isJudged } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import { counted } from "#src/display/count.ts";
import { curveChart, scoreChart, spanChart } from "./decision-charts.ts";
import type { DecisionData } from "./decision-data.ts";
import {
  changesText,
  decisionTables,
  decisionWords,
  provenance,
  spanText,
  unknowns,
} from "./decision-parts.ts";
import { html, prose, trusted, type Markup } from "./markup.ts";
import { finding, page, pageTop, section, tablePart, utcTime } from "./page-markup.ts";
import type { Table } from "./parts.ts";
import theme from "./page/theme.browser.js";

export function decisionHtml(data: DecisionData): string {
  const open = unknowns(data).map((line) => prose`<li>${line}</li>`);
  const made = provenance(data).map(([name, value]) => prose`<dt>${name}</dt><dd>${value}</dd>`);
  const [shares, ...tables] = decisionTables(data);
  const main = [
    tableSection(shares, html`class="list shares"`),
    ...(data.outcomes === null ? [] : chartSections(data.outcomes)),
    ...tables.map((table) => tableSection(table)),
    section("What is not known", "", html`<ul class="open">${open}</ul>`),
    section("How this was made", "", html`<dl class="about">${made}</dl>`),
  ];
  const content = html`<div class="page decision">
${top(data)}
<main>
${main}</main>
<footer><p>Made by verdict, ${utcTime(data.generatedAt)}.</p></footer>
</div>
`;
  return page(`Decision: ${data.proposed.name} instead of ${data.current.name}`, content, theme);
}

function top(data: DecisionData): Markup {
  const { failedGates, gates, current, proposed, total, ruleChanges } = data;
  const { sentence, besides, doubts } = decisionWords(data);
  const headline = trusted(String(prose`${sentence}`).replaceAll(" EUR", "&nbsp;EUR"));
  const leads = [
    ...failedGates.map(({ message }) => finding("block", prose`<strong>Limit not kept:</strong> ${message}`)),
    ...(failedGates.length > 0 || gates.length === 0
      ? []
      : [finding("pass", prose`<strong>Every limit is kept:</strong> ${gates.join(", ")}.`)]),
    ...[changesText(ruleChanges), ...besides].map((line) => finding(null, prose`${line}`)),
    ...doubts.map((line) => finding("indeterminate", prose`${line}`)),
  ];
  return pageTop("rule decision", html`<h1 class="sentence">${headline}</h1>`, leads, [
    ["Proposed", proposed.name],
    ["Today", current.name],
    ["Over", `${counted(total, "payment")}${spanText(data)}`],
  ]);
}

/** What of the charts there is something to draw for. */
export function chartSections(outcomes: Outcomes): Markup[] {
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
  const halves = scores.flatMap((chart) => (chart === null ? [] : html`<div>${chart}</div>`));
  const parts = [
    [
      "Fraud caught against good payments blocked",
      "Each curve shows what its rules would block with the block mark moved; large points are the marks as they are. Further up catches more fraud, further left blocks fewer good payments.",
      curveChart(outcomes),
    ],
    [
      "Scores",
      "Labelled payments by score: good ones above the line, fraud below it. Heights are logarithmic: a bar that is somewhat higher stands for many more payments.",
      halves.length > 0 ? html`<div class="halves">${halves}</div>` : null,
    ],
    [
      "Over time",
      "Bars: proposed. Dashed line: today. Times in UTC.",
      spans.length > 0 ? html`${spans.map(([name, key]) => spanChart(name, outcomes, key))}` : null,
    ],
  ] as const;
  return parts.flatMap(([title, what, content]) => (content === null ? [] : section(title, what, content)));
}

function tableSection(table: Table, look?: Markup): Markup | null {
  const drawn = tablePart(table, look);
  return drawn === null
    ? null
    : section(table.title, prose`${table.what!}`, drawn, table.rows.length > 12 ? "long" : "");
}
