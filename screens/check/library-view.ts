// The library as rows: the payloads found, and the details of the selected one. Pure.

import { placeText } from "#src/display/count.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { PayloadRow } from "#src/contract/records/saved-payload.ts";
import { MASK } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { selectedPayload, type LibraryState } from "#src/state/check/library-acts.ts";
import { fit, widthOf, window } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { PaneHead } from "#src/ui/pane.tsx";
import { type Row, fitRow, markedRow, AXIS, type Size, fillRows, textRows } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface LibraryView {
  readonly head: PaneHead;
  readonly rows: readonly Row[];
  /** Details of the selected payload; null without one. */
  readonly detailHead: PaneHead | null;
  readonly detail: readonly Row[];
  /** First visible payload: the next view starts from there. */
  readonly from: number;
  /** Rows of a page. */
  readonly page: number;
}

const DETAIL_ROWS = 3;
const NAME_MOST = 32;
const NAME_LEAST = 12;
const ORDER_MOST = 24;

export function libraryView(
  state: LibraryState,
  { columns, rows }: Size,
  {
    unit,
    theme,
    from,
    isPresented,
  }: {
    readonly unit: Profile["amountUnit"];
    readonly theme: Theme;
    readonly from: number;
    /** Names and tags of saved payloads, which a user chose, are masked. */
    readonly isPresented: boolean;
  },
): LibraryView {
  const { found, search } = state;
  const selected = selectedPayload(state);
  const at = selected === null ? -1 : found.indexOf(selected);
  const shelf = state.shelf === "saved" ? "Library" : "Templates";
  const title = search.trim() === "" ? shelf : `${shelf}: ${safe(search.trim(), { max: 40 })}`;
  const note = at < 0 ? "" : placeText(at + 1, found.length);
  const head: PaneHead = { title, note, width: columns };
  if (selected === null) {
    const shown = fillRows(
      textRows(emptyText(state, theme), columns, theme, { role: "quiet" }),
      columns,
      rows - 1,
    );
    return { head, rows: shown, detailHead: null, detail: [], from: 0, page: 1 };
  }
  const height = Math.max(1, rows - 2 - DETAIL_ROWS);
  const visible = window(found.length, height, at, from);
  const seen = (row: PayloadRow): PayloadRow =>
    isPresented && state.shelf === "saved" ? withoutNames(row) : row;
  const list = listRows(found.slice(visible.from, visible.to).map(seen), at - visible.from, columns, {
    unit,
    theme,
  });
  return {
    head,
    rows: fillRows(list, columns, height),
    detailHead: {
      title: safe(seen(selected).name, { max: 64 }),
      note: selected.modifiedAt === null ? "" : `saved ${formatDateTime(selected.modifiedAt)}`,
      width: columns,
      focused: false,
    },
    detail: fillRows(
      detailRows(seen(selected), state.about.get(selected.name) ?? null, columns, theme),
      columns,
      DETAIL_ROWS,
    ),
    from: visible.from,
    page: Math.max(1, height - 1),
  };
}

/** A problem names the file. */
function withoutNames(row: PayloadRow): PayloadRow {
  const problem = row.problem === null ? null : "It cannot be read.";
  return { ...row, name: MASK, tags: row.tags.map(() => MASK), problem };
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

/** Columns fit the visible payloads; in order of priority: name, verdict, amount, order id, tags. */
function listRows(
  found: readonly PayloadRow[],
  selected: number,
  width: number,
  { unit, theme }: { readonly unit: Profile["amountUnit"]; readonly theme: Theme },
): Row[] {
  const ellipsis = theme.sign("ellipsis");
  const cells = found.map((row) => ({
    row,
    name: safe(row.name, { max: 64 }),
    money: row.problem === null ? safe(formatMoney(row.amount, row.currency, unit), { max: 24 }) : "",
    order: row.orderId === null ? "-" : safe(row.orderId, { max: 60 }),
  }));
  const widest = (texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(0, ...texts.map(widthOf)));
  const name = Math.max(
    NAME_LEAST,
    widest(
      cells.map((cell) => cell.name),
      Math.min(NAME_MOST, width - 40),
    ),
  );
  const money = widest(
    cells.map((cell) => cell.money),
    24,
  );
  const order = widest(
    cells.map((cell) => cell.order),
    ORDER_MOST,
  );
  // Templates have no order id: each use gets a fresh one.
  const isOrdered = found.some(({ orderId }) => orderId !== null);
  return cells.map(({ row, ...cell }, index) => {
    const marked = index === selected;
    const expect = verdictSpan(row.expect, theme.ascii);
    const spans: Span[] = [
      { text: fit(marked ? theme.sign("pointer") : "", AXIS) },
      { text: `${fit(cell.name, name, { ellipsis })} ` },
    ];
    if (row.problem !== null) {
      const broken: Span = { text: `${theme.sign("error")} cannot be read`, role: "error" };
      return markedRow(fitRow([...spans, broken], width, theme), marked);
    }
    spans.push(
      { ...expect, text: fit(expect.text, EXPECT) },
      { text: ` ${fit(cell.money, money, { align: "right", ellipsis })}` },
      { text: isOrdered ? ` ${fit(cell.order, order, { ellipsis })}` : "" },
      { text: row.tags.map((tag) => ` #${safe(tag, { max: 40 })}`).join(""), role: "quiet" },
    );
    return markedRow(fitRow(spans, width, theme), marked);
  });
}

/** Columns of `✖ BLOCK`, the longest expected verdict. */
const EXPECT = 7;

/** @param about description of a template; null for a saved payload */
function detailRows(row: PayloadRow, about: string | null, width: number, theme: Theme): Row[] {
  const { problem, expect, tags } = row;
  const text =
    problem === null
      ? [
          expect === null ? "No verdict is expected." : `Expects ${expect}.`,
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
