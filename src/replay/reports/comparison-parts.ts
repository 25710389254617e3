// What a comparison shows as text, in Markdown and on a page: the cells of its matrix, its groups, and payments with their verdicts.

import { CARRIED, sharedFlips, type Comparison, type FlipCell } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { causeText, changeLines, notCompared, nothingCompared } from "#src/display/comparison-lines.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { eurText, formatMoney } from "#src/display/money.ts";
import { formatLatency } from "#src/display/time.ts";
import { outcomeReason, verdictKind, type VerdictKind } from "#src/display/verdict.ts";
import { noteText, type Cell, type Look, type Part, type Table } from "./parts.ts";
import type { JudgedRow } from "./report-data.ts";
import type { Privacy } from "./report-privacy.ts";

const CURRENCIES_SHOWN = 3;
/** The largest ones. */
const GROUPS_KEPT = 50;

/** What changed, and what was not compared. */
export function comparisonParts(comparison: Comparison, unit: AmountUnit, privacy: Privacy): Part[] {
  if (comparison.compared > 0)
    return [matrixTable(comparison, unit), ...groupTables(comparison), flipTable(comparison, unit, privacy)];
  const hint = comparison.baseline === CARRIED ? " Name a run to compare with." : "";
  const others = notCompared(comparison).map(noteText);
  return [{ title: MATRIX, list: [`${nothingCompared(comparison)}${hint}`, ...others] }];
}

const MATRIX = "Verdicts before and now";

/** Every payment with a trustworthy verdict on both sides by its verdict before and now, and the money behind it. */
export function matrixTable(comparison: Comparison, unit: AmountUnit): Table {
  const { matrix, compared } = comparison;
  return {
    title: MATRIX,
    form: "matrix",
    heads: ["Before", ...MILDEST_FIRST.map((now) => ({ now }))],
    rows:
      compared === 0
        ? []
        : MILDEST_FIRST.map((kind): Cell[] => [
            { verdict: kind },
            ...matrix.filter(({ was }) => was === kind).map((cell) => matrixCell(cell, compared, unit)),
          ]),
    notes: changeLines(comparison, true),
  };
}

/** Colour is for what changed. */
function matrixCell({ was, now, count, money, eur }: FlipCell, compared: number, unit: AmountUnit): Cell {
  if (count === 0) return "0";
  const shown = money.slice(0, CURRENCIES_SHOWN);
  const rest = money.length - shown.length;
  const all = money.length > 1 ? eurText(eur) : null;
  const lines = [
    formatCount(count),
    percent(count, compared),
    ...shown.map(({ amount, currency }) => formatMoney(amount, currency, unit)),
    ...(rest === 0 ? [] : [`and ${rest} more`]),
    ...(all === null ? [] : [all]),
  ];
  return was === now ? lines : { lines, tone: now };
}

/** Flips by what they have in common. */
export function groupTables(comparison: Comparison): Table[] {
  return [groupTable("By cause", "Cause", comparison.causes, causeText), projectTable(comparison)];
}

export function projectTable({ projects }: Comparison): Table {
  return groupTable("By project", "Project", projects, ({ project }) => project);
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
    count: groups.length,
    rows: groups
      .slice(0, GROUPS_KEPT)
      .map((group): Cell[] => [
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
    form: "folded",
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
