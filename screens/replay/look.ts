// What the rows of the Replay screen have in common: verdicts, their mix, money, times. Pure.

import type { Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { RunCounts, RunResult, RunSummary } from "#src/contract/records/run.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { formatMoney } from "#src/display/money.ts";
import { formatTook, formatLatency } from "#src/display/time.ts";
import { VERDICTS, verdictKind, verdictLabel, type VerdictKind } from "#src/display/verdict.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface ReplayLook {
  readonly theme: Theme;
  /** Unit of amounts; the profile's. */
  readonly unit: AmountUnit;
  /** Local wall time in ms since the epoch. */
  readonly now: number;
  /** Folder of the data: the saved payloads in it are called so. */
  readonly data: string;
  /** Name of the profile in use. */
  readonly profile: string;
}

/** Verdicts and outcomes in the order in which they are counted on screen, with the name of their count. */
const COUNTED: readonly (readonly [VerdictKind, keyof RunCounts])[] = [
  ["pass", "pass"],
  ["3ds_or_block", "threeDs"],
  ["block", "block"],
  ["indeterminate", "indeterminate"],
  ["unknown", "unknown"],
  ["refused", "refused"],
  ["not_sent", "notSent"],
];

/** Symbol and word in the colour of the verdict; a dash for none. */
export function verdictSpan(verdict: VerdictKind | null, { theme }: ReplayLook): Span {
  if (verdict === null) return { text: "-" };
  return { text: verdictLabel(verdict, theme.ascii), role: VERDICTS[verdict].role };
}

export function resultKind(result: RunResult | null): VerdictKind {
  return verdictKind(result);
}

/** Sign of a verdict alone: `✔`. */
export function verdictSign(verdict: Recommendation, { theme }: ReplayLook): string {
  return theme.ascii ? VERDICTS[verdict].ascii : VERDICTS[verdict].symbol;
}

/** A bar of the signs of the verdicts, so that it says as much without colour. Exactly `width` columns. */
export function mixSpans(counts: RunCounts, width: number, { theme }: ReplayLook): Span[] {
  const shares = barShares(
    COUNTED.map(([, name]) => counts[name]),
    width,
  );
  const bar = COUNTED.map(([kind], index): Span => {
    const sign = theme.ascii ? VERDICTS[kind].ascii : VERDICTS[kind].symbol;
    return { text: sign.repeat(shares[index]!), role: VERDICTS[kind].role };
  });
  const taken = shares.reduce((sum, each) => sum + each, 0);
  return [...bar.filter(({ text }) => text !== ""), { text: " ".repeat(Math.max(0, width - taken)) }];
}

/** Columns for each count: what is there is seen, and the rest is shared by size. A width below the kinds that there are does not do. */
export function barShares(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, each) => sum + each, 0);
  if (total === 0) return counts.map(() => 0);
  const room = Math.max(0, width - counts.filter((count) => count > 0).length);
  const shares = counts.map((count) => (count === 0 ? 0 : 1 + Math.floor((count / total) * room)));
  // What rounding left over belongs to the largest.
  const rest = width - shares.reduce((sum, each) => sum + each, 0);
  const largest = counts.indexOf(Math.max(...counts));
  return shares.map((share, index) => (index === largest ? Math.max(0, share + rest) : share));
}

/** `✔ 30 PASS  ✖ 6 BLOCK`, those that there are, over as many rows as they need. */
export function countRows(counts: RunCounts, width: number, { theme }: ReplayLook): Row[] {
  const present = COUNTED.filter(([, name]) => counts[name] > 0);
  if (present.length === 0) return [fitRow([{ text: " nothing yet" }], width, theme)];
  const rows: Span[][] = [[]];
  let left = width;
  for (const [kind, name] of present) {
    const { symbol, ascii, word, role } = VERDICTS[kind];
    const text = `${theme.ascii ? ascii : symbol} ${counts[name]} ${word}`;
    const row = rows.at(-1)!;
    const before = row.length === 0 ? " " : "  ";
    if (row.length > 0 && before.length + widthOf(text) > left) {
      rows.push([{ text: " " }, { text, role }]);
      left = width - 1 - widthOf(text);
    } else {
      row.push({ text: before }, { text, role });
      left -= before.length + widthOf(text);
    }
  }
  return rows.map((row) => fitRow(row, width, theme));
}

/** `p50 12 ms  p95 30 ms  p99 41 ms`. */
export function latencyText({ latencies }: RunSummary): string {
  if (latencies === null) return "no latency yet";
  const { p50, p95, p99 } = latencies;
  return `p50 ${formatLatency(p50)}  p95 ${formatLatency(p95)}  p99 ${formatLatency(p99)}`;
}

/** `40 items in 2 s, 17.4/s`. */
function paceText({ counts, durationMs, ratePerS }: RunSummary): string {
  const rate = ratePerS === null ? "" : `, ${rateText(ratePerS)}`;
  return `${counts.total} ${counts.total === 1 ? "item" : "items"} in ${formatTook(durationMs)}${rate}`;
}

/** Pace and latency, on one row where they fit. */
export function paceRows(summary: RunSummary, width: number, { theme }: ReplayLook): Row[] {
  const [pace, latency] = [paceText(summary), latencyText(summary)];
  const both = `${pace}; ${latency}`;
  const lines = widthOf(both) + 2 <= width ? [both] : [pace, latency];
  return lines.flatMap((line) => textRows(line, width, theme, { limit: 1 }));
}

export function rateText(perS: number): string {
  return `${perS >= 100 ? Math.round(perS) : perS.toFixed(1)}/s`;
}

/** Sums of money, one a currency. */
export function moneyText(money: readonly Money[], unit: AmountUnit): string {
  return money.map(({ amount, currency }) => formatMoney(amount, currency, unit)).join(", ");
}

/** Sums of several cells as one list, in the order in which a currency is first met. */
export function addMoney(lists: readonly (readonly Money[])[]): Money[] {
  const sums = new Map<number | null, bigint>();
  for (const { currency, amount } of lists.flat()) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

/** `3 lines rejected, 2 expectations failed`; empty when nothing went wrong. */
export function wrongText({ rejected, expectationsFailed }: RunSummary): string {
  return [
    ...(expectationsFailed === 0
      ? []
      : [`${expectationsFailed} ${expectationsFailed === 1 ? "expectation" : "expectations"} failed`]),
    ...(rejected === 0 ? [] : [`${rejected} ${rejected === 1 ? "line" : "lines"} rejected`]),
  ].join(", ");
}
