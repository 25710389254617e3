// Rows of a screen: spans cut and padded to exactly one width.

import { clip, fit, widthOf, wrapWords } from "./fit.ts";
import type { Span } from "./line.tsx";
import type { Theme } from "./theme.ts";

/** An area of the screen. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** One row of the screen; its texts are safe. */
export type Row = readonly Span[];

/** The spans in exactly `width` columns: the last ones are cut, what is left is padded. */
export function fitRow(spans: Row, width: number, theme: Theme): Row {
  const fitted: Span[] = [];
  let left = width;
  for (const span of spans) {
    const text = clip(span.text, left, theme.sign("ellipsis"));
    if (text !== "") fitted.push({ ...span, text });
    left -= widthOf(text);
  }
  return left > 0 ? [...fitted, { text: fit("", left) }] : fitted;
}

/** A text over as many rows as it needs, at most `limit`; indented by one column. */
export function textRows(
  text: string,
  width: number,
  theme: Theme,
  options: { readonly limit?: number; readonly role?: Span["role"]; readonly indent?: number } = {},
): Row[] {
  const { limit = Number.MAX_SAFE_INTEGER, role = null, indent = 1 } = options;
  const room = Math.max(1, width - indent - 1);
  const lines = wrapWords(text, room);
  const kept = lines.slice(0, limit);
  // What did not fit shows by the ellipsis that the cut leaves.
  if (lines.length > kept.length && kept.length > 0) {
    kept[kept.length - 1] = clip(lines.slice(kept.length - 1).join(" "), room, theme.sign("ellipsis"));
  }
  return kept.map((line) => fitRow([{ text: " ".repeat(indent) }, { text: line, role }], width, theme));
}

/** Exactly `height` rows: the rest is empty, what is too much is left out. */
export function fillRows(rows: readonly Row[], width: number, height: number): Row[] {
  const missing = Math.max(0, height - rows.length);
  return [
    ...rows.slice(0, Math.max(0, height)),
    ...Array.from({ length: missing }, () => [{ text: fit("", width) }]),
  ];
}
