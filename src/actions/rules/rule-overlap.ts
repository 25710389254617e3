// Rules that say the same: those that hit the same transactions in a back-test, and those that never hit without another one.

import type { DecisionOverlap } from "#src/replay/reports/decision-data.ts";
import type { BacktestSummary } from "#src/rules/backtest.ts";

/** Fewer hits of a rule than this prove nothing about it. */
const FEWEST_HITS = 2;

/**
 * What the overlaps of the proposed rules come down to, the most frequent first. Of a group that always hits together only the first rule is
 * compared with others, and of several that a rule hides in the one with the fewest hits is named; never one that hits
 * more than half of all transactions, in which any rule would hide.
 */
export function findOverlap({
  total,
  rules,
  overlaps,
}: Pick<BacktestSummary, "total" | "rules" | "overlaps">): DecisionOverlap {
  const hits = new Map(rules.map(({ code, proposed }) => [code, proposed ?? 0]));
  const groups = new Map<string, string[]>();
  const inside: { code: string; other: string; count: number; otherCount: number }[] = [];
  for (const {
    codes: [a, b],
    count,
  } of overlaps) {
    const [hitsOfA, hitsOfB] = [hits.get(a) ?? 0, hits.get(b) ?? 0];
    if (count < FEWEST_HITS) continue;
    if (count === hitsOfA && count === hitsOfB) {
      const group = groups.get(a) ?? groups.get(b) ?? [];
      for (const code of [a, b]) if (!group.includes(code)) group.push(code);
      for (const code of group) groups.set(code, group);
    } else if (count === hitsOfA) inside.push({ code: a, other: b, count, otherCount: hitsOfB });
    else if (count === hitsOfB) inside.push({ code: b, other: a, count, otherCount: hitsOfA });
  }
  const order = new Map(rules.map(({ code }, index) => [code, index]));
  const inFileOrder = (a: string, b: string): number => order.get(a)! - order.get(b)!;
  for (const group of groups.values()) group.sort(inFileOrder);
  const isFirst = (code: string): boolean => (groups.get(code)?.[0] ?? code) === code;
  const nearest = new Map<string, (typeof inside)[number]>();
  for (const pair of inside.toSorted(
    (a, b) => a.otherCount - b.otherCount || inFileOrder(a.other, b.other),
  )) {
    const tells = pair.otherCount * 2 <= total && isFirst(pair.code) && isFirst(pair.other);
    if (tells && !nearest.has(pair.code)) nearest.set(pair.code, pair);
  }
  return {
    together: [...new Set(groups.values())]
      .map((codes) => ({ codes, count: hits.get(codes[0]!)! }))
      .sort((a, b) => b.count - a.count || inFileOrder(a.codes[0]!, b.codes[0]!)),
    within: [...nearest.values()].sort((a, b) => b.count - a.count || inFileOrder(a.code, b.code)),
  };
}
