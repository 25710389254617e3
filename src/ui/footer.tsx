// The last row: the keys that work now, the most useful first, as many as fit.

import { memo, type ReactNode } from "react";
import { fit, widthOf } from "./fit.ts";
import { Line, type Span } from "./line.tsx";
import { useTheme, type Theme } from "./theme.ts";

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
  readonly width: number;
}

export const Footer = memo(
  function Footer(props: FooterProps): ReactNode {
    return <Line spans={footerSpans(props, useTheme())} />;
  },
  (before, after) => before.width === after.width && text(before) === text(after),
);

function text({ keys, last }: FooterProps): string {
  return JSON.stringify([keys, last]);
}

/** The spans of the footer, `width` columns. */
export function footerSpans({ keys, last, width }: FooterProps, theme: Theme): Span[] {
  const between = ` ${theme.sign("separator")} `;
  const right = keySpans(last, theme);
  const rightWidth = spansWidth(right);
  const left = [{ text: " " }, ...keySpans(keys, theme, width - rightWidth - 4)];
  const gap = width - spansWidth(left) - rightWidth - 1;
  return gap < 0
    ? [{ text: fit(last.map(({ key, label }) => `${key} ${label}`).join(between), width) }]
    : [...left, { text: " ".repeat(gap) }, ...right, { text: " " }];
}

/** Keys and their labels in one line, the first ones that fit. */
export function keySpans(keys: readonly FooterKey[], theme: Theme, room: number = Infinity): Span[] {
  const between = ` ${theme.sign("separator")} `;
  const spans: Span[] = [];
  for (const [index, entry] of keys.entries()) {
    const more = entrySpans(entry, index === 0 ? "" : between);
    if (spansWidth(spans) + spansWidth(more) > room) break;
    spans.push(...more);
  }
  return spans;
}

function entrySpans({ key, label }: FooterKey, between: string): Span[] {
  return [
    { text: between, role: "quiet" },
    { text: key, role: "accent" },
    { text: ` ${label}`, role: "quiet" },
  ];
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + widthOf(span.text), 0);
}
