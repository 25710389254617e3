// The top of the HTML report: a headline and six figures.

import { addEur, addMoney, type Comparison, type Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { eurText, formatMoney } from "#src/display/money.ts";
import { formatLatency, formatTook } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { escapeHtml, finding, pageTop, utcTime } from "./page-markup.ts";
import { baselineText, type ReportData, type ReportTotals } from "./report-data.ts";

/** Title, headline and facts of the run. */
export function pageHeader(data: ReportData, totals: ReportTotals): string {
  const { info, comparison } = data;
  return pageTop(
    "replay report",
    `<h1>${headline(comparison, totals)}</h1>`,
    [lead(data, totals)],
    [
      ["Project", info.project],
      ["Profile", info.profile],
      ["Run", info.id],
      ["Started", utcTime(info.at)],
      ...(info.summary === null ? [] : [["Took", formatTook(info.summary.durationMs)] as const]),
      ...(comparison === null ? [] : [["Compared with", baselineText(data, comparison)] as const]),
    ],
  );
}

function headline(comparison: Comparison | null, { total }: ReportTotals): string {
  if (total === 0) return "Nothing was sent";
  if (comparison === null || comparison.compared === 0) return `${counted(total, "payment")} checked`;
  const { flipped } = comparison.changes;
  const compared = counted(comparison.compared, "verdict");
  return flipped === 0 ? "No verdict changed" : `${formatCount(flipped)} of ${compared} changed`;
}

function lead({ info, comparison, failedGates }: ReportData, totals: ReportTotals): string {
  const lacking = totals.standings.no_verdict;
  return [
    info.state === "complete"
      ? ""
      : finding(
          "unknown",
          "<strong>Not finished</strong>: the run was stopped before every payment of its sources was sent.",
        ),
    ...failedGates.map(({ message }) => finding("block", escapeHtml(message))),
    comparison === null
      ? finding(null, "Reported on its own: there is no earlier run beside it.")
      : comparedFindings(comparison, info.amountUnit),
    totals.expectationsFailed === 0
      ? ""
      : finding(
          null,
          `<strong>${counted(totals.expectationsFailed, "payment")}</strong> did not get the verdict that was expected.`,
        ),
    lacking > 0
      ? finding(
          "unknown",
          `<strong>${counted(lacking, "payment")}</strong> ${lacking === 1 ? "has" : "have"} no trustworthy verdict and must not go on without one.`,
        )
      : totals.total > 0
        ? finding(null, "Every payment has a trustworthy verdict.")
        : "",
  ].join("");
}

function comparedFindings(comparison: Comparison, unit: AmountUnit): string {
  if (comparison.compared === 0) {
    return finding(null, "There was nothing to compare with: no payment has a verdict on both sides.");
  }
  if (comparison.changes.flipped === 0) {
    return finding(
      null,
      `<strong>${counted(comparison.compared, "payment")}</strong> compared, with the same verdict as before.`,
    );
  }
  const ways: readonly (readonly [Recommendation, (was: Recommendation) => boolean, string])[] = [
    ["block", () => true, "newly blocked"],
    ["pass", (was) => was === "block", "no longer blocked, and passed"],
    ["3ds_or_block", (was) => was === "pass", "newly sent to 3-D Secure"],
  ];
  return ways
    .map(([now, fits, what]) => {
      const { count, money, eur } = sumOf(comparison, now, fits);
      if (count === 0) return "";
      const worth = money.length === 0 ? "" : `, worth ${moneyWords(money, eur, unit)}`;
      return finding(now, `<strong>${counted(count, "payment")}</strong> ${what}${worth}.`);
    })
    .join("");
}

interface Part {
  readonly count: number;
  readonly money: readonly Money[];
  readonly eur: number | null;
}

function sumOf({ matrix }: Comparison, now: Recommendation, fits: (was: Recommendation) => boolean): Part {
  const cells = matrix.filter((cell) => cell.now === now && cell.was !== now && fits(cell.was));
  return {
    count: cells.reduce((sum, cell) => sum + cell.count, 0),
    money: addMoney(cells.map((cell) => cell.money)),
    eur: addEur(cells),
  };
}

/** The first three sums, how many more currencies there are, and what all of them are worth. */
function moneyWords(money: readonly Money[], eur: number | null, unit: AmountUnit): string {
  const shown = money
    .slice(0, 3)
    .map(
      ({ amount, currency }) =>
        `<span class="whole">${escapeHtml(formatMoney(amount, currency, unit))}</span>`,
    );
  const rest = money.length - shown.length;
  if (rest > 0) shown.push(rest === 1 ? "one more currency" : `${rest} more currencies`);
  const last = shown.pop() ?? "";
  const all = shown.length === 0 ? null : eurText(eur);
  const words = shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
  return all === null ? words : `${words}: ${all}`;
}

/** The six figures, without colour while they are zero. */
export function tiles({ info, comparison }: ReportData, totals: ReportTotals): string {
  const { summary, state } = info;
  const lacking = totals.standings.no_verdict;
  const latencies = summary?.latencies ?? null;
  const rate = summary?.ratePerS ?? null;
  const list = [
    tile(
      "Payments",
      formatCount(totals.total),
      state === "complete" ? "the whole run" : "so far: the run is not finished",
    ),
    comparison === null
      ? tile("Changed verdicts", "-", "nothing to compare with")
      : tile(
          "Changed verdicts",
          formatCount(comparison.changes.flipped),
          `${percent(comparison.changes.flipped, comparison.compared)} of ${formatCount(comparison.compared)} compared`,
          comparison.changes.flipped > 0 ? "challenge" : "",
        ),
    comparison === null
      ? tile("New blocks", "-", "nothing to compare with")
      : tile(
          `New blocks`,
          comparison.newBlocks > 0 ? `${VERDICTS.block.symbol} ${formatCount(comparison.newBlocks)}` : "0",
          `${percent(comparison.newBlocks, comparison.compared)} of those compared`,
          comparison.newBlocks > 0 ? "block" : "",
        ),
    totals.expectations === 0
      ? tile("Not as expected", "-", "no payload expects a verdict")
      : tile(
          "Not as expected",
          formatCount(totals.expectationsFailed),
          `of ${counted(totals.expectations, "expectation")}`,
          totals.expectationsFailed > 0 ? "block" : "",
        ),
    tile(
      "Without verdict",
      lacking > 0 ? `${VERDICTS.unknown.symbol} ${formatCount(lacking)}` : "0",
      "no trustworthy answer",
      lacking > 0 ? "doubt" : "",
    ),
    tile(
      "Answer time, p95",
      latencies === null ? "-" : formatLatency(latencies.p95),
      rate === null
        ? "from first to last byte"
        : `${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))} payments a second`,
    ),
  ];
  return `<dl class="tiles">${list.join("")}</dl>`;
}

function tile(name: string, figure: string, note: string, role: string = ""): string {
  return `<div class="tile ${role}"><dt>${name}</dt><dd class="figure">${figure}</dd><dd class="note">${note}</dd></div>`;
}
