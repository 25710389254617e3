// The flip matrix: three verdicts before, three now; as a still table, or as rows of our own where it moves or room is short. Pure.

import type { Comparison, FlipCell, Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { formatMoney } from "#src/display/money.ts";
import { VERDICTS, verdictLabel } from "#src/display/verdict.ts";
import { cellId } from "#src/state/replay/run-findings.ts";
import { fit, widthOf } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { fitRow, type Row } from "#src/ui/rows.ts";
import type { StillTableProps } from "#src/ui/still-table.tsx";
import type { ReplayLook } from "./look.ts";

const ORDER: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];
const CORNER = "was / now";

/** Columns that a still table puts around its four cells, and before the first one. */
const AROUND = 15;

/** The matrix as ink-table draws it. @param marked id of the cell whose flips are listed */
export function matrixTable(
  comparison: Comparison,
  marked: string | null,
  width: number,
  look: ReplayLook,
): StillTableProps {
  const labels = ORDER.map((each) => label(each, look));
  const headings = [CORNER, ...labels.map((text) => `  ${text}`)];
  const fits = (texts: readonly (readonly string[])[]): boolean => {
    const rows = [headings, ...labels.map((text, row) => [text, ...texts[row]!])];
    const widths = headings.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))));
    return widths.reduce((sum, each) => sum + each, AROUND) <= width;
  };
  const texts = cells(comparison, marked, fits, look);
  return {
    headings,
    rows: labels.map((text, row) => [text, ...texts[row]!]),
    selected: null,
    width,
  };
}

/** The matrix in four rows of exactly `width` columns. */
export function matrixRows(
  comparison: Comparison,
  marked: string | null,
  width: number,
  look: ReplayLook,
): Row[] {
  const first = 1 + CORNER.length + 1;
  const room = Math.max(6, Math.min(26, Math.floor((width - first) / ORDER.length) - 1));
  const labels = ORDER.map((each) => label(each, look));
  const fits = (all: readonly (readonly string[])[]): boolean =>
    all.flat().every((each) => widthOf(each) <= room);
  const texts = cells(comparison, marked, fits, look);
  const cell = (text: string): string => `${fit(text, room, { ellipsis: look.theme.sign("ellipsis") })} `;
  const head: Row = [
    { text: ` ${fit(CORNER, CORNER.length)} `, role: "heading" },
    ...ORDER.map((now, column): Span => ({
      text: cell(`  ${labels[column]!}`),
      role: VERDICTS[now].role,
    })),
  ];
  const body = ORDER.map((was, row): Row => [
    { text: ` ${fit(labels[row]!, CORNER.length)} `, role: VERDICTS[was].role },
    ...ORDER.map((now, column): Span => {
      const { count } = cellOf(comparison, was, now);
      const role = was !== now && count > 0 ? VERDICTS[now].role : null;
      return { text: cell(texts[row]![column]!), role };
    }),
  ]);
  return [head, ...body].map((row) => fitRow(row, width, look.theme));
}

/**
 * The cells by row, then by column, the marked one with a pointer before it. Money stands beside the counts where all of
 * it fits: an amount that is cut would be another one.
 */
function cells(
  comparison: Comparison,
  marked: string | null,
  fits: (texts: readonly (readonly string[])[]) => boolean,
  look: ReplayLook,
): readonly (readonly string[])[] {
  const text = (was: Recommendation, now: Recommendation, withMoney: boolean): string => {
    const { count, money } = cellOf(comparison, was, now);
    const pointer = marked === cellId({ was, now }) ? look.theme.sign("pointer") : " ";
    const sum = withMoney && was !== now ? `  ${shortMoney(money, look.unit)}` : "";
    return `${pointer} ${count === 0 ? "-" : `${count}${sum}`}`.trimEnd();
  };
  const all = (withMoney: boolean): string[][] =>
    ORDER.map((was) => ORDER.map((now) => text(was, now, withMoney)));
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

function cellOf({ matrix }: Comparison, was: Recommendation, now: Recommendation): FlipCell {
  return matrix.find((cell) => cell.was === was && cell.now === now) ?? { was, now, count: 0, money: [] };
}

function label(verdict: Recommendation, { theme }: ReplayLook): string {
  return verdictLabel(verdict, theme.ascii);
}
