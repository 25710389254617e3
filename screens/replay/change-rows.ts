// The summary of a comparison as rows: changes, and the money of the flips. Pure.

import { addEur, addMoney, type Comparison } from "#src/contract/records/flip.ts";
import { changeLines } from "#src/display/comparison-lines.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { AXIS, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { fit } from "#src/ui/fit.ts";

/** How many verdicts changed. */
export function changeRows(comparison: Comparison, width: number, { theme }: ReplayRenderOptions): Row[] {
  return changeLines(comparison).map((line) => fitRow([{ text: fit("", AXIS) }, ...line], width, theme));
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
