// The library as rows: the payloads found, and the details of the selected one. Pure.

import { placeText } from "#src/display/count.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { PayloadRow } from "#src/contract/records/saved-payload.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import type { LibraryState } from "#src/state/check/library-acts.ts";
import type { Span } from "#src/ui/line.tsx";
import { type Row, type Size, textRows } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { type Band } from "#src/ui/pane.tsx";
import { type ListColumn, listRows } from "#src/ui/list.ts";
import { filledBand } from "#src/ui/arranged.ts";

export interface LibraryView {
  /** The list, and below it the details of the selected payload. */
  readonly bands: readonly Band[];
  /** First visible payload: the next view starts from there. */
  readonly from: number;
  /** Rows of a page. */
  readonly page: number;
}

export interface LibraryRenderOptions {
  readonly unit: Profile["amountUnit"];
  readonly theme: Theme;
  readonly from: number;
  /** Place of the selected payload among those found; -1 while nothing is found. */
  readonly at: number;
}

const DETAIL_ROWS = 3;

export function libraryView(
  state: LibraryState,
  { columns: width, rows }: Size,
  { unit, theme, from, at }: LibraryRenderOptions,
): LibraryView {
  const { found, search, about } = state;
  const selected = found[at];
  const shelf = state.shelf === "saved" ? "Library" : "Templates";
  const title = search.trim() === "" ? shelf : `${shelf}: ${safe(search.trim(), { max: 40 })}`;
  if (selected === undefined) {
    const text = textRows(emptyText(state, theme), width, theme, { role: "quiet" });
    return { bands: [filledBand({ title, width }, text, rows - 1)], from: 0, page: 1 };
  }
  const height = Math.max(1, rows - 2 - DETAIL_ROWS);
  const list = {
    items: found,
    selected: at,
    gap: 2,
    columns: payloadColumns(found, width, { unit, theme }),
    instead: ({ problem }: PayloadRow): Span | null =>
      problem === null ? null : { text: `${theme.sign("error")} cannot be read`, role: "error" },
  };
  const drawn = listRows(list, { columns: width, rows: height }, theme, from);
  const { name, modifiedAt } = selected;
  const head = {
    title: safe(name, { max: 64 }),
    note: modifiedAt === null ? "" : `saved ${formatDateTime(modifiedAt)}`,
    width,
    focused: false,
  };
  const detail = detailRows(selected, about.get(name) ?? null, width, theme);
  const note = placeText(at + 1, found.length);
  return {
    bands: [filledBand({ title, note, width }, drawn.rows, height), filledBand(head, detail, DETAIL_ROWS)],
    from: drawn.top,
    page: Math.max(1, drawn.page - 1),
  };
}

function emptyText({ rows, search, shelf }: LibraryState, { keyName }: Theme): string {
  if (shelf === "templates" && rows?.length === 0) {
    return `There are no templates on a live profile, because their payers are made up. ${keyName("library.turn")} shows the saved payloads.`;
  }
  if (rows === null) return "Reading the payloads.";
  if (rows.length > 0) {
    return `No payload has "${safe(search.trim(), { max: 60 })}" in its name, tags, order id or expected verdict; ${keyName("library.back")} shows all.`;
  }
  return `No payload is saved yet. ${keyName("library.back")}, then ${keyName("check.save")} saves the payment of the form; ${keyName("history.save")} in History saves a check; ${keyName("library.turn")} shows templates.`;
}

/** Columns fit the visible payloads. Templates have no order id: each use gets a fresh one. */
function payloadColumns(
  found: readonly PayloadRow[],
  width: number,
  { unit, theme }: Pick<LibraryRenderOptions, "unit" | "theme">,
): ListColumn<PayloadRow>[] {
  const order: ListColumn<PayloadRow> = {
    title: "Order",
    most: 24,
    cell: ({ orderId }) => (orderId === null ? "-" : safe(orderId, { max: 60 })),
  };
  return [
    { title: "Name", least: 12, most: Math.min(32, width - 40), cell: ({ name }) => safe(name, { max: 64 }) },
    // As wide as the longest expected verdict.
    { title: "Expects", width: 7, cell: ({ expect }) => [verdictSpan(expect, theme.ascii)] },
    {
      title: "Amount",
      most: 24,
      align: "right",
      cell: ({ amount, currency, problem }) =>
        problem === null ? safe(formatMoney(amount, currency, unit), { max: 24 }) : "",
    },
    ...(found.some(({ orderId }) => orderId !== null) ? [order] : []),
    {
      title: "Tags",
      share: 1,
      cell: ({ tags }) => [
        { text: tags.map((tag) => `#${safe(tag, { max: 40 })}`).join(" "), role: "quiet" },
      ],
    },
  ];
}

/** @param about description of a template; null for a saved payload */
function detailRows(row: PayloadRow, about: string | null, width: number, theme: Theme): Row[] {
  const { problem, expect, tags } = row;
  const text =
    problem === null
      ? [
          expect === null ? "No verdict is expected." : `Expects ${VERDICTS[expect].word}.`,
          tags.length === 0 ? "No tags." : `Tags: ${safe(tags.join(" "), { max: 200 })}.`,
          ...(about === null ? [] : [about]),
          about !== null
            ? `It gets a fresh order id; ${theme.keyName("check.save")} saves it once it is loaded.`
            : row.orderId === null
              ? "No order id."
              : `Order ${safe(row.orderId, { max: 128 })}; after loading, ${theme.keyName("check.fresh")} takes a fresh one.`,
        ].join(" ")
      : `${theme.sign("error")} ${safe(problem, { max: 400 })} ${theme.keyName("library.edit")} opens it in your editor, ${theme.keyName("library.remove")} removes it.`;
  return textRows(text, width, theme, { limit: DETAIL_ROWS, role: problem === null ? null : "error" });
}
