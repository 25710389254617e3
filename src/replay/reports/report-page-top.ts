// The top of the HTML report: a headline and six figures.

import { addEur, addMoney, type Comparison, type Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { formatLatency, formatTook } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { html, type Markup } from "./markup.ts";
import { finding, pageTop, utcTime } from "./page-markup.ts";
import { baselineText, type ReportData, type ReportTotals } from "./report-data.ts";

/** Title, headline and facts of the run. */
export function pageHeader(data: ReportData, totals: ReportTotals): Markup {
  const { info, comparison } = data;
  return pageTop("replay report", html`<h1>${headline(comparison, totals)}</h1>`, leads(data, totals), [
    ["Project", info.project],
    ["Profile", info.profile],
    ["Run", info.id],
    ["Started", utcTime(info.at)],
    ...(info.summary === null ? [] : [["Took", formatTook(info.summary.durationMs)] as const]),
    ...(comparison === null ? [] : [["Compared with", baselineText(data, comparison)] as const]),
  ]);
}

function headline(comparison: Comparison | null, { total }: ReportTotals): string {
  if (total === 0) return "Nothing was sent";
  if (comparison === null || comparison.compared === 0) return `${counted(total, "payment")} checked`;
  const { flipped } = comparison.changes;
  const compared = counted(comparison.compared, "verdict");
  return flipped === 0 ? "No verdict changed" : `${formatCount(flipped)} of ${compared} changed`;
}

function leads({ info, comparison, failedGates }: ReportData, totals: ReportTotals): Markup[] {
  const lacking = totals.standings.no_verdict;
  const { total, expectationsFailed } = totals;
  const payments = (count: number): Markup => html`<strong>${counted(count, "payment")}</strong>`;
  const partial = html`<strong>Not finished</strong>: the run was stopped before every payment of its sources was sent.`;
  const open = html`${payments(lacking)} ${lacking === 1 ? "has" : "have"} no trustworthy verdict and must not go on without one.`;
  return [
    ...(info.state === "complete" ? [] : [finding("unknown", partial)]),
    ...failedGates.map(({ message }) => finding("block", message)),
    ...(comparison === null
      ? [finding(null, "Reported on its own: there is no earlier run beside it.")]
      : comparedFindings(comparison, info.amountUnit)),
    ...(expectationsFailed === 0
      ? []
      : [finding(null, html`${payments(expectationsFailed)} did not get the verdict that was expected.`)]),
    ...(lacking > 0 ? [finding("unknown", open)] : []),
    ...(lacking === 0 && total > 0 ? [finding(null, "Every payment has a trustworthy verdict.")] : []),
  ];
}

function comparedFindings(comparison: Comparison, unit: AmountUnit): Markup[] {
  if (comparison.compared === 0) {
    return [finding(null, "There was nothing to compare with: no payment has a verdict on both sides.")];
  }
  if (comparison.changes.flipped === 0) {
    const same = html`<strong>${counted(comparison.compared, "payment")}</strong> compared, with the same verdict as before.`;
    return [finding(null, same)];
  }
  const ways: readonly (readonly [Recommendation, (was: Recommendation) => boolean, string])[] = [
    ["block", () => true, "newly blocked"],
    ["pass", (was) => was === "block", "no longer blocked, and passed"],
    ["3ds_or_block", (was) => was === "pass", "newly sent to 3-D Secure"],
  ];
  return ways.flatMap(([now, fits, what]) => {
    const cells = comparison.matrix.filter((cell) => cell.now === now && cell.was !== now && fits(cell.was));
    const count = cells.reduce((sum, cell) => sum + cell.count, 0);
    const money = addMoney(cells.map((cell) => cell.money));
    const worth = money.length > 0 && html`, worth ${moneyWords(money, addEur(cells), unit)}`;
    return count === 0
      ? []
      : finding(now, html`<strong>${counted(count, "payment")}</strong> ${what}${worth}.`);
  });
}

/** The first three sums, how many more currencies there are, and what all of them are worth. */
function moneyWords(money: readonly Money[], eur: number | null, unit: AmountUnit): Markup {
  const sums = moneyList(money, unit, 3).split(", ");
  const words = sums.map((sum, index) => html`${index > 0 && ", "}<span class="whole">${sum}</span>`);
  const all = money.length > 1 ? eurText(eur) : null;
  return html`${words}${all !== null && `: ${all}`}`;
}

/** The six figures, without colour while they are zero. */
export function tiles({ info, comparison }: ReportData, totals: ReportTotals): Markup {
  const { summary, state } = info;
  const { expectations, expectationsFailed, total } = totals;
  const { compared = 0, newBlocks = null, changes } = comparison ?? {};
  const p95 = summary?.latencies?.p95;
  const rate = summary?.ratePerS ?? null;
  const beside = (text: string): string => (comparison === null ? "nothing to compare with" : text);
  const flipped = changes?.flipped ?? null;
  const list = [
    tile("Payments", total, state === "complete" ? "the whole run" : "so far: the run is not finished"),
    tile(
      "Changed verdicts",
      flipped,
      beside(`${percent(flipped ?? 0, compared)} of ${formatCount(compared)} compared`),
      "challenge",
    ),
    tile("New blocks", newBlocks, beside(`${percent(newBlocks ?? 0, compared)} of those compared`), "block"),
    tile(
      "Not as expected",
      expectations === 0 ? null : expectationsFailed,
      expectations === 0 ? "no payload expects a verdict" : `of ${counted(expectations, "expectation")}`,
      "block",
    ),
    tile("Without verdict", totals.standings.no_verdict, "no trustworthy answer", "doubt"),
    tile(
      "Answer time, p95",
      p95 === undefined ? null : formatLatency(p95),
      rate === null
        ? "from first to last byte"
        : `${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))} payments a second`,
    ),
  ];
  return html`<dl class="tiles">${list}</dl>`;
}

/** The signs of figures that are a verdict's. */
const SIGNS: Readonly<Record<string, string>> = {
  "New blocks": `${VERDICTS.block.symbol} `,
  "Without verdict": `${VERDICTS.unknown.symbol} `,
};

/** @param figure null for none @param role of a figure that is not zero */
function tile(name: string, figure: number | string | null, note: string, role: string = ""): Markup {
  const isSome = typeof figure === "number" && figure > 0;
  const text = typeof figure === "number" ? formatCount(figure) : (figure ?? "-");
  return html`<div class="tile ${isSome ? role : ""}"><dt>${name}</dt><dd class="figure">${isSome ? (SIGNS[name] ?? "") : ""}${text}</dd><dd class="note">${note}</dd></div>`;
}
