// Parts of every chart: inline SVG in percent of the width.

import { html, type Markup } from "./markup.ts";

/** A chart as wide as there is room, with words for those who do not see it. */
export function chart(words: string, height: number, content: readonly Markup[]): Markup {
  return html`<svg width="100%" height="${height}" role="img" aria-label="${words}">${content}</svg>`;
}

/** An area of a chart whose width and height are 100 units each. */
export function plot(words: string, top: number, height: number, content: readonly Markup[]): Markup {
  return html`<svg class="plot" x="0" y="${top}" width="100%" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none" aria-label="${words}">${content}</svg>`;
}

/** The lower axis of a chart. */
export function baseLine(y: number): Markup {
  return html`<line class="tick" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

/** A tick of a lower axis with its words, those at the ends inwards. @param at in percent of the width */
export function tickAt(at: number, base: number, words: string): Markup {
  const [x, anchor] = [`${at.toFixed(3)}%`, at < 8 ? "start" : at > 92 ? "end" : "middle"];
  return html`<line class="tick" x1="${x}" x2="${x}" y1="${base}" y2="${base + 5}"/><text x="${x}" y="${base + 19}" text-anchor="${anchor}">${words}</text>`;
}

/** A line down to the axis with words at its top, on the side with more room. @param at in percent of the width */
export function markAt(at: number, y: number, base: number, words: string): Markup {
  const x = `${at.toFixed(3)}%`;
  const [anchor, dx] = at > 50 ? (["end", -5] as const) : (["start", 5] as const);
  return html`<line class="mark" x1="${x}" x2="${x}" y1="${y - 10}" y2="${base}"/><text class="mark-text" x="${x}" y="${y}" text-anchor="${anchor}" dx="${dx}">${words}</text>`;
}
