// The causes of the flips as a list, with the whole of the selected one below it. Pure.

import type { FlipCause } from "#src/contract/records/flip.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { fit, widthOf, window } from "#src/ui/fit.ts";
import { fitRow, hitRow, markedRow, textRows, type ListRows, type Row, type Size } from "#src/ui/rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

const MARGIN = 2;
const VERDICT = 7;
const COUNT = 6;
const GAP = 2;
const RULE_BEFORE = "Rule before";
const DETAIL = 3;
const EUR = { title: "EUR, about", width: 12, from: 84 };

/** @param before first visible row of the last view */
export function causeRows(
  causes: readonly FlipCause[],
  selected: number,
  { columns, rows }: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
  const { theme, unit } = options;
  const page = Math.max(1, rows - 1 - DETAIL);
  const { from, to } = window(causes.length, page, selected, before);
  const withEur = columns >= EUR.from;
  const worthOf = (text: string): string => (withEur ? fit(text, EUR.width, { align: "right" }) : "");
  const room = columns - MARGIN - VERDICT - 2 - VERDICT - 1 - COUNT - GAP - widthOf(worthOf(""));
  const longest = Math.max(RULE_BEFORE.length, ...causes.map(({ before: rule }) => rule?.length ?? 0));
  const width = Math.min(longest, Math.floor((room - 1) / 2));
  const rules = (first: string, second: string): string =>
    `${" ".repeat(GAP)}${fit(first, width, { ellipsis: theme.sign("ellipsis") })} ${second}`;
  const row = (cause: FlipCause, index: number): Row => {
    const isSelected = from + index === selected;
    const was = verdictSpan(cause.was, theme.ascii);
    const now = verdictSpan(cause.now, theme.ascii);
    const marked = markedRow(
      fitRow(
        [
          { text: `${isSelected ? theme.sign("pointer") : " "} ` },
          { ...was, text: fit(was.text, VERDICT) },
          { text: `${theme.sign("arrow")} ` },
          { ...now, text: fit(now.text, VERDICT) },
          {
            text: ` ${fit(formatCount(cause.count), COUNT, { align: "right" })}${worthOf(cause.eur === null ? "-" : formatCount(Math.round(cause.eur)))}${rules(safe(cause.before ?? "-"), safe(cause.after ?? "-"))}`,
          },
        ],
        columns,
        theme,
      ),
      isSelected,
    );
    return hitRow(marked, from + index - selected);
  };
  const cause = causes[selected]!;
  const worth = eurText(cause.eur);
  const sums = cause.money.length === 0 ? "" : `, ${moneyList(cause.money, unit)}`;
  const detail = `${causeText(cause)}: ${counted(cause.count, "flip")}${sums}${worth === null ? "" : `, ${worth}`}`;
  const titles = `${" ".repeat(MARGIN)}${fit("Was", VERDICT)}  ${fit("Now", VERDICT)} ${fit("Flips", COUNT, { align: "right" })}${worthOf(EUR.title)}${rules(RULE_BEFORE, "Rule now")}`;
  return {
    rows: [
      fitRow([{ text: titles, role: "quiet" }], columns, theme),
      ...causes.slice(from, to).map(row),
      ...textRows(safe(detail, { max: 400 }), columns, theme, { limit: DETAIL, role: "note" }),
    ],
    page,
    top: from,
  };
}
