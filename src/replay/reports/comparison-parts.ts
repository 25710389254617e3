// What a comparison shows as text, in Markdown and on a page: the cells of its matrix, its groups, and payments with their verdicts.

import { sharedFlips, type Comparison, type FlipCause, type FlipCell } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { eurText, formatMoney } from "#src/display/money.ts";
import { outcomeReason, verdictKind } from "#src/display/verdict.ts";
import type { Cell, Table } from "./parts.ts";
import type { JudgedRow } from "./report-data.ts";
import type { Privacy } from "./report-privacy.ts";

const CURRENCIES_SHOWN = 3;

/** The money of a cell by currency, a line each, and then in one where there are several. */
export function sums({ money, eur }: FlipCell, unit: AmountUnit): string[] {
  const shown = money.slice(0, CURRENCIES_SHOWN);
  const rest = money.length - shown.length;
  const all = money.length > 1 ? eurText(eur) : null;
  return [
    ...shown.map(({ amount, currency }) => formatMoney(amount, currency, unit)),
    ...(rest === 0 ? [] : [`and ${rest} more`]),
    ...(all === null ? [] : [all]),
  ];
}

/** Flips by what they have in common. @param causeOf the words of a cause */
export function groupTables(
  { causes, projects }: Comparison,
  causeOf: (cause: FlipCause) => string = causeText,
): Table[] {
  return [
    groupTable("By cause", "Cause", causes, causeOf),
    groupTable("By project", "Project", projects, ({ project }) => project),
  ];
}

function groupTable<G extends FlipCell>(
  title: string,
  name: string,
  groups: readonly G[],
  nameOf: (group: G) => string,
): Table {
  return {
    title,
    heads: [[name, "name"], "Changed", "Before", "Now", "Worth"],
    rows: groups.map((group): Cell[] => [
      nameOf(group),
      formatCount(group.count),
      { verdict: group.was },
      { verdict: group.now },
      eurText(group.eur) ?? "",
    ]),
  };
}

/** The payments whose verdict changed. */
export function flipTable({ flips, changes }: Comparison, unit: AmountUnit, privacy: Privacy): Table {
  const items = flips.flatMap((flip) => {
    const row = flip.after ?? flip.before;
    return row === null ? [] : [{ ...flip, row }];
  });
  const table = itemTable("Changed verdicts, worst first", items, changes.flipped, unit, privacy);
  return {
    ...table,
    what: "First payments that passed and are blocked now, then payments that were blocked and pass now, then the others. Each kind is sorted by money, the largest first.",
    first: (most) => sharedFlips(items, most).map((item) => table.rows[items.indexOf(item)]!),
  };
}

/** Payments of a run, without columns that are empty in all of them. @param count of all such payments */
export function itemTable(
  title: string,
  items: readonly Pick<JudgedRow, "row" | "was">[],
  count: number,
  unit: AmountUnit,
  privacy: Privacy,
): Table {
  const heads: Table["heads"] = [
    ["Payment", "key"],
    "Before",
    "Expected",
    "Now",
    "Amount",
    ["The service says now", "why"],
    ["Source", "origin"],
  ];
  const rows = items.map(({ row, was }): Cell[] => [
    row.key,
    was === null ? "" : { verdict: was },
    row.expect === null ? "" : { verdict: row.expect },
    { verdict: verdictKind(row.result) },
    formatMoney(row.request.amount, row.request.currency, unit),
    privacy.text(outcomeReason(row.result), row.request),
    privacy.text(row.origin, row.request),
  ]);
  const isUsed = heads.map((_, column) => rows.some((cells) => cells[column] !== ""));
  const used = <T>(cells: readonly T[]): T[] => cells.filter((_, column) => isUsed[column]);
  return { title, heads: used(heads), rows: rows.map(used), count };
}
