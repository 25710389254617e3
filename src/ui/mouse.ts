// What the mouse hits: panes and tabs say where they are drawn, and what a click on a row or the wheel does there.

import { measureElement, type DOMElement } from "ink";
import { createContext, use, useLayoutEffect, useRef, type RefObject } from "react";
import type { ListMove } from "#src/contract/records/list-sort.ts";
import type { MouseEvent } from "#src/keys/key-steps.ts";
import { scrolled } from "#src/keys/move-commands.ts";
import { widthOf } from "./fit.ts";
import type { Row } from "./rows.ts";

/** None of its verbs may send anything, or answer a question. */
export interface MouseTarget {
  /** As they are drawn from its upper edge on; their spans say what a click on them means. */
  readonly rows: readonly Row[];
  /** Moves the selection of a list. */
  go?(by: number): void;
  /** Scrolls what is no list. */
  scroll?(by: number): void;
  /** Selects a field or a tab. */
  focus?(name: string): void;
}

export type MouseVerbs = Omit<MouseTarget, "rows">;
type Targets = Map<RefObject<DOMElement | null>, MouseTarget>;

/** The targets that are drawn. */
export const MouseContext = createContext<Targets>(new Map());

/** Tells where a target is drawn: its box gets the ref. */
export function useMouse(target: MouseTarget | undefined): RefObject<DOMElement | null> {
  const targets = use(MouseContext);
  const ref = useRef<DOMElement | null>(null);
  useLayoutEffect(() => {
    if (target === undefined) return undefined;
    targets.set(ref, target);
    return () => void targets.delete(ref);
  });
  return ref;
}

const WHEEL_ROWS = 3;

/** Does what a click or the wheel does there. False where nothing was hit. */
export function hit(targets: Targets, { x, y, wheel }: MouseEvent): boolean {
  for (const [{ current }, target] of targets) {
    const box = current === null ? null : measureElement(current);
    if (box === null || x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height) continue;
    const isList = target.rows.some(([first]) => typeof first?.hit === "number");
    if (wheel !== 0) (isList ? target.go : target.scroll)?.(wheel * WHEEL_ROWS);
    else {
      const meant = meaningAt(target.rows[y - box.y] ?? [], x - box.x);
      if (typeof meant === "number") target.go?.(meant);
      else if (meant !== undefined) target.focus?.(meant);
    }
    return true;
  }
  return false;
}

/** A list whose selected row has its detail in another pane, or in its place. */
interface Listing {
  open(): void;
  close(): void;
  select(by: number): void;
  scrollTo(line: number): void;
}

/** The mouse on its two panes: what it hits gets the keys. */
export function listMouse(
  list: Listing,
  detail: { readonly scroll: number; readonly isOpen: boolean; readonly end: number },
): MouseVerbs {
  return {
    go(by) {
      if (detail.isOpen) list.close();
      list.select(by);
    },
    scroll(by) {
      if (!detail.isOpen) list.open();
      list.scrollTo(scrolled(detail.scroll, by, detail.end));
    },
  };
}

/** The keys that move, on the same panes: through the list, or through the opened detail. */
export function listGo(
  list: Pick<Listing, "scrollTo"> & { select(to: ListMove): void },
  detail: { readonly scroll: number; readonly isOpen: boolean; readonly end: number },
): (to: ListMove) => void {
  return (to) => (detail.isOpen ? list.scrollTo(scrolled(detail.scroll, to, detail.end)) : list.select(to));
}

/** What the span in a column means, else what its row means. */
function meaningAt(row: Row, column: number): number | string | undefined {
  let end = 0;
  const at = row.find(({ text }) => (end += widthOf(text)) > column);
  return at?.hit ?? row[0]?.hit;
}
