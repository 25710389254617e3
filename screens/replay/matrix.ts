// The flips as still tables: the matrix, three verdicts before by three now, and the money of each kind of flip. Pure.

import type { Comparison, FlipCell } from "#src/contract/records/flip.ts";
import { formatCount } from "#src/display/count.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import { cellId } from "#src/state/replay/run-findings.ts";
import { fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Row } from "#src/ui/rows.ts";
import type { StillTableProps } from "#src/ui/still-table.tsx";
import type { ReplayRenderOptions } from "./render-options.ts";

/** Columns of the longest verdict, and of a number. */
const VERDICT = 7;
const COLUMN = VERDICT + 1;

/**
 * The matrix, with the sums of its rows and columns where they are wanted.
 * @param marked id of the cell whose flips are listed: it is in brackets, for which each number keeps a column at its right
 */
export function matrixTable(
  { matrix }: Comparison,
  marked: string | null,
  withSums: boolean,
  width: number,
  { theme }: ReplayRenderOptions,
): StillTableProps {
  const cells = [matrix.slice(0, 3), matrix.slice(3, 6), matrix.slice(6)];
  const cell = (each: FlipCell): Span => {
    const { was, now, count } = each;
    const text = count === 0 ? theme.sign("zero") : formatCount(count);
    // Colour is for what changed: the diagonal and empty cells have none.
    const role = was === now || count === 0 ? "quiet" : VERDICTS[now].role;
    return marked === cellId(each) ? { text: `[${text}]`, role: "heading" } : { text: `${text} `, role };
  };
  const quiet = (text: string): Span => ({ text, role: "quiet" });
  const sum = (all: readonly FlipCell[]): Span =>
    quiet(`${formatCount(all.reduce((count, each) => count + each.count, 0))} `);
  const verdicts = cells.map(([first]) => verdictSpan(first!.was, theme.ascii));
  const title = (span: Span): Span => ({ ...span, text: `${span.text.padStart(COLUMN)} ` });
  const [headings, ...rows] = [
    [quiet("was / now"), ...verdicts.map(title), title(quiet("all"))],
    ...cells.map((row, index) => [verdicts[index]!, ...row.map(cell), sum(row)]),
    [quiet("all"), ...cells.map((_, column) => sum(cells.map((row) => row[column]!))), sum(matrix)],
  ];
  if (withSums) return { headings, rows, width };
  return { headings: headings.slice(0, -1), rows: rows.slice(0, -1).map((row) => row.slice(0, -1)), width };
}

/** Kinds of flips with their money: in EUR, about, where it is of several currencies. */
export function moneyTable(
  { matrix }: Comparison,
  width: number,
  { theme, unit }: ReplayRenderOptions,
): StillTableProps {
  const flips = matrix.filter(({ was, now, count }) => was !== now && count > 0);
  return {
    headings: ["Was", fit("  Now", VERDICT + 2), "Items ", "Money "].map((text) => ({ text, role: "quiet" })),
    rows: flips.map(({ was, now, count, money, eur }): Row => {
      const after = verdictSpan(now, theme.ascii);
      const worth = (money.length > 1 ? eurText(eur) : null) ?? moneyList(money, unit, 1);
      return [
        verdictSpan(was, theme.ascii),
        { ...after, text: `${theme.sign("arrow")} ${fit(after.text, VERDICT)}` },
        { text: `${formatCount(count)} ` },
        { text: `${worth} ` },
      ];
    }),
    width,
  };
}
