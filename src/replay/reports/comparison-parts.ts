// What a comparison shows as text, in Markdown and on a page: the cells of its matrix, its groups, and payments with their verdicts.

import { sharedFlips, type Comparison, type FlipCause, type FlipCell } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { eurText, formatMoney } from "#src/display/money.ts";
import { formatLatency } from "#src/display/time.ts";
import { outcomeReason, verdictKind, type VerdictKind } from "#src/display/verdict.ts";
import type { Cell, Look, Table } from "./parts.ts";
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

type Item = Pick<JudgedRow, "row" | "was">;

interface ItemColumn {
  readonly name: string;
  readonly look?: Look;
  readonly cell: (
    item: Item,
    unit: AmountUnit,
    privacy: Privacy,
  ) => string | { readonly verdict: VerdictKind };
  /** What the page sorts by where it is not the cell: numbers, the first counts most; null for none. */
  readonly by?: (item: Item) => readonly (number | null)[];
  /** Only in the list of all payments. */
  readonly isDetail?: true;
}

const verdictCell = (verdict: Recommendation | null): "" | { readonly verdict: VerdictKind } =>
  verdict === null ? "" : { verdict };

/** The columns of every list of payments of a run. */
export const ITEM_COLUMNS: readonly ItemColumn[] = [
  { name: "No.", look: "number", cell: ({ row }) => String(row.seq), isDetail: true },
  { name: "Payment", look: "key", cell: ({ row }) => row.key },
  { name: "Before", cell: ({ was }) => verdictCell(was) },
  { name: "Expected", cell: ({ row }) => verdictCell(row.expect) },
  { name: "Now", cell: ({ row }) => ({ verdict: verdictKind(row.result) }) },
  {
    name: "Amount",
    look: "number",
    cell: ({ row: { request } }, unit) => formatMoney(request.amount, request.currency, unit),
    by: ({ row: { request } }) => [request.currency ?? 0, request.amount ?? null],
  },
  {
    name: "Time",
    look: "number",
    cell: ({ row }) => formatLatency(row.result?.latencyMs ?? null),
    by: ({ row }) => [row.result?.latencyMs ?? null],
    isDetail: true,
  },
  {
    name: "The service says now",
    look: "why",
    cell: ({ row }, _, privacy) => privacy.text(outcomeReason(row.result), row.request),
  },
  { name: "Source", look: "origin", cell: ({ row }, _, privacy) => privacy.text(row.origin, row.request) },
];

/** Payments of a run, without the columns of verdicts that are empty. @param count of all such payments */
export function itemTable(
  title: string,
  items: readonly Item[],
  count: number,
  unit: AmountUnit,
  privacy: Privacy,
): Table {
  const columns = ITEM_COLUMNS.filter(
    ({ isDetail, look, cell }) =>
      isDetail !== true && (look !== undefined || items.some((item) => cell(item, unit, privacy) !== "")),
  );
  return {
    title,
    heads: columns.map(({ name, look = "" }) => [name, look] as const),
    rows: items.map((item) => columns.map(({ cell }) => cell(item, unit, privacy))),
    count,
  };
}
