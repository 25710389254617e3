// The charts of the page of a decision: inline SVG in percent of the width; shapes and words tell what colours tell.

import { isJudged, sideShares, worthOf } from "#src/contract/records/outcome-shares.ts";
import type { CurvePoint, Outcomes, OutcomeSpan, SideOutcomes } from "#src/contract/records/outcomes.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";

/** Shares are of the labelled payments of each kind. */
interface Spot {
  readonly shift: number;
  readonly good: number;
  readonly bad: number;
}

const CURVE_HEIGHT = 280;

/** Fraud caught against good payments blocked over the block mark, both rule sets; null where there is nothing to judge. */
export function curveChart(outcomes: Outcomes): string | null {
  if (!isJudged(outcomes)) return null;
  const { current, proposed } = outcomes;
  const all = { good: worthOf(current, "good").count, bad: worthOf(current, "bad").count };
  const spots = ({ curve }: SideOutcomes): Spot[] =>
    curve.map(({ shift, good, bad }) => ({
      shift,
      good: good.count / all.good,
      bad: bad.count / all.bad,
    }));
  const sides = [
    { name: "today", spots: spots(current), block: current.marks?.block },
    { name: "proposed", spots: spots(proposed), block: proposed.marks?.block },
  ];
  const marked = sides.map((side) => side.spots.find(({ shift }) => shift === 0));
  const [today, then] = marked;
  if (today === undefined || then === undefined) return null;
  const right = axisEnd(Math.max(today.good, then.good));
  const x = (share: number): number => (share / right) * 100;
  const y = (share: number): number => TOP + (1 - share) * CURVE_HEIGHT;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="grid" x1="0" x2="100%" y1="${y(share)}" y2="${y(share)}"/>` +
      `<text x="100%" y="${y(share) - 4}" text-anchor="end">${share * 100} %${share === 1 ? " of fraud blocked" : ""}</text>`,
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => tickAt(part * 100, y(0), percentTick(part * right)));
  const lines = sides.map(
    ({ name, spots: list }) =>
      `<polyline class="curve ${name}" vector-effect="non-scaling-stroke" points="${list
        .map(({ good, bad }) => `${x(good).toFixed(3)},${((1 - bad) * 100).toFixed(3)}`)
        .join(" ")}"/>`,
  );
  const dots = sides.flatMap(({ name, spots: list, block }) =>
    list
      .filter(({ good }) => good <= right)
      .map((spot) => {
        const radius = spot.shift === 0 ? 7 : 3;
        const words = `${name}, ${markText(spot.shift, block)}: ${spotText(spot)}`;
        return `<circle class="dot ${name}" cx="${x(spot.good).toFixed(3)}%" cy="${y(spot.bad).toFixed(1)}" r="${radius}"><title>${words}</title></circle>`;
      }),
  );
  // The words of two points that lie close together stand above each other.
  const isClose = Math.abs(x(today.good) - x(then.good)) < 35 && Math.abs(y(today.bad) - y(then.bad)) < 34;
  const names = marked.map((spot, side) => {
    const at = x(spot!.good);
    const below = isClose && side === (today.bad > then.bad ? 1 : 0) ? 40 : 24;
    const anchor = at > 60 ? `end" dx="4` : `start" dx="-4`;
    return `<text class="mark-text" x="${at.toFixed(3)}%" y="${(y(spot!.bad) + below).toFixed(1)}" text-anchor="${anchor}">${sides[side]!.name}</text>`;
  });
  const words = sides.map(({ name }, side) => `${name}: ${spotText(marked[side]!)}`);
  const legend = words.map(
    (text, side) =>
      `<li><svg class="key" width="34" height="14" role="img" aria-label="${sides[side]!.name}"><line class="curve ${sides[side]!.name}" x1="0" x2="34" y1="7" y2="7"/><circle class="dot ${sides[side]!.name}" cx="17" cy="7" r="6"/></svg> ${text}</li>`,
  );
  return (
    `<svg width="100%" height="${y(0) + 42}" role="img" aria-label="Fraud blocked against good payments blocked. ${words.join("; ")}.">` +
    `${grid.join("")}<svg class="plot" x="0" y="${TOP}" width="100%" height="${CURVE_HEIGHT}" viewBox="0 0 100 100" preserveAspectRatio="none" aria-label="curves">${lines.join("")}</svg>` +
    `${dots.join("")}${names.join("")}${ticks.join("")}<text x="50%" y="${y(0) + 38}" text-anchor="middle">good payments blocked, of all good ones</text></svg>` +
    `<ul class="legend">${legend.join("")}</ul>`
  );
}

const TOP = 22;

function spotText({ good, bad }: Spot): string {
  return `${percent(bad, 1)} of fraud and ${percent(good, 1)} of good payments blocked`;
}

function markText(shift: number, block: number | undefined): string {
  if (shift === 0) return block === undefined ? "as it is" : `block mark ${block}, as it is`;
  const moved = `${Math.abs(shift)} ${shift > 0 ? "higher" : "lower"}`;
  return block === undefined ? `block mark ${moved}` : `block mark ${block + shift} (${moved})`;
}

/** The end of an axis of shares: a round one with room behind the greatest. */
function axisEnd(most: number): number {
  const wanted = Math.max(most * 1.3, 0.002);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.min(
    1,
    [1, 2, 4, 10].map((step) => step * power).find((end) => end >= wanted)!,
  );
}

function percentTick(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** A tick of a lower axis with its words, those at the ends inwards. */
function tickAt(at: number, base: number, words: string): string {
  const anchor = at < 8 ? "start" : at > 92 ? "end" : "middle";
  return (
    `<line class="tick" x1="${at.toFixed(3)}%" x2="${at.toFixed(3)}%" y1="${base}" y2="${base + 5}"/>` +
    `<text x="${at.toFixed(3)}%" y="${base + 19}" text-anchor="${anchor}">${words}</text>`
  );
}

/**
 * The block mark with which the proposed rules block as much fraud as today's, and its price; null where they do so as they are,
 * or with no mark.
 */
export function equalCatch({ current, proposed }: Outcomes): string | null {
  const bad = worthOf(current, "bad").count;
  const { caught, goodBlocked } = sideShares(current);
  const then = sideShares(proposed);
  if (then.caught.part >= caught.part) return null;
  // Of the points that catch as much, the one that blocks the fewest good payments: the highest mark.
  const point = proposed.curve.findLast((each: CurvePoint) => each.bad.count >= caught.part);
  if (point === undefined) return null;
  return (
    `To block as much fraud as today, the proposed rules would need a ${markText(point.shift, proposed.marks?.block)}. ` +
    `They would then block ${formatCount(point.bad.count)} of ${formatCount(bad)} fraudulent payments, and ${counted(point.good.count, "good one")} ` +
    `(as proposed ${formatCount(then.goodBlocked.part)}, today ${formatCount(goodBlocked.part)}).`
  );
}

const HALF = 84;

/** Good payments above the line, fraud below it, by score, on a logarithmic scale; null without labelled payments. */
export function scoreChart(name: string, { scores, marks }: SideOutcomes): string | null {
  const most = Math.max(0, ...scores.flatMap(({ good, bad }) => [good, bad]));
  if (most === 0) return null;
  const width = (scores[1]?.from ?? scores[0]!.from + 1) - scores[0]!.from;
  const end = Math.max(scores.at(-1)!.from + width, (marks?.block ?? 0) * 1.1);
  const x = (score: number): number => (score / end) * 100;
  const middle = 34 + HALF;
  const size = (count: number): number =>
    count === 0 ? 0 : 6 + ((HALF - 6) * Math.log10(count)) / Math.max(1, Math.log10(most));
  const bars = scores.flatMap(({ from, good, bad }) => {
    const what = `score ${from}${width > 1 ? ` to ${from + width - 1}` : ""}: ${formatCount(good)} good, ${formatCount(bad)} fraud`;
    const bar = (role: string, count: number, top: number): string =>
      count === 0
        ? ""
        : `<rect class="${role}" x="${(x(from) + 0.1).toFixed(3)}%" width="${Math.max(0.3, x(width) - 0.2).toFixed(3)}%" y="${top.toFixed(1)}" height="${size(count).toFixed(1)}"><title>${what}</title></rect>`;
    return [bar("pass", good, middle - 1 - size(good)), bar("block", bad, middle + 1)];
  });
  const base = middle + HALF + 2;
  const lines =
    marks === null
      ? []
      : ([
          ["3-D Secure", marks.threeDs, 12],
          ["block", marks.block, 27],
        ] as const);
  const drawn = lines.map(([word, mark, y]) => {
    const side = x(mark) > 60 ? `end" dx="-5` : `start" dx="5`;
    return (
      `<line class="mark" x1="${x(mark).toFixed(3)}%" x2="${x(mark).toFixed(3)}%" y1="${y - 10}" y2="${base}"/>` +
      `<text class="mark-text" x="${x(mark).toFixed(3)}%" y="${y}" text-anchor="${side}">${word} from ${mark}</text>`
    );
  });
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000, 5_000].find((each) => end / each <= 6) ?? end;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) =>
    tickAt(x(index * step), base, String(index * step)),
  );
  const tallest = (kind: "good" | "bad"): string => formatCount(Math.max(...scores.map((bin) => bin[kind])));
  const words = `${name}: tallest bars ${tallest("good")} good, ${tallest("bad")} fraud`;
  return (
    `<h3>${words}</h3><svg width="100%" height="${base + 26}" role="img" aria-label="${words}.">` +
    `${bars.join("")}<line class="tick" x1="0" x2="100%" y1="${middle}" y2="${middle}"/>${drawn.join("")}` +
    `${ticks.join("")}</svg>`
  );
}

const SPAN_HEIGHT = 96;

/** One figure of both rule sets over the time of the payments: bars for the proposed one, a line for today's. */
export function spanChart(
  name: string,
  { spans, spanMs }: Outcomes,
  key: keyof OutcomeSpan["current"],
): string {
  const values = (side: "current" | "proposed"): number[] => spans.map((span) => span[side][key]);
  const [before, after] = [values("current"), values("proposed")];
  const most = Math.max(1, ...before, ...after);
  const wide = 100 / spans.length;
  const y = (count: number): string => (100 - (count / most) * 100).toFixed(2);
  const bars = after.map((count, index) =>
    count === 0
      ? ""
      : `<rect class="accent" x="${(index * wide).toFixed(3)}" width="${(wide * 0.86).toFixed(3)}" y="${y(count)}" height="${((count / most) * 100).toFixed(2)}"><title>${formatUtc(spans[index]!.from)}: today ${before[index]}, proposed ${count}</title></rect>`,
  );
  const line = before.map(
    (count, index) => `${index === 0 ? "M0" : ""} V${y(count)} H${((index + 1) * wide).toFixed(3)}`,
  );
  // A path starts at a point: the first height is given with it.
  const path = line.join("").replace("M0 V", "M0 ");
  const peak = (list: readonly number[]): string => formatCount(Math.max(0, ...list));
  const each = spanMs === 3_600_000 ? "an hour" : formatDuration(spanMs);
  const words = `${name}: today at most ${peak(before)} in ${each}, proposed at most ${peak(after)}`;
  const ticks = [0, Math.floor(spans.length / 2), spans.length - 1].map((index, place) =>
    tickAt(place * 50, SPAN_HEIGHT + 10, formatUtc(spans[index]!.from).slice(5)),
  );
  return (
    `<h3>${words}</h3><svg width="100%" height="${SPAN_HEIGHT + 36}" role="img" aria-label="${words}.">` +
    `<svg class="plot" x="0" y="10" width="100%" height="${SPAN_HEIGHT}" viewBox="0 0 100 100" preserveAspectRatio="none" aria-label="bars">${bars.join("")}<path class="curve today" vector-effect="non-scaling-stroke" d="${path}"/></svg>` +
    `<line class="tick" x1="0" x2="100%" y1="${SPAN_HEIGHT + 10}" y2="${SPAN_HEIGHT + 10}"/>${ticks.join("")}</svg>`
  );
}
