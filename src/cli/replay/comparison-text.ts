// A comparison as text: the matrix of verdicts before and after, what changed in one line, and the flips, worst first.

import stringWidth from "string-width";
import { tableLines } from "#src/cli/table-lines.ts";
import { layOut } from "#src/cli/table.ts";
import { CARRIED, type Comparison, type FlipCause, type FlipCell } from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import {
  causeText,
  cellRole,
  changeLines,
  matrixRows,
  notCompared,
  nothingCompared,
} from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { paintSpans, type RoleSpan } from "#src/display/span.ts";
import type { Style } from "#src/display/style.ts";
import { paintedVerdict, VERDICTS, verdictLabel } from "#src/display/verdict.ts";
import { flipTable, groupTables, sums } from "#src/replay/reports/comparison-parts.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";

const FLIPS_SHOWN = 20;
const GROUPS_SHOWN = 10;
/** A column of the matrix is at least as wide as this. */
const CELL_WIDTH = 10;

/** How a comparison of something else than two runs of one project is told. */
export interface ComparisonWords {
  /** Instead of the heading; it must be safe already. */
  readonly title?: readonly string[];
  /** Says why a verdict changed, as a line below it. */
  readonly showsWhy?: boolean;
  /** What else is known of a cause. */
  readonly note?: (cause: FlipCause) => string | null;
  /** Names those that were blocked and are not any more beside new blocks. */
  readonly showsReleased?: boolean;
}

/** The heading of a comparison, with where both sides were sent unless it is the same place. */
export function runsTitle(
  { baseline, run }: Pick<Comparison, "baseline" | "run">,
  earlier: RunInfo | null,
  later: RunInfo | null,
  style: Style,
): string[] {
  const heading = style.paint("heading", `Run ${safe(run)} compared with ${safe(baseline)}`);
  if (earlier === null || later === null || placeOf(earlier) === placeOf(later)) return [heading];
  return [heading, `  was ${safe(placeOf(earlier))}, now ${safe(placeOf(later))}`];
}

/**
 * The lines of a comparison, indented by two blanks below their headings.
 * @param amountUnit unit of the later run's amounts
 * @param columns width of the terminal; the matrix becomes a list where it does not fit
 */
export function comparisonLines(
  comparison: Comparison,
  amountUnit: AmountUnit,
  style: Style,
  columns: number,
  words: ComparisonWords = {},
): string[] {
  const { baseline, compared } = comparison;
  const title = words.title ?? runsTitle(comparison, null, null, style);
  const painted = (lines: RoleSpan[][]): string[] => lines.map((line) => `  ${paintSpans(line, style)}`);
  if (compared === 0) {
    const hint = baseline === CARRIED ? " Name a run to compare with." : "";
    return [...title, `  ${nothingCompared(comparison)}${hint}`, ...painted(notCompared(comparison))];
  }
  const groups = groupTables(comparison, (cause) =>
    [causeText(cause), words.note?.(cause) ?? null].filter((text) => text !== null).join("; "),
  );
  return [
    ...title,
    "",
    ...matrixLines(comparison, amountUnit, style, columns),
    "",
    ...painted(changeLines(comparison, words.showsReleased)),
    ...groups.flatMap((table) =>
      tableLines(table, GROUPS_SHOWN, { style, columns }, { rest: "more groups" }),
    ),
    ...tableLines(
      flipTable(comparison, amountUnit, createPrivacy(true)),
      FLIPS_SHOWN,
      { style, columns },
      { rest: "more; --json or --report html=FILE lists them", showsWhy: words.showsWhy ?? false },
    ),
  ];
}

function matrixLines(comparison: Comparison, unit: AmountUnit, style: Style, columns: number): string[] {
  const rows = matrixRows(comparison);
  const { spoken } = style;
  const heads = [
    spoken ? "Before" : `was ${style.symbol(SIGN.down)} now ${style.symbol(SIGN.arrow)}`,
    ...rows[0]!.map(({ now }) => {
      const label = verdictLabel(now, style.ascii);
      return style.paint(VERDICTS[now].role, spoken ? `Now ${label}` : label.padStart(CELL_WIDTH));
    }),
  ];
  const cells = rows.flatMap((row) => {
    const columns = row.map((cell) => {
      const count = cell.count === 0 ? style.symbol(SIGN.note) : formatCount(cell.count);
      const lines = [paintSpans([{ text: count, role: cellRole(cell) }], style), ...sums(cell, unit)];
      return spoken ? [lines.join(", ")] : lines;
    });
    return Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, line) => [
      line === 0 ? paintedVerdict(row[0]!.was, style) : "",
      ...columns.map((lines) => lines[line] ?? ""),
    ]);
  });
  const [head, ...lines] = layOut(style, heads, cells, [1, 2, 3]);
  if (spoken) return [head!, ...lines].map((line) => `  ${line}`.trimEnd());
  const width = Math.max(...[head!, ...lines].map((line) => stringWidth(line)));
  if (width + 2 > columns) return listedCells(comparison.matrix, unit, style, columns);
  return [head, style.symbol(SIGN.horizontal).repeat(width), ...lines].map((line) => `  ${line}`);
}

/** For a narrow terminal, or sums of many digits: one line for each cell that is not empty. */
function listedCells(matrix: readonly FlipCell[], unit: AmountUnit, style: Style, columns: number): string[] {
  const filled = matrix.filter(({ count }) => count > 0);
  const rows = filled.map((cell) => [
    { verdict: cell.was },
    { verdict: cell.now },
    formatCount(cell.count),
    sums(cell, unit).join(", "),
  ]);
  const heads = ["Before", "Now", "Payments", ["Worth", "name"]] as const;
  return tableLines({ title: "", heads, rows }, rows.length, { style, columns }).slice(2);
}
