// The charts of the page of a decision: inline SVG in percent of the width; shapes and words tell what colours tell.

import { isJudged, worthOf } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, OutcomeSpan, SideOutcomes } from "#src/contract/records/outcomes.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";
import { html, trusted, type Markup } from "./markup.ts";
import type { Part } from "./parts.ts";
import { baseLine, chart, markAt, plot, tickAt } from "./chart-markup.ts";

const TOP = 22;
const CURVE_HEIGHT = 280;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

const DRAWN = { heads: [], rows: [] };

/** The charts for which there is something to draw. */
export function chartParts(outcomes: Outcomes): Part[] {
  const kinds = [
    ["Good payments blocked", "goodBlocked"],
    ["Fraud passed", "badPassed"],
  ] as const;
  const spans = kinds.filter(
    ([, key]) =>
      outcomes.spans.length > 1 &&
      outcomes.spans.some(({ current, proposed }) => current[key] + proposed[key] > 0),
  );
  return [
    {
      title: "Fraud caught against good payments blocked",
      what: "Each curve shows what its rules would block with the block mark moved; large points are the marks as they are. Further up catches more fraud, further left blocks fewer good payments.",
      ...DRAWN,
      draw: () => curveChart(outcomes),
    },
    {
      title: "Scores",
      what: "Labelled payments by score: good ones above the line, fraud below it. Heights are logarithmic: a bar that is somewhat higher stands for many more payments.",
      ...DRAWN,
      draw: () => {
        const scores = [scoreChart("Today", outcomes.current), scoreChart("Proposed", outcomes.proposed)];
        const halves = scores.flatMap((half) => (half === null ? [] : html`<div>${half}</div>`));
        return isJudged(outcomes.current) && halves.length > 0
          ? html`<div class="halves">${halves}</div>`
          : null;
      },
    },
    {
      title: "Over time",
      what: "Bars: proposed. Dashed line: today. Times in UTC.",
      ...DRAWN,
      draw: () =>
        spans.length === 0 ? null : html`${spans.map(([name, key]) => spanChart(name, outcomes, key))}`,
    },
  ];
}

/** Fraud caught against good payments blocked over the block mark, both rule sets; null where there is nothing to judge. */
function curveChart(outcomes: Outcomes): Markup | null {
  if (!isJudged(outcomes.current)) return null;
  const { current, proposed } = outcomes;
  const all = { good: worthOf(current, "good").count, bad: worthOf(current, "bad").count };
  const sides = [current, proposed].map(({ curve }, side) => {
    const spots = curve.map(({ shift, good, bad }) => {
      const [blocked, caught] = [good.count / all.good, bad.count / all.bad];
      const text = `${percent(caught, 1)} of fraud and ${percent(blocked, 1)} of good payments blocked`;
      return { shift, good: blocked, bad: caught, text };
    });
    return { name: ["today", "proposed"][side]!, spots, own: spots.find(({ shift }) => shift === 0) };
  });
  const [today, then] = sides.map(({ own }) => own);
  if (today === undefined || then === undefined) return null;
  const right = axisEnd(Math.max(today.good, then.good));
  const x = (share: number): number => (share / right) * 100;
  const y = (share: number): number => TOP + (1 - share) * CURVE_HEIGHT;
  const grid = QUARTERS.map(
    (share) =>
      html`<line class="grid" x1="0" x2="100%" y1="${y(share)}" y2="${y(share)}"/><text x="100%" y="${y(share) - 4}" text-anchor="end">${share * 100} %${share === 1 && " of fraud blocked"}</text>`,
  );
  const ticks = QUARTERS.map((part) =>
    tickAt(part * 100, y(0), `${Number((part * right * 100).toPrecision(3))} %`),
  );
  const lines = sides.map(({ name, spots }) => {
    const points = spots.map(({ good, bad }) => `${x(good).toFixed(3)},${((1 - bad) * 100).toFixed(3)}`);
    return html`<polyline class="curve ${name}" vector-effect="non-scaling-stroke" points="${trusted(points.join(" "))}"/>`;
  });
  const dots = sides.flatMap(({ name, spots }) =>
    spots
      .filter(({ good }) => good <= right)
      .map(({ shift, good, bad, text }) => {
        const mark =
          shift === 0 ? "as it is" : `block mark ${Math.abs(shift)} ${shift > 0 ? "higher" : "lower"}`;
        return html`<circle class="dot ${name}" cx="${x(good).toFixed(3)}%" cy="${y(bad).toFixed(1)}" r="${shift === 0 ? 7 : 3}"><title>${name}, ${mark}: ${text}</title></circle>`;
      }),
  );
  // The words of two points that lie close together stand above each other.
  const isClose = Math.abs(x(today.good) - x(then.good)) < 35 && Math.abs(y(today.bad) - y(then.bad)) < 34;
  const names = [today, then].map(({ good, bad }, side) => {
    const below = isClose && side === (today.bad > then.bad ? 1 : 0) ? 40 : 24;
    const [anchor, dx] = x(good) > 60 ? (["end", 4] as const) : (["start", -4] as const);
    return html`<text class="mark-text" x="${x(good).toFixed(3)}%" y="${(y(bad) + below).toFixed(1)}" text-anchor="${anchor}" dx="${dx}">${sides[side]!.name}</text>`;
  });
  const words = [today, then].map(({ text }, side) => `${sides[side]!.name}: ${text}`);
  const legend = sides.map(
    ({ name }, side) =>
      html`<li><svg class="key" width="34" height="14" role="img" aria-label="${name}"><line class="curve ${name}" x1="0" x2="34" y1="7" y2="7"/><circle class="dot ${name}" cx="17" cy="7" r="6"/></svg> ${words[side]!}</li>`,
  );
  const content = [...grid, plot("curves", TOP, CURVE_HEIGHT, lines), ...dots, ...names, ...ticks];
  const drawn = chart(`Fraud blocked against good payments blocked. ${words.join("; ")}.`, y(0) + 42, [
    ...content,
    html`<text x="50%" y="${y(0) + 38}" text-anchor="middle">good payments blocked, of all good ones</text>`,
  ]);
  return html`${drawn}<ul class="legend">${legend}</ul>`;
}

/** The end of an axis of shares: a round one with room behind the greatest. */
function axisEnd(most: number): number {
  const wanted = Math.max(most * 1.3, 0.002);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.min(1, [1, 2, 4, 10].find((step) => step * power >= wanted)! * power);
}

const HALF = 84;

/** Good payments above the line, fraud below it, by score, on a logarithmic scale; null without labelled payments. */
function scoreChart(name: string, { scores, marks }: SideOutcomes): Markup | null {
  const [mostGood, mostBad] = (["good", "bad"] as const).map((kind) =>
    Math.max(0, ...scores.map((bin) => bin[kind])),
  ) as [number, number];
  const most = Math.max(mostGood, mostBad);
  if (most === 0) return null;
  const width = (scores[1]?.from ?? scores[0]!.from + 1) - scores[0]!.from;
  const end = Math.max(scores.at(-1)!.from + width, (marks?.block ?? 0) * 1.1);
  const x = (score: number): number => (score / end) * 100;
  const middle = 34 + HALF;
  const size = (count: number): number =>
    count === 0 ? 0 : 6 + ((HALF - 6) * Math.log10(count)) / Math.max(1, Math.log10(most));
  const bars = scores.flatMap(({ from, good, bad }) => {
    const what = `score ${from}${width > 1 ? ` to ${from + width - 1}` : ""}: ${formatCount(good)} good, ${formatCount(bad)} fraud`;
    const bar = (role: string, count: number, top: number): Markup[] =>
      count === 0
        ? []
        : [
            html`<rect class="${role}" x="${(x(from) + 0.1).toFixed(3)}%" width="${Math.max(0.3, x(width) - 0.2).toFixed(3)}%" y="${top.toFixed(1)}" height="${size(count).toFixed(1)}"><title>${what}</title></rect>`,
          ];
    return [...bar("pass", good, middle - 1 - size(good)), ...bar("block", bad, middle + 1)];
  });
  const base = middle + HALF + 2;
  const drawn =
    marks === null
      ? []
      : [
          markAt(x(marks.threeDs), 12, base, `3-D Secure from ${marks.threeDs}`),
          markAt(x(marks.block), 27, base, `block from ${marks.block}`),
        ];
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000, 5_000].find((each) => end / each <= 6) ?? end;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) =>
    tickAt(x(index * step), base, String(index * step)),
  );
  const words = `${name}: tallest bars ${formatCount(mostGood)} good, ${formatCount(mostBad)} fraud`;
  return html`<h3>${words}</h3>${chart(`${words}.`, base + 26, [...bars, baseLine(middle), ...drawn, ...ticks])}`;
}

const SPAN_HEIGHT = 96;

/** One figure of both rule sets over the time of the payments: bars for the proposed one, a line for today's. */
function spanChart(name: string, { spans, spanMs }: Outcomes, key: keyof OutcomeSpan["current"]): Markup {
  const [before, after] = (["current", "proposed"] as const).map((side) =>
    spans.map((span) => span[side][key]),
  ) as [number[], number[]];
  const most = Math.max(1, ...before, ...after);
  const wide = 100 / spans.length;
  const y = (count: number): string => (100 - (count / most) * 100).toFixed(2);
  const bars = after.flatMap((count, index) =>
    count === 0
      ? []
      : html`<rect class="accent" x="${(index * wide).toFixed(3)}" width="${(wide * 0.86).toFixed(3)}" y="${y(count)}" height="${((count / most) * 100).toFixed(2)}"><title>${formatUtc(spans[index]!.from)}: today ${before[index]!}, proposed ${count}</title></rect>`,
  );
  // A path starts at a point: the first height is given with it.
  const path = before.map(
    (count, index) => `${index === 0 ? "M0 " : "V"}${y(count)} H${((index + 1) * wide).toFixed(3)} `,
  );
  const line = html`<path class="curve today" vector-effect="non-scaling-stroke" d="${trusted(path.join(""))}"/>`;
  const peak = (list: readonly number[]): string => formatCount(Math.max(0, ...list));
  const each = spanMs === 3_600_000 ? "an hour" : formatDuration(spanMs);
  const words = `${name}: today at most ${peak(before)} in ${each}, proposed at most ${peak(after)}`;
  const base = SPAN_HEIGHT + 10;
  const ticks = [0, Math.floor(spans.length / 2), spans.length - 1].map((index, place) =>
    tickAt(place * 50, base, formatUtc(spans[index]!.from).slice(5)),
  );
  return html`<h3>${words}</h3>${chart(`${words}.`, base + 26, [plot("bars", 10, SPAN_HEIGHT, [...bars, line]), baseLine(base), ...ticks])}`;
}
