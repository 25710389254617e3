// The summary of a comparison as rows: changes, and the money of the flips. Pure.

import { addEur, addMoney, type Comparison } from "#src/contract/records/flip.ts";
import { changeLines } from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { bigText, bigTextWidth, halfText } from "#src/ui/big-text.ts";
import { AXIS, besideRows, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { fit, widthOf } from "#src/ui/fit.ts";

/** How many verdicts changed. */
export function changeRows(comparison: Comparison, width: number, { theme }: ReplayRenderOptions): Row[] {
  return changeLines(comparison).flatMap((line) => wrappedRows(line, width, AXIS, theme));
}

/** A sentence goes on below itself, so that none of its figures is cut. */
function wrappedRows(line: Row, width: number, indent: number, theme: Theme): Row[] {
  const [{ text, role } = { text: "" }, ...others] = line;
  if (others.length > 0) return [fitRow([{ text: fit("", indent) }, ...line], width, theme)];
  return textRows(text, width, theme, { indent, role: role ?? null, limit: 2 });
}

/** Width from which a dot of the number is about as wide as it is high. */
const WIDE = 80;
const GAP = 3;

/** The same with the new blocks as a big number, and what they were before. */
export function headlineRows(comparison: Comparison, width: number, options: ReplayRenderOptions): Row[] {
  const { newBlocks, matrix } = comparison;
  const { theme } = options;
  if (newBlocks === 0 || theme.ascii === "words") return changeRows(comparison, width, options);
  const [changed = [], blocks = [], ...others] = changeLines(comparison);
  const number = formatCount(newBlocks);
  // A long number leaves half the width to what stands beside it.
  const isWide = width >= WIDE && bigTextWidth(number, 2) <= width >> 1;
  const picture =
    isWide || theme.ascii ? bigText(number, isWide ? 2 : 1, theme.sign("barFull")) : halfText(number);
  const before = matrix
    .filter(({ was, now, count }) => now === "block" && was !== "block" && count > 0)
    .map(({ was, count }) => `${formatCount(count)} ${was === "pass" ? "had passed" : "were 3DS"}`);
  const room = width - AXIS - widthOf(picture[0]!) - GAP;
  const told: Row[] = [blocks, [{ text: before.join(", ") }]];
  const beside = told.flatMap((row) => wrappedRows(row, room, 0, theme));
  const big = picture.map((text): Row => [{ text, role: VERDICTS.block.role }]);
  const drawn = [
    { rows: big, width: widthOf(picture[0]!) },
    { rows: beside, width: room },
  ];
  return [changed, [], ...besideRows(drawn, GAP, theme), ...others].flatMap((row) =>
    wrappedRows(row, width, AXIS, theme),
  );
}

/** The money of all flips, or of those of one cell. */
export function flippedMoneyRows(
  { matrix }: Comparison,
  cell: { readonly was: string; readonly now: string } | null,
  width: number,
  options: ReplayRenderOptions,
): Row[] {
  const flipped = matrix.filter(({ was, now }) =>
    cell === null ? was !== now : was === cell.was && now === cell.now,
  );
  const money = addMoney(flipped.map((each) => each.money));
  if (money.length === 0) return [];
  const what = cell === null ? "Money that flipped" : "Money of this flip";
  const all = money.length > 1 ? eurText(addEur(flipped)) : null;
  const sums = `${what}: ${moneyList(money, options.unit)}${all === null ? "" : `, ${all}`}`;
  return textRows(sums, width, options.theme, { limit: 2 });
}
