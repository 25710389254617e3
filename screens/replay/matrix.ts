// The flip matrix, three verdicts before by three now: as a still table, or as rows while it changes or in a small area. Pure.

import type { Comparison, FlipCell, Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { cellRole, matrixRows } from "#src/display/comparison-lines.ts";
import { formatMoney } from "#src/display/money.ts";
import { verdictLabel, VERDICTS } from "#src/display/verdict.ts";
import { cellId } from "#src/state/replay/run-findings.ts";
import { fit, widthOf } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, fitRow, type Row } from "#src/ui/rows.ts";
import type { StillTableProps } from "#src/ui/still-table.tsx";
import type { ReplayRenderOptions } from "./render-options.ts";

const ORDER: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];
const CORNER = "was / now";

/** Columns that a still table puts around its four cells, and before the first one. */
const AROUND = 10;

/** The matrix as ink-table draws it. @param marked id of the cell whose flips are listed */
export function matrixTable(
  comparison: Comparison,
  marked: string | null,
  width: number,
  options: ReplayRenderOptions,
): StillTableProps {
  const labels = ORDER.map((each) => label(each, options));
  const headings = [CORNER, ...labels.map((text) => `  ${text}`)];
  const fits = (texts: readonly (readonly string[])[]): boolean => {
    const rows = [headings, ...labels.map((text, row) => [text, ...texts[row]!])];
    const widths = headings.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))));
    return widths.reduce((sum, each) => sum + each, AROUND) <= width;
  };
  const texts = cells(comparison, marked, fits, options);
  return {
    headings,
    rows: labels.map((text, row) => [text, ...texts[row]!]),
    selected: null,
    width,
  };
}

/** The matrix in four rows of exactly `width` columns. */
export function matrixGrid(
  comparison: Comparison,
  marked: string | null,
  width: number,
  options: ReplayRenderOptions,
): Row[] {
  const first = AXIS + CORNER.length + 1;
  const room = Math.max(6, Math.min(26, Math.floor((width - first) / ORDER.length) - 1));
  const labels = ORDER.map((each) => label(each, options));
  const fits = (all: readonly (readonly string[])[]): boolean =>
    all.flat().every((each) => widthOf(each) <= room);
  const texts = cells(comparison, marked, fits, options);
  const cell = (text: string): string => `${fit(text, room, { ellipsis: options.theme.sign("ellipsis") })} `;
  const rows = matrixRows(comparison);
  const head: Row = [
    { text: `  ${fit(CORNER, CORNER.length)} `, role: "quiet" },
    ...ORDER.map((now, column): Span => ({
      text: cell(`  ${labels[column]!}`),
      role: VERDICTS[now].role,
    })),
  ];
  const body = ORDER.map((was, row): Row => [
    { text: `  ${fit(labels[row]!, CORNER.length)} `, role: VERDICTS[was].role },
    ...rows[row]!.map((each, column): Span => ({ text: cell(texts[row]![column]!), role: cellRole(each) })),
  ]);
  return [head, ...body].map((row) => fitRow(row, width, options.theme));
}

/**
 * The cells by row, then by column, the marked one with a pointer. Money is shown beside the counts only if all of
 * it fits: amounts are never cut.
 */
function cells(
  comparison: Comparison,
  marked: string | null,
  fits: (texts: readonly (readonly string[])[]) => boolean,
  options: ReplayRenderOptions,
): readonly (readonly string[])[] {
  const text = ({ was, now, count, money }: FlipCell, withMoney: boolean): string => {
    const pointer = marked === cellId({ was, now }) ? options.theme.sign("pointer") : " ";
    const sum = withMoney && was !== now ? `  ${shortMoney(money, options.unit)}` : "";
    return `${pointer} ${count === 0 ? options.theme.sign("zero") : `${count}${sum}`}`.trimEnd();
  };
  const all = (withMoney: boolean): string[][] =>
    matrixRows(comparison).map((row) => row.map((each) => text(each, withMoney)));
  const full = all(true);
  return fits(full) ? full : all(false);
}

/** The sum in the currency of most items, and how many other currencies there are. */
function shortMoney(money: readonly Money[], unit: AmountUnit): string {
  const [first, ...others] = money;
  if (first === undefined) return "";
  const text = formatMoney(first.amount, first.currency, unit);
  return others.length === 0 ? text : `${text} +${others.length}`;
}

function label(verdict: Recommendation, { theme }: ReplayRenderOptions): string {
  return verdictLabel(verdict, theme.ascii);
}
