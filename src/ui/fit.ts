// Text in columns: measuring, cutting, padding and wrapping, and the visible window of a list.

import stringWidth from "string-width";
import { graphemeSegments } from "#src/display/graphemes.ts";
import { isNarrow } from "./lean-text.ts";

/** For a screen reader, which hears whole sentences: two blanks end a column. */
let isHeard = false;

/** Whether nothing is cut or wrapped from now on; set before the first frame. */
export function keepWhole(whole: boolean): void {
  isHeard = whole;
}

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return isNarrow(text) ? text.length : stringWidth(text);
}

/** Columns of texts in a row. */
export function spansWidth(spans: readonly { readonly text: string }[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/**
 * The text in exactly `width` columns: padded, or cut with an ellipsis in its last column.
 * @param options.align left by default
 * @param options.ellipsis shown for the part cut away; one column wide
 */
export function fit(
  text: string,
  width: number,
  options: { readonly align?: "left" | "right"; readonly ellipsis?: string } = {},
): string {
  if (isHeard) return `  ${text}  `;
  if (width <= 0) return "";
  const cut = clip(text, width, options.ellipsis);
  const padding = " ".repeat(width - widthOf(cut));
  if (options.align === "right") return padding + cut;
  const fitted = cut + padding;
  // Some letters, such as U+0D4E, form one grapheme with the space behind them.
  return fitted + " ".repeat(width - widthOf(fitted));
}

/** The text in at most `width` columns, not padded. */
export function clip(text: string, width: number, ellipsis: string = "…"): string {
  if (isHeard) return text;
  if (width <= 0) return "";
  if (isNarrow(text)) return text.length <= width ? text : text.slice(0, width - 1) + ellipsis;
  if (widthOf(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const grapheme of graphemes(text)) {
    const next = widthOf(grapheme);
    if (taken + next > width - 1) break;
    kept += grapheme;
    taken += next;
  }
  return kept + ellipsis;
}

/** Grapheme clusters. */
export function graphemes(text: string): string[] {
  if (isNarrow(text)) return text.split("");
  return Array.from(graphemeSegments(text), ({ segment }) => segment);
}

/**
 * The text in exactly `width` columns; a longer one loses its start, for order ids and project keys, which differ at
 * their end. The text must be safe.
 */
export function fitTail(text: string, width: number, ellipsis: string): string {
  if (isHeard || widthOf(text) <= width) return fit(text, width);
  let kept = "";
  for (const grapheme of graphemes(text).reverse()) {
    if (widthOf(grapheme + kept) >= width) break;
    kept = grapheme + kept;
  }
  return fit(ellipsis + kept, width);
}

/** A blank where a line may end: not between the digits of a number, nor in front of its currency or unit. */
const BREAK = / (?<!\d (?=\d{3}(?!\d)|[A-Z]{3}(?!\w)|(?:ms|s|min|h|days?|%)(?!\w)))/;

const wordsOf = (text: string, width: number): string[] =>
  text.split(BREAK).flatMap((word) => (widthOf(word) > width ? word.split(" ") : word));

/** Words of a text on lines of at most `width` columns; a longer word is cut. */
export function wrapWords(text: string, width: number): string[] {
  if (isHeard) return text.split("\n");
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of wordsOf(paragraph, width)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (widthOf(longer) <= width) {
        line = longer;
      } else {
        if (line !== "") lines.push(line);
        line = clip(word, width);
      }
    }
    lines.push(line);
  }
  return lines;
}

/** At most `limit` of the lines of a text: the cut leaves an ellipsis, and behind it `tail`. */
export function clipLines(
  lines: readonly string[],
  limit: number,
  width: number,
  ellipsis: string,
  tail: string = "",
): readonly string[] {
  if (limit <= 0) return [];
  if (lines.length <= limit && tail === "") return lines;
  const room = Math.max(1, width - widthOf(tail));
  return [...lines.slice(0, limit - 1), clip(lines.slice(limit - 1).join(" "), room, ellipsis) + tail];
}

export interface Window {
  /** First visible row. */
  readonly from: number;
  /** One behind the last visible row. */
  readonly to: number;
}

/**
 * The rows of a list that are visible, so that the selected one is among them.
 * @param before first row of the last window, which moves as little as possible; without it the selected row is centred
 */
export function window(count: number, height: number, selected: number, before?: number): Window {
  const size = Math.max(0, Math.min(count, height));
  const last = count - size;
  const wanted = before ?? selected - Math.floor(size / 2);
  const holding = Math.min(Math.max(wanted, selected - size + 1), Math.max(0, selected));
  const from = Math.min(Math.max(0, holding), last);
  return { from, to: from + size };
}

/** Like `wrapWords`, but a longer word is split. @param width columns; a character wider than a line gets its own */
export function wrap(text: string, width: number): string[] {
  if (isHeard) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of wordsOf(text, width).flatMap((each) => pieces(each, width))) {
    if (word.starts && line !== "" && widthOf(line) + 1 + widthOf(word.text) <= width) {
      line += ` ${word.text}`;
    } else {
      if (line !== "") lines.push(line);
      line = word.text;
    }
  }
  lines.push(line);
  return lines;
}

interface Piece {
  readonly text: string;
  /** False for the rest of a word that was too long. */
  readonly starts: boolean;
}

function pieces(word: string, width: number): Piece[] {
  if (widthOf(word) <= width) return [{ text: word, starts: true }];
  const found: Piece[] = [];
  let part = "";
  for (const grapheme of graphemes(word)) {
    if (widthOf(part + grapheme) > width) {
      found.push({ text: part, starts: found.length === 0 });
      part = "";
    }
    part += grapheme;
  }
  return [...found, { text: part, starts: found.length === 0 }];
}
