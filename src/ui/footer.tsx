// The last row: the keys that work now, the most useful first, as many as fit.

import { memo, type ReactNode } from "react";
import { fit, spansWidth } from "./fit.ts";
import { Line, type Span } from "./line.tsx";

export interface FooterKey {
  /** As shown, e.g. `Enter`. */
  readonly key: string;
  readonly label: string;
}

export interface FooterProps {
  /** Most important first. */
  readonly keys: readonly FooterKey[];
  /** At the right end, always shown: how to leave, or how to get help. */
  readonly last: readonly FooterKey[];
  /** The keys answer a question: none of them is cut while something else could go. */
  readonly isQuestion?: boolean;
  readonly width: number;
}

export const Footer = memo(
  function Footer(props: FooterProps): ReactNode {
    return <Line spans={footerSpans(props)} />;
  },
  (before, after) => before.width === after.width && text(before) === text(after),
);

function text({ keys, last }: FooterProps): string {
  return JSON.stringify([keys, last]);
}

/** Columns between two keys. */
const BETWEEN = "   ";

/** The spans of the footer, `width` columns. */
export function footerSpans({ keys, last, isQuestion = false, width }: FooterProps): Span[] {
  const isFull = spansWidth([...keySpans(keys), ...keySpans(last)]) > width - 5;
  const right = isQuestion && isFull ? [] : keySpans(last);
  const rightWidth = spansWidth(right);
  const left = [{ text: "  " }, ...keySpans(keys, width - rightWidth - 5)];
  const gap = width - spansWidth(left) - rightWidth - 1;
  return gap < 0
    ? [{ text: fit(last.map(({ key, label }) => `${key} ${label}`).join(BETWEEN), width) }]
    : [...left, { text: " ".repeat(gap) }, ...right, { text: " " }];
}

/** Keys and their labels in one line, the first ones that fit. */
export function keySpans(keys: readonly FooterKey[], room: number = Infinity): Span[] {
  const spans: Span[] = [];
  for (const [index, entry] of keys.entries()) {
    const more = entrySpans(entry, index === 0 ? "" : BETWEEN);
    if (spansWidth(spans) + spansWidth(more) > room) break;
    spans.push(...more);
  }
  return spans;
}

function entrySpans({ key, label }: FooterKey, between: string): Span[] {
  return [{ text: between }, { text: key, role: "heading" }, { text: ` ${label}`, role: "quiet" }];
}
