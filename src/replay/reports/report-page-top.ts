// The six figures at the top of the HTML report of a run.

import { counted, formatCount, percent } from "#src/display/count.ts";
import { formatLatency } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { html, type Markup } from "./markup.ts";
import type { ReportData, ReportTotals } from "./report-data.ts";

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
