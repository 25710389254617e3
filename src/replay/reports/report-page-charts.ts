// The charts of the HTML report: inline SVG in percent of the width, so that labels stay readable on a phone.

import type { Latencies } from "#src/contract/records/run.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { formatLatency } from "#src/display/time.ts";
import { VERDICT_KINDS, VERDICTS } from "#src/display/verdict.ts";
import { html, type Markup } from "./markup.ts";
import { baseLine, chart, markAt, tickAt } from "./chart-markup.ts";
import { verdictMark } from "./page-markup.ts";
import { bucketOf, LATENCY_STEP, type LatencyBuckets, type ReportTotals } from "./report-data.ts";

/** From continue to stop, then outcomes without a verdict. */
export const MIX_ORDER = ["pass", "3ds_or_block", "block", ...VERDICT_KINDS.slice(3)] as const;

/** A bar of all items by verdict, and its legend with counts. */
export function mixChart({ kinds, total }: Pick<ReportTotals, "kinds" | "total">): Markup {
  const shown = MIX_ORDER.filter((kind) => kinds[kind] > 0);
  let left = 0;
  const bars = shown.map((kind) => {
    const { symbol, word, role } = VERDICTS[kind];
    const width = (kinds[kind] / total) * 100;
    const label =
      width < 5
        ? null
        : html`<text x="${(left + width / 2).toFixed(3)}%" y="23" text-anchor="middle" class="on-bar">${symbol}</text>`;
    const bar = html`<rect class="bar ${role}" x="${left.toFixed(3)}%" width="${Math.max(width, 0.2).toFixed(3)}%" height="34"><title>${word}: ${formatCount(kinds[kind])} (${percent(kinds[kind], total)})</title></rect>${label}`;
    left += width;
    return bar;
  });
  const words = shown.map((kind) => `${VERDICTS[kind].word} ${formatCount(kinds[kind])}`).join(", ");
  const legend = shown.map(
    (kind) =>
      html`<li>${verdictMark(kind)} <strong>${formatCount(kinds[kind])}</strong> <span class="muted">${percent(kinds[kind], total)}</span></li>`,
  );
  return html`<div class="mix">${chart(`Verdicts: ${words}`, 34, bars)}</div>
<ul class="legend">${legend}</ul>`;
}

const CHART_TOP = 52;
const CHART_HEIGHT = 150;

/** A latency histogram on a logarithmic axis, with percentiles. */
export function latencyChart(buckets: LatencyBuckets, latencies: Latencies | null): Markup {
  if (buckets.size === 0)
    return html`<p class="muted">Nothing was answered, so that there are no latencies.</p>`;
  const { first, steps } = axisOf(buckets, latencies);
  const most = Math.max(...buckets.values());
  const place = (ms: number): number => ((Math.log(ms) / Math.log(LATENCY_STEP) - first) / steps) * 100;
  const bars = [...buckets].map(([bucket, count]) => {
    const height = Math.max(1.5, (count / most) * CHART_HEIGHT);
    const from = formatLatency(LATENCY_STEP ** bucket);
    const to = formatLatency(LATENCY_STEP ** (bucket + 1));
    const [x, y] = [((bucket - first) / steps) * 100 + 0.15, CHART_TOP + CHART_HEIGHT - height];
    return html`<rect class="bar accent" x="${x.toFixed(3)}%" width="${(100 / steps - 0.3).toFixed(3)}%" y="${y.toFixed(1)}" height="${height.toFixed(1)}"><title>${from} to ${to}: ${formatCount(count)}</title></rect>`;
  });
  const base = CHART_TOP + CHART_HEIGHT;
  const ticks = tickValues(LATENCY_STEP ** first, LATENCY_STEP ** (first + steps)).map((ms) =>
    tickAt(place(ms), base, tickText(ms)),
  );
  const { p50 = 0, p95 = 0, p99 = 0, max = 0 } = latencies ?? {};
  const named = Object.entries({ median: p50, p95, p99 });
  const marks = named.map(([name, ms], index) => {
    const at = Math.min(99.5, Math.max(0.5, place(Math.max(ms, 0.001))));
    return markAt(at, 12 + index * 16, base, `${name} ${formatLatency(ms)}`);
  });
  const words =
    latencies === null
      ? "Latency of answered items."
      : `Latency of answered items: median ${formatLatency(p50)}, 95 of 100 within ${formatLatency(p95)}, 99 within ${formatLatency(p99)}, slowest ${formatLatency(max)}.`;
  return chart(words, base + 26, [...bars, baseLine(base), ...ticks, ...(latencies === null ? [] : marks)]);
}

/** At least a decade, so that a few equal latencies do not become one broad bar; with a free step on either side. */
const FEWEST_STEPS = 14;

function axisOf(
  buckets: LatencyBuckets,
  latencies: Latencies | null,
): { readonly first: number; readonly steps: number } {
  const named = latencies === null ? [] : [latencies.p50, latencies.p99].filter((ms) => ms > 0).map(bucketOf);
  const used = [...buckets.keys(), ...named];
  const lowest = Math.min(...used) - 1;
  const steps = Math.max(...used) + 2 - lowest;
  const missing = Math.max(0, FEWEST_STEPS - steps);
  return { first: lowest - Math.floor(missing / 2), steps: steps + missing };
}

/** At most five round values, so that their labels do not overlap. */
function tickValues(from: number, to: number): number[] {
  const decades = Array.from({ length: 12 }, (_, power) => 10 ** (power - 3));
  const inside = (values: readonly number[]): number[] =>
    values.filter((ms) => ms >= from * 1.05 && ms <= to / 1.05);
  const fine = inside(decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]));
  if (fine.length <= 5) return fine;
  const coarse = inside(decades);
  return coarse.length <= 5 ? coarse : coarse.filter((_, index) => index % 2 === 0);
}

function tickText(ms: number): string {
  if (ms >= 1_000) return `${ms / 1_000} s`;
  return `${Number(ms.toPrecision(3))} ms`;
}
