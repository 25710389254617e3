// The selected row of a list: where a move takes it, and where it goes when the rows change. Pure.

import { isFalling, type ListMove, type Sort } from "#src/contract/records/list-sort.ts";

export type { ListMove } from "#src/contract/records/list-sort.ts";

/** The index after a move, kept inside the list; 0 for an empty list. @param at -1 where no row is selected */
export function movedIndex(at: number, move: ListMove, count: number): number {
  const last = Math.max(0, count - 1);
  if (typeof move === "string") return move === "first" ? 0 : last;
  return Math.min(Math.max(0, at + move), last);
}

/** Where the selected row is; the first where none is. */
export function selectedAt<T>(rows: readonly T[], isSelected: (row: T) => boolean): number {
  return Math.max(0, rows.findIndex(isSelected));
}

/** The row after a move; null in an empty list. */
export function movedRow<T>(rows: readonly T[], isSelected: (row: T) => boolean, move: ListMove): T | null {
  return rows[movedIndex(rows.findIndex(isSelected), move, rows.length)] ?? null;
}

/**
 * The row that is selected once a list has changed: the same one, else the one that took its place, else the last.
 * @param before the rows until now; the first row is selected where none of them was
 */
export function keptRow<T>(
  rows: readonly T[],
  before: readonly T[],
  isSelected: (row: T) => boolean,
): T | null {
  return rows.find(isSelected) ?? rows[movedIndex(before.findIndex(isSelected), 0, rows.length)] ?? null;
}

/** By the next column, or the same one the other way round. */
export function changedSort<By extends string>(
  orders: readonly By[],
  { by, turned }: Sort<By>,
  how: "next" | "turned",
): Sort<By> {
  return how === "next" ? { by: nextAround(orders, by, 1) ?? by, turned: false } : { by, turned: !turned };
}

/** The rows in the order of a column; those without a value come last. @param read the value of a row in that column */
export function sortedRows<T>(
  rows: readonly T[],
  sort: Sort,
  read: (row: T) => number | string | null | undefined,
): T[] {
  const sign = isFalling(sort) ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [value, next] = [read(one) ?? null, read(other) ?? null];
    if (value === next) return 0;
    return value === null ? 1 : next === null ? -1 : value < next ? -sign : sign;
  });
}

/** The entry that follows one, or precedes it, around the ends. @returns null for an empty list */
export function nextAround<T>(all: readonly T[], at: T, step: 1 | -1): T | null {
  return all.at((all.indexOf(at) + step) % all.length) ?? null;
}
