// The share of each verdict among some checks: its part of a bar, and a label with its count. Pure.

import { formatCount } from "./count.ts";
import { SIGN, signText, type Ascii } from "./sign.ts";
import type { Role } from "./style.ts";
import { VERDICT_KINDS, VERDICTS, verdictSign, type VerdictKind } from "./verdict.ts";

/** One verdict's part of the bar. */
export interface MixPart {
  readonly kind: VerdictKind;
  readonly count: number;
  /** A heavy line: its colour alone says which verdict it is. */
  readonly bar: string;
  /** Symbol and count: `✔ 120`; in words `PASS 120`. */
  readonly label: string;
  readonly role: Role;
}

/** How many checks got a verdict. */
export type KindCount = readonly [kind: VerdictKind, count: number];

/** Checks by verdict, in the order of the vocabulary. */
export function countKinds(kinds: readonly VerdictKind[]): KindCount[] {
  return VERDICT_KINDS.map((kind) => [kind, kinds.filter((each) => each === kind).length]);
}

/**
 * @param width columns of the whole bar; each verdict present has at least one while they last
 * @returns the verdicts present, in the same order; their bars have `width` columns in total
 */
export function verdictMix(all: readonly KindCount[], width: number, ascii: Ascii): MixPart[] {
  const counts = all.filter(([, count]) => count > 0);
  const columns = shares(
    counts.map(([, count]) => count),
    Math.max(0, Math.floor(width)),
  );
  return counts.map(([kind, count], index) => {
    const sign = verdictSign(kind, ascii);
    return {
      kind,
      count,
      bar: signText(SIGN.heavy, ascii).repeat(columns[index]!),
      label: `${sign || VERDICTS[kind].word} ${formatCount(count)}`,
      role: VERDICTS[kind].role,
    };
  });
}

/** Columns in proportion, `width` in total: at least one each, the rest by the largest remainders. */
function shares(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0 || width <= counts.length) return counts.map((_, index) => (index < width ? 1 : 0));
  const exact = counts.map((count) => (count / total) * width);
  const columns = exact.map((share) => Math.max(1, Math.floor(share)));
  let rest = width - columns.reduce((sum, count) => sum + count, 0);
  // Take back what the smallest got from the one furthest above its share.
  for (; rest < 0; rest += 1) columns[furthest(columns, exact, 1)]! -= 1;
  for (; rest > 0; rest -= 1) columns[furthest(columns, exact, -1)]! += 1;
  return columns;
}

/** Where columns and shares differ most: above them with 1, below them with -1. */
function furthest(columns: readonly number[], exact: readonly number[], side: 1 | -1): number {
  let found = 0;
  for (const index of columns.keys()) {
    const distance = (at: number): number => side * (columns[at]! - exact[at]!);
    // A verdict that is present keeps its last column.
    if (side === 1 && columns[index] === 1) continue;
    if ((side === 1 && columns[found] === 1) || distance(index) > distance(found)) found = index;
  }
  return found;
}
