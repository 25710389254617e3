// The panes of a list with a filter and the detail of its selected item. Pure.

import { placeText } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { arranged, filledPane, seenRows, type Arrangement } from "./arranged.ts";
import { listRows, type List } from "./list.ts";
import type { Band, PaneHead, PaneView } from "./pane.tsx";
import { AXIS, fitRow, textRows, type Row, type Size } from "./rows.ts";
import type { Theme } from "./theme.ts";

export interface Listing<Item> extends Omit<List<Item>, "selected" | "focused"> {
  readonly selected: Item | null;
  /** Safe, as is the text of an empty list. */
  readonly title: string;
  readonly filter: string;
  readonly empty: string;
  /** Of the selected item; of none where no item is selected. */
  readonly detail: Pick<PaneHead, "title" | "cut">;
  /** Above the list. @param columns of the pane @param rows of facts and list */
  facts(columns: number, rows: number): readonly Row[];
  detailRows(columns: number): readonly Row[];
}

export interface ListingView {
  readonly bands: readonly Band[];
  /** Rows on a page of what has the keys. */
  readonly page: number;
  /** Last scroll position of the detail. */
  readonly end: number;
}

/** The title of a list with its filter. @param title safe */
export function filteredTitle(title: string, filter: string, { sign }: Theme): string {
  return filter === "" ? title : `${title} ${sign("separator")} ${safe(filter, { max: 60 })}`;
}

/** @param state `opened` where the detail has the keys, and its first visible line */
export function listingView<Item>(
  listing: Listing<Item>,
  state: { readonly opened: boolean; readonly scroll: number },
  columns: Pick<Arrangement, "least" | "share" | "most">,
  size: Size,
  theme: Theme,
): ListingView {
  const { opened, scroll } = state;
  const view = { page: 1, end: 0 };
  const list = (width: number, height: number): PaneView => {
    const { title, filter, items, selected } = listing;
    const at = Math.max(0, selected === null ? 0 : items.indexOf(selected));
    const facts = listing.facts(width, height);
    const area = { columns: width, rows: height - facts.length };
    const { rows, page } = listRows({ ...listing, selected: at, focused: !opened }, area, theme);
    if (!opened) view.page = page;
    const isEmpty = items.length === 0;
    const head = {
      title: filteredTitle(title, filter, theme),
      note: isEmpty ? undefined : placeText(at + 1, items.length),
      width,
      focused: !opened,
    };
    return filledPane(head, [...facts, ...(isEmpty ? textRows(listing.empty, width, theme) : rows)], height);
  };
  const detail = (width: number, height: number): PaneView => {
    const { seen, end, place } = seenRows(listing.detailRows(width - AXIS), scroll, height);
    view.end = end;
    if (opened) view.page = height;
    const rows = seen.map((row) => fitRow([{ text: " ".repeat(AXIS) }, ...row], width, theme));
    return filledPane({ ...listing.detail, note: place, width, focused: opened }, rows, height);
  };
  return { bands: arranged(size, { ...columns, opened }, [list, detail]), ...view };
}
