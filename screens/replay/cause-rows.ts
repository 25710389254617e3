// The causes of the flips as a list, with the whole of the selected one below it. Pure.

import type { FlipCause } from "#src/contract/records/flip.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { listRows, type ListColumn } from "#src/ui/list.ts";
import { textRows, type ListRows, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

const RULE_BEFORE = "Rule before";
const DETAIL = 3;

/** @param before first visible row of the last view */
export function causeRows(
  causes: readonly FlipCause[],
  selected: number,
  { columns, rows }: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
  const { theme, unit } = options;
  const longest = Math.max(RULE_BEFORE.length, ...causes.map(({ before: rule }) => rule?.length ?? 0));
  const list = listRows(
    { items: causes, selected, columns: causeColumns(longest, theme) },
    { columns, rows: rows - DETAIL },
    theme,
    before,
  );
  const cause = causes[selected]!;
  const worth = eurText(cause.eur);
  const sums = cause.money.length === 0 ? "" : `, ${moneyList(cause.money, unit)}`;
  const detail = `${causeText(cause)}: ${counted(cause.count, "flip")}${sums}${worth === null ? "" : `, ${worth}`}`;
  return {
    ...list,
    rows: [
      ...list.rows,
      ...textRows(safe(detail, { max: 400 }), columns, theme, { limit: DETAIL, role: "note" }),
    ],
  };
}

/** @param longest columns of the longest rule before */
function causeColumns(longest: number, theme: Theme): ListColumn<FlipCause>[] {
  return [
    { title: "Was", said: "", width: 7, cell: ({ was }) => [verdictSpan(was, theme.ascii)] },
    { title: "", width: 1, cell: () => theme.sign("arrow") },
    { title: "Now", said: "", width: 7, cell: ({ now }) => [verdictSpan(now, theme.ascii)] },
    { title: "Flips", width: 6, align: "right", cell: ({ count }) => formatCount(count) },
    {
      title: "approx. EUR",
      width: 11,
      from: 84,
      align: "right",
      cell: ({ eur }) => (eur === null ? "-" : formatCount(Math.round(eur))),
    },
    {
      title: RULE_BEFORE,
      share: 0.5,
      most: longest,
      cell: ({ before }) => safe(before ?? "-"),
    },
    { title: "Rule now", share: 1, cell: ({ after }) => safe(after ?? "-") },
  ];
}
