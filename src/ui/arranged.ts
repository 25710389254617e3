// A list and its detail: side by side, one above the other, or one of them alone. Pure.

import { placeText } from "#src/display/count.ts";
import { DIVIDER, type Band, type PaneHead, type PaneView } from "./pane.tsx";
import { dividedAt, fillRows, hasTwoPanes, type Row, type Size } from "./rows.ts";

/** A pane of a width, as high as its band. */
export type DrawPane<P extends PaneHead = PaneView> = (width: number, height: number) => P;

export interface Arrangement {
  /** Columns of the first pane beside the second: a share of all, within bounds. */
  readonly least: number;
  readonly share: number;
  readonly most: number;
  /** Rows of the first pane above the second, of those for both; without it one of them has a narrow screen alone. */
  readonly upper?: (bodies: number) => number;
  /** It is the second. */
  readonly opened?: boolean;
}

/** The bands of two panes, with their titles as high as the area. */
export function arranged<P extends PaneHead>(
  size: Size,
  { least, share, most, upper, opened = false }: Arrangement,
  panes: readonly [DrawPane<P>, DrawPane<P>],
): Band<P>[] {
  const { columns, zoom = 0 } = size;
  const [first, second] = panes;
  const height = Math.max(0, size.rows - 1);
  if (hasTwoPanes(size)) {
    const own = Math.min(most, Math.max(least, Math.floor(columns * share)));
    const width = dividedAt(own, columns - DIVIDER, size.divider);
    return [{ panes: [first(width, height), second(columns - width - DIVIDER, height)], height }];
  }
  const alone = upper === undefined ? Number(opened) : zoom - 1;
  if (upper === undefined || alone >= 0) return [{ panes: [panes[alone]!(columns, height)], height }];
  const above = upper(Math.max(0, height - 1));
  const below = Math.max(0, height - 1 - above);
  return [
    { panes: [first(columns, above)], height: above },
    { panes: [second(columns, below)], height: below },
  ];
}

/** A pane with exactly `height` rows. */
export function filledPane(head: PaneHead, rows: readonly Row[], height: number): PaneView {
  return { ...head, rows: fillRows(rows, head.width, height) };
}

/** A band of that pane alone. */
export function filledBand(head: PaneHead, rows: readonly Row[], height: number): Band {
  return { panes: [filledPane(head, rows, height)], height };
}

/** The part of a text that is seen in so many rows, and where that is: `1-20 of 64`, or empty for all of it. */
export function seenRows(
  all: readonly Row[],
  scroll: number,
  height: number,
): { readonly seen: readonly Row[]; readonly from: number; readonly end: number; readonly place: string } {
  const end = Math.max(0, all.length - height);
  const from = Math.min(scroll, end);
  const seen = all.slice(from, from + height);
  return {
    seen,
    from,
    end,
    place: end === 0 ? "" : `${from + 1}-${placeText(from + seen.length, all.length)}`,
  };
}
