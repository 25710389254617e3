// Latencies and verdicts of the latest checks, in two rows. Pure.

import { isCredentialTest, type HistoryEntry } from "#src/contract/records/history-entry.ts";
import { formatCount } from "#src/display/count.ts";
import type { Ascii } from "#src/display/sign.ts";
import { measured, sparkline } from "#src/ui/sparkline.ts";
import { formatLatency } from "#src/display/time.ts";
import { countKinds, verdictMix, type KindCount } from "#src/display/verdict-mix.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { spansWidth, widthOf } from "./fit.ts";
import type { Span } from "./line.tsx";
import type { Theme } from "./theme.ts";

export interface Stretch {
  /** Newest first, or in another order; only those in memory, so that the cost does not grow with the history. */
  readonly entries: readonly Pick<HistoryEntry, "id" | "at" | "request" | "result">[];
  /** The entry that is being sent has no outcome yet, and is left out. */
  readonly sendingId: string | null;
  /** The label of these checks, before their number. */
  readonly scope: "All" | "Last" | "These";
}

/** Rows of the strip. */
export const STRIP_ROWS = 2;

/** Columns of the labels. */
const LABEL = 12;
/** Longest bar. */
const BAR_MOST = 40;
const BAR_LEAST = 4;
/** Shares of fewer checks say no more than their counts. */
const SHARES_FROM = 10;

/** Two rows at most `width` columns wide; none where nothing has an outcome. */
export function stripRows({ entries, sendingId, scope }: Stretch, width: number, theme: Theme): Span[][] {
  const { ascii } = theme;
  const settled = entries.filter((entry) => entry.id !== sendingId && !isCredentialTest(entry));
  if (settled.length === 0) return [];
  if (ascii === "words") {
    const mix = verdictMix(countKinds(settled.map(({ result }) => verdictKind(result))), 0, ascii);
    return [
      [{ text: `${scope} ${formatCount(settled.length)}: ${mix.map(({ label }) => label).join(", ")}` }],
    ];
  }
  return [
    latencyRow(settled, width, ascii),
    mixRow(settled, `${scope} ${formatCount(settled.length)}`, width, theme),
  ];
}

function latencyRow(entries: Stretch["entries"], width: number, ascii: Ascii): Span[] {
  const byTime = entries.toReversed().toSorted((one, other) => one.at - other.at);
  const oldestFirst = byTime.map(({ result }) => result?.latencyMs ?? null);
  const room = width - LABEL;
  const figures = (drawn: number): string => {
    const known = measured(drawn === 0 ? oldestFirst : oldestFirst.slice(-drawn));
    if (known === null) return "no answer";
    const { median, most } = known;
    const whole = `${formatLatency(median)} median, ${formatLatency(most)} most`;
    return widthOf(whole) <= room ? whole : `${formatLatency(median)} median`;
  };
  const bars = Math.max(0, Math.min(BAR_MOST, room - FIGURES));
  const highest = measured(oldestFirst.slice(-bars))?.p95;
  const line = bars < BAR_LEAST ? "" : sparkline(oldestFirst, bars, ascii !== false, highest);
  const text = `${line === "" ? "" : `${line} `}${figures(line.length)}`;
  return [named("Latency"), { text: cut(text, room) }];
}

/** `9999 ms median, 12345.6 s most`, with a space before it. */
const FIGURES = 28;

function mixRow(entries: Stretch["entries"], scope: string, width: number, theme: Theme): Span[] {
  const kinds = countKinds(entries.map(({ result }) => verdictKind(result)));
  const room = width - LABEL;
  const labels = verdictMix(kinds, 0, theme.ascii);
  const bar = Math.min(
    BAR_MOST,
    labels.reduce((left, { label }) => left - 1 - widthOf(label), room),
  );
  const hasBar = entries.length >= SHARES_FROM && bar >= Math.max(BAR_LEAST, labels.length);
  return [named(scope), ...mixSpans(kinds, hasBar ? bar : 0, room, theme)];
}

/**
 * The verdicts as a line in their colours, and behind it the counts that there is room for; without colour the counts alone.
 * Exactly `width` columns.
 */
export function mixSpans(kinds: readonly KindCount[], bar: number, width: number, theme: Theme): Span[] {
  const parts = verdictMix(kinds, theme.color ? bar : 0, theme.ascii);
  const spans = parts.filter((part) => part.bar !== "").map(({ bar: text, role }): Span => ({ text, role }));
  let left = width - spansWidth(spans);
  for (const { label, role } of parts) {
    const text = spans.length === 0 ? label : ` ${label}`;
    // Never cut a number.
    const isCut = widthOf(text) > left;
    const shown = isCut ? (left > 1 ? ` ${theme.sign("ellipsis")}` : "") : text;
    spans.push({ text: shown, role: isCut ? "quiet" : role });
    left -= widthOf(shown);
    if (isCut) break;
  }
  return [...spans, { text: " ".repeat(Math.max(0, left)) }];
}

function named(text: string): Span {
  return { text: `  ${text}`.padEnd(LABEL).slice(0, LABEL), role: "quiet" };
}

function cut(text: string, width: number): string {
  return text.slice(0, Math.max(0, width));
}
