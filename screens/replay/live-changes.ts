// What a running replay has changed so far, as rows: kinds of flips, new blocks, the rules that decide now, the latest flips. Pure.

import {
  CARRIED,
  WORST_FIRST,
  type Comparison,
  type Flip,
  type FlipCause,
  type FlipCell,
} from "#src/contract/records/flip.ts";
import { formatCount } from "#src/display/count.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatClock } from "#src/display/time.ts";
import { VERDICTS, verdictSign } from "#src/display/verdict.ts";
import type { LiveReplay } from "#src/state/replay/replays-state.ts";
import { fit, fitTail } from "#src/ui/fit.ts";
import { barRows, type Gauge } from "#src/ui/gauge.ts";
import { AXIS, besideRows, fillRows, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { changeRows } from "./change-rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

const CAUSES = 6;
/** Sentences on the changes: how many, new blocks, what was not compared. */
const SENTENCES = 3;

/** @param against what it is compared with, as a sentence @param isLow leaves blank rows and places that are kept free out, and has all below each other */
export function liveChanges(
  { progress }: LiveReplay,
  against: string,
  width: number,
  isLow: boolean,
  options: ReplayRenderOptions,
): Row[] {
  const { theme } = options;
  const head = textRows(against, width, theme, { limit: 2, role: "quiet" });
  if (progress === null || progress.comparison.compared === 0) {
    const begun = progress !== null && progress.summary.counts.total > 0;
    const text = begun
      ? "There is nothing to compare with so far."
      : "Changes are counted while answers arrive.";
    // What no payload has carried is not named as what they are compared with.
    const isCarried = begun && progress.comparison.baseline === CARRIED;
    return [...(isCarried ? [] : head), ...textRows(text, width, theme)];
  }
  const { comparison, latest } = progress;
  // A screen reader reads each new line aloud, several times a second.
  if (theme.ascii === "words") return [...head, ...changeRows(comparison, width, options)];
  const gap: Row[] = isLow ? [] : [[]];
  const sentences = changeRows(comparison, width, options);
  const kinds = flipGauges(comparison.matrix, isLow, theme);
  const last = latest.length === 0 ? [] : [...gap, heading("Latest")];
  const all = [...last, ...latest.map((flip) => latestRow(flip, width, options))];
  const rows = isLow
    ? [
        ...head,
        ...gaugeRows(kinds, width, theme),
        ...sentences.slice(0, SENTENCES),
        ...causeRows(comparison, width, theme).slice(0, 4),
        ...all,
      ]
    : [
        ...head,
        [],
        ...fillRows(sentences, width, SENTENCES),
        ...kindsAndCauses(kinds, comparison, width, theme),
        ...all,
      ];
  return rows.map((row) => fitRow(row, width, theme));
}

/** Beside the kinds, which are always as many, rules come without moving what is below. */
function kindsAndCauses(kinds: readonly Gauge[], comparison: Comparison, width: number, theme: Theme): Row[] {
  // Names of rules are long.
  const left = Math.floor(width * 0.4);
  const right = width - left - 1;
  const columns = [
    { rows: [heading("Flips"), ...gaugeRows(kinds, left, theme)], width: left },
    { rows: causeRows(comparison, right, theme), width: right },
  ];
  return besideRows(columns, 1, theme);
}

/** The rules below their heading. */
const causeRows = (comparison: Comparison, width: number, theme: Theme): Row[] =>
  causeBars(comparison, width, theme).slice(1);

/** `✔ → ✖`; in words `PASS to BLOCK`. @param around stands around the arrow, where it is a sign */
export function flipText({ was, now }: Pick<FlipCell, "was" | "now">, theme: Theme, around = " "): string {
  const gap = theme.ascii === "words" ? "" : around;
  return [was, now]
    .map((verdict) => verdictSign(verdict, theme.ascii) || VERDICTS[verdict].word)
    .join(gap + theme.sign("arrow") + gap);
}

/** Every kind of flip in its place; where rows are few those that there are. */
function flipGauges(matrix: readonly FlipCell[], isLow: boolean, theme: Theme): Gauge[] {
  const kinds = WORST_FIRST.map((kind) => ({
    ...kind,
    count: matrix.find(({ was, now }) => was === kind.was && now === kind.now)?.count ?? 0,
  }));
  const all = kinds.reduce((sum, { count }) => sum + count, 0);
  return kinds
    .filter(({ count }) => !isLow || count > 0)
    .map((kind) => ({
      label: flipText(kind, theme),
      share: kind.count / Math.max(1, all),
      value: kind.count === 0 ? theme.sign("zero") : formatCount(kind.count),
      role: kind.count === 0 ? "quiet" : VERDICTS[kind.now].role,
    }));
}

function heading(text: string): Row {
  return [{ text: `  ${text}`, role: "quiet" }];
}

/** The rules that decide the flips now, with a blank row and a heading above; none where they are not known. */
export function causeBars({ causes }: Comparison, width: number, theme: Theme): Row[] {
  const gauges = causeGauges(causes);
  if (gauges.length === 0) return [];
  const rows = [[], heading("Rule that decides now"), ...gaugeRows(gauges, width, theme)];
  return rows.map((row) => fitRow(row, width, theme));
}

/** The flips of each rule that decides now, the most first. */
function causeGauges(causes: readonly FlipCause[]): Gauge[] {
  const counts = new Map<string | null, number>();
  for (const { after, count } of causes) counts.set(after, (counts.get(after) ?? 0) + count);
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, CAUSES);
  const [[, most] = [null, 1]] = sorted;
  return sorted.map(([rule, count]) => ({
    label: safe(rule ?? "no rule"),
    share: count / most,
    value: formatCount(count),
  }));
}

function gaugeRows(gauges: readonly Gauge[], width: number, theme: Theme): Row[] {
  const rows = barRows(gauges, width - AXIS - 1, theme, width);
  return rows.map((row) => [{ text: fit("", AXIS) }, ...row]);
}

function latestRow(flip: Flip, width: number, { theme, unit }: ReplayRenderOptions): Row {
  const { at, request } = flip.after!;
  const now = flip.now!;
  const amount = formatMoney(request.amount, request.currency, unit);
  const label = flipText({ was: flip.was!, now }, theme);
  const before = `  ${formatClock(at)}  `;
  const room = width - before.length - label.length - amount.length - 5;
  return [
    { text: before },
    { text: label, role: VERDICTS[now].role },
    { text: `  ${fitTail(safe(flip.key, { max: 120 }), room, theme.sign("ellipsis"))}  ${amount}` },
  ];
}
