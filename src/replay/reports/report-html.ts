// The HTML report of a run: one self-contained page without network requests, with every untrusted text escaped.

import type { AmountUnit } from "#src/contract/records/profile.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { formatCount } from "#src/display/count.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { utcTime } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { ITEM_COLUMNS } from "./comparison-parts.ts";
import { html, LONGEST_CELL, long, type Markup } from "./markup.ts";
import {
  head,
  pageEnd,
  pageHead,
  partSection,
  reportTop,
  scriptJson,
  section,
  tableMarkup,
  verdictMark,
} from "./page-markup.ts";
import { judgedRows, type JudgedRow, type ReportData, type ReportTotals } from "./report-data.ts";
import { MIX_ORDER } from "./report-page-charts.ts";
import items from "./page/report.browser.js";
import theme from "./page/theme.browser.js";
import { tiles } from "./report-page-top.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";
import { runReport } from "./run-report.ts";

const SCRIPT = theme + items;

/** Bits of the filter. */
const MARK = { flipped: 1, expectationFailed: 2, noVerdict: 4 } as const;

/** Rows in a page: 5 MB, which a browser still searches without delay. */
const ROWS_LISTED = 20_000;

/** The page in pieces. When not all rows can be listed, changed and failed ones have priority. */
export async function* htmlReport(data: ReportData, totals: ReportTotals): AsyncGenerator<string> {
  const privacy = createPrivacy(data.showPersonal);
  const { info } = data;
  const report = runReport(data, totals);
  const main = [
    tiles(data, totals),
    report.parts.map(partSection),
    totals.total > 0 && itemsSection(totals),
    aboutSection(data, privacy),
  ];
  yield String(pageHead(report.name, SCRIPT));
  yield String(html`<div class="page">
${reportTop(report)}
<main>
${main}</main>
${footer(data)}</div>
<script type="application/json" id="data">{"looks":${scriptJson(MIX_ORDER.map((kind) => VERDICTS[kind]))},"rows":[`);
  const columns = columnsOfItems(totals);
  let between = "\n";
  let passedRowsLeft = ROWS_LISTED - Math.min(ROWS_LISTED, totals.total - totals.standings.passed);
  let left = ROWS_LISTED;
  for await (const judged of judgedRows(data)) {
    const isPassed = judged.standing === "passed";
    if (left === 0 || (isPassed && passedRowsLeft === 0)) continue;
    left -= 1;
    if (isPassed) passedRowsLeft -= 1;
    yield between + String(scriptJson(listedRow(judged, columns, privacy, info.amountUnit)));
    between = ",\n";
  }
  yield `\n]}</script>\n${String(pageEnd(SCRIPT))}`;
}

function itemsSection(totals: ReportTotals): Markup {
  const listed = Math.min(totals.total, ROWS_LISTED);
  const what =
    listed === totals.total
      ? "Search and filter; a click on a heading sorts."
      : `${formatCount(listed)} of ${formatCount(totals.total)} are listed, those that changed or failed before all others.`;
  const heads = columnsOfItems(totals).map(({ name, look = "" }) =>
    head(
      look === "why" ? name : html`<button type="button">${name}<span aria-hidden="true"></span></button>`,
      look,
    ),
  );
  const kinds = MIX_ORDER.map((kind, index) => [kind, index] as const)
    .filter(([kind]) => totals.kinds[kind] > 0)
    .map(
      ([kind, index]) =>
        html`<option value="${index}">${VERDICTS[kind].symbol} ${VERDICTS[kind].word}</option>`,
    );
  return section(
    "All payments",
    what,
    [
      html`<noscript><p>This list needs JavaScript, which is switched off here; everything above does without.</p></noscript>`,
      html`<div class="tools"><label class="grow">Search<input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="order, file, reason"></label>`,
      html`<label>Show<select id="filter"><option value="">everything</option><option value="${MARK.flipped}">changed</option>`,
      html`<option value="${MARK.expectationFailed}">not as expected</option><option value="${MARK.noVerdict}">without verdict</option></select></label>`,
      html`<label>Verdict<select id="verdict"><option value="">any</option>${kinds}</select></label></div>`,
      tableMarkup("All payments", html`class="list" id="items"`, heads, []),
      html`<div class="pager"><span id="found" role="status"></span><div><button type="button" id="back" class="plain" disabled>Back</button>`,
      html`<span id="place"></span><button type="button" id="next" class="plain" disabled>Next</button></div></div>`,
    ],
    "long",
  );
}

/** Without the column of expectations where there are none. */
function columnsOfItems({ expectations }: ReportTotals): typeof ITEM_COLUMNS {
  return ITEM_COLUMNS.filter(({ name }) => name !== "Expected" || expectations > 0);
}

/**
 * One row of the embedded data, for page/report.browser.js: marks, verdict, and the cells. A cell is a text, or the index of a
 * verdict; in a list what it is sorted by is behind it.
 */
function listedRow(
  judged: JudgedRow,
  columns: typeof ITEM_COLUMNS,
  privacy: Privacy,
  unit: AmountUnit,
): readonly unknown[] {
  const { kind, change, expectationFailed, verdict } = judged;
  const marks =
    (change === "flipped" ? MARK.flipped : 0) +
    (expectationFailed ? MARK.expectationFailed : 0) +
    (verdict === null ? MARK.noVerdict : 0);
  const cells = columns.map(({ cell, by }) => {
    const shown = cell(judged, unit, privacy);
    const text =
      typeof shown === "string" ? safe(shown, { max: LONGEST_CELL }) : MIX_ORDER.indexOf(shown.verdict);
    return by === undefined ? text : [text, ...by(judged)];
  });
  return [marks, MIX_ORDER.indexOf(kind), ...cells];
}

function aboutSection({ info, comparison }: ReportData, privacy: Privacy): Markup {
  const entries: readonly (readonly [string | Markup, string | Markup])[] = [
    ...MILDEST_FIRST.map((kind) => [verdictMark(kind), VERDICTS[kind].reaction] as const),
    [
      "Without verdict",
      "An answer that is missing, cut off, refused or not one of the three recommendations is never counted as a verdict.",
    ],
    [
      "Changed",
      "The same payment, by its name or else its order id, with a trustworthy verdict before and now that differ.",
    ],
    [
      "Personal data",
      privacy.masked
        ? `Masked: ${MASK}, and in sentences words like (address hidden), stand in place of names, e-mail addresses, telephone numbers, IP addresses, payer ids, card data and descriptions of any length.`
        : html`Shown: this report holds the payers' data in clear. Handle it accordingly.`,
    ],
    [
      "Amounts",
      `Sums by currency${comparison === null ? "" : ", and about their worth in EUR by the rates of the rule file"}; ${info.amountUnit === "minor" ? "sent in minor units, shown in major ones" : "in major units, as they were sent"}.`,
    ],
  ];
  const list = entries.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`);
  return section("How to read this", "", html`<dl class="about">${list}</dl>`);
}

function footer({ info: { summary }, generatedAt }: ReportData): Markup {
  const rejected = summary?.rejected ?? 0;
  const lines = [
    ...(rejected === 0
      ? []
      : [`Lines or files of the sources that hold no payment and were not sent: ${formatCount(rejected)}.`]),
    `Made by verdict, ${utcTime(generatedAt)}.`,
  ];
  return html`<footer>${lines.map((line) => long`<p>${line}</p>`)}</footer>
`;
}
