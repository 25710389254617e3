// What a comparison adds up to: how many items changed how, and the money behind the flips. Pure.

import type { Comparison } from "#src/contract/records/flip.ts";
import { textRows, type Row } from "#src/ui/rows.ts";
import { addMoney, moneyText, type ReplayLook } from "./look.ts";

/** `36 unchanged · 4 flipped (10.0 %) · 1 failed`, over as many rows as it needs. */
export function changeRows(comparison: Comparison, width: number, look: ReplayLook): Row[] {
  const { changes, compared, newBlocks } = comparison;
  const dot = ` ${look.theme.sign("separator")} `;
  const share = compared === 0 ? "" : ` (${((changes.flipped / compared) * 100).toFixed(1)} %)`;
  const parts = [
    `${changes.unchanged} unchanged`,
    `${changes.flipped} flipped${share}`,
    ...(newBlocks > 0 ? [`${newBlocks} newly blocked`] : []),
    ...(changes.failed > 0 ? [`${changes.failed} without a verdict on one side`] : []),
    ...(changes.new > 0 ? [`${changes.new} new`] : []),
    ...(changes.missing > 0 ? [`${changes.missing} missing`] : []),
  ];
  return textRows(parts.join(dot), width, look.theme, { limit: 2, role: flipRole(comparison) });
}

/** The money of every flip, or of those of one cell. */
export function flippedMoneyRows(
  { matrix }: Comparison,
  cell: { readonly was: string; readonly now: string } | null,
  width: number,
  look: ReplayLook,
): Row[] {
  const flipped = matrix.filter(({ was, now }) =>
    cell === null ? was !== now : was === cell.was && now === cell.now,
  );
  const money = addMoney(flipped.map((each) => each.money));
  if (money.length === 0) return [];
  const what = cell === null ? "Money that flipped" : "Money of this flip";
  return textRows(`${what}: ${moneyText(money, look.unit)}`, width, look.theme, { limit: 2 });
}

export function flipRole({ changes }: Comparison): "warning" | "pass" | null {
  if (changes.flipped > 0) return "warning";
  return changes.unchanged > 0 ? "pass" : null;
}
