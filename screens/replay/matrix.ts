// The flips as still tables: the matrix, three verdicts before by three now, and the money of each kind of flip. Pure.

import type { Comparison, FlipCell } from "#src/contract/records/flip.ts";
import { cellRole, matrixRows } from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { cellId } from "#src/state/replay/run-findings.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Row } from "#src/ui/rows.ts";
import type { StillTableProps } from "#src/ui/still-table.tsx";
import type { ReplayRenderOptions } from "./render-options.ts";

/** Columns of a number: as wide as the longest verdict. */
const COLUMN = 8;

/**
 * The matrix, with the sums of its rows and columns where they are wanted.
 * @param marked id of the cell whose flips are listed: it is in brackets, for which each number keeps a column at its right
 */
export function matrixTable(
  comparison: Comparison,
  marked: string | null,
  withSums: boolean,
  width: number,
  { theme }: ReplayRenderOptions,
): StillTableProps {
  const rows = matrixRows(comparison);
  const number = (count: number): string => (count === 0 ? theme.sign("zero") : formatCount(count));
  const cell = (each: FlipCell): Span => {
    const text = number(each.count);
    return marked === cellId(each)
      ? { text: `[${text}]`, role: "heading" }
      : { text: `${text} `, role: cellRole(each) ?? "quiet" };
  };
  const sum = (cells: readonly FlipCell[]): Span => ({
    text: `${formatCount(cells.reduce((all, { count }) => all + count, 0))} `,
    role: "quiet",
  });
  const verdicts = rows.map(([first]) => verdictSpan(first!.was, theme.ascii));
  const sums = (spans: readonly Span[]): readonly Span[] => (withSums ? spans : []);
  return {
    headings: [
      { text: "was / now", role: "quiet" },
      ...verdicts.map((span) => ({ ...span, text: `${span.text.padStart(COLUMN)} ` })),
      ...sums([{ text: `${"all".padStart(COLUMN)} `, role: "quiet" }]),
    ],
    rows: [
      ...rows.map((cells, row) => [verdicts[row]!, ...cells.map(cell), ...sums([sum(cells)])]),
      ...(withSums
        ? [
            [
              { text: "all", role: "quiet" as const },
              ...rows.map((_, column) => sum(rows.map((cells) => cells[column]!))),
              sum(comparison.matrix),
            ],
          ]
        : []),
    ],
    width,
  };
}

/** Kinds of flips with their money: in EUR, about, where it is of several currencies. */
export function moneyTable(
  { matrix }: Comparison,
  width: number,
  { theme, unit }: ReplayRenderOptions,
): StillTableProps {
  const flips = matrix.filter(({ was, now, count }) => was !== now && count > 0);
  return {
    headings: ["Change", "Items ", "Money "].map((text) => ({ text, role: "quiet" })),
    rows: flips.map(({ was, now, count, money, eur }): Row => {
      const after = verdictSpan(now, theme.ascii);
      const worth = (money.length > 1 ? eurText(eur) : null) ?? moneyList(money, unit, 1);
      return [
        { ...after, text: `${verdictSpan(was, theme.ascii).text} ${theme.sign("arrow")} ${after.text}` },
        { text: `${formatCount(count)} ` },
        { text: `${worth} ` },
      ];
    }),
    width,
  };
}
