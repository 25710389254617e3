// Which verdicts a stretch of checks got: a bar made of their own symbols, and the same in figures. Pure.

import type { Role } from "./style.ts";
import { VERDICT_KINDS, VERDICTS, type VerdictKind } from "./verdict.ts";

/** A share of the bar. */
export interface MixPart {
  readonly kind: VerdictKind;
  readonly count: number;
  /** The symbol of the verdict, once a column: readable without its colour. */
  readonly bar: string;
  /** Symbol and count: `✔ 120`. */
  readonly label: string;
  readonly role: Role;
}

/**
 * @param kinds one a check, in any order
 * @param width columns of the whole bar; every verdict that is there has at least one as far as there are so many
 * @returns those that are there, in the order of the vocabulary; their bars are `width` long together
 */
export function verdictMix(kinds: readonly VerdictKind[], width: number, ascii: boolean): MixPart[] {
  const counts = VERDICT_KINDS.map((kind) => ({
    kind,
    count: kinds.reduce((sum, each) => sum + Number(each === kind), 0),
  })).filter(({ count }) => count > 0);
  const columns = shares(
    counts.map(({ count }) => count),
    Math.max(0, Math.floor(width)),
  );
  return counts.map(({ kind, count }, index) => {
    const { symbol, ascii: plain, role } = VERDICTS[kind];
    const sign = ascii ? plain : symbol;
    return { kind, count, bar: sign.repeat(columns[index]!), label: `${sign} ${count}`, role };
  });
}

/** Columns in proportion, together `width`: one each at least, what is left over by the largest remainders. */
function shares(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0 || width <= counts.length) return counts.map((_, index) => (index < width ? 1 : 0));
  const exact = counts.map((count) => (count / total) * width);
  const columns = exact.map((share) => Math.max(1, Math.floor(share)));
  let rest = width - columns.reduce((sum, count) => sum + count, 0);
  // What the smallest were given comes from the one that is furthest above its share.
  for (; rest < 0; rest += 1) columns[furthest(columns, exact, 1)]! -= 1;
  for (; rest > 0; rest -= 1) columns[furthest(columns, exact, -1)]! += 1;
  return columns;
}

/** Where columns and shares differ most: above them with 1, below them with -1. */
function furthest(columns: readonly number[], exact: readonly number[], side: 1 | -1): number {
  let found = 0;
  for (const index of columns.keys()) {
    const distance = (at: number): number => side * (columns[at]! - exact[at]!);
    // Nothing that is there loses its last column.
    if (side === 1 && columns[index] === 1) continue;
    if ((side === 1 && columns[found] === 1) || distance(index) > distance(found)) found = index;
  }
  return found;
}
