// Puts the terminal's own cursor where text is edited, for input methods, magnifiers and the user's cursor shape.

import { Box, useCursor, type CursorPosition, type DOMElement } from "ink";
import {
  createContext,
  createElement,
  use,
  useInsertionEffect,
  useLayoutEffect,
  useState,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from "react";

/** Column of the cursor in a row of this width, from 0. */
type Column = (width: number) => number;

const ShowContext = createContext<Dispatch<SetStateAction<CursorPosition | null>>>(() => undefined);

/** The cursor stands in the `CursorRow` that is mounted in this tree, and is hidden where there is none. */
export function CursorProvider({ children }: { readonly children?: ReactNode }): ReactNode {
  const [shown, show] = useState<CursorPosition | null>(null);
  useCursor().setCursorPosition(shown ?? undefined);
  return createElement(ShowContext, { value: show }, children);
}

/** One row with the cursor in it. */
export function CursorRow(props: { readonly column: Column; readonly children?: ReactNode }): ReactNode {
  const { column, children } = props;
  const show = use(ShowContext);
  const [spot] = useState(createSpot);
  // Before Ink writes the frame of this change.
  useInsertionEffect(() => spot.point(column));
  // Ink moves the cursor within an unchanged frame only when it is told again. A row that comes beside one that goes is
  // told before the other's end: the provider has the last word.
  useCursor().setCursorPosition(spot);
  useLayoutEffect(() => {
    show(spot);
    return () => show((now) => (now === spot ? null : now));
  }, [show, spot]);
  return createElement(Box, { ref: spot.take }, children);
}

/** A place in the window that Ink reads when it writes, after the layout. */
function createSpot(): CursorPosition & { take(row: DOMElement | null): void; point(at: Column): void } {
  let row: DOMElement | null = null;
  let column: Column = () => 0;
  let last: CursorPosition = { x: 0, y: 0 };
  const place = (): CursorPosition => {
    const width = row?.yogaNode?.getComputedWidth();
    // A row that has just gone has no place: the cursor follows with the next frame.
    if (width === undefined) return last;
    let [x, y] = [Math.max(0, Math.min(column(width), width - 1)), 0];
    for (let node = row ?? undefined; node !== undefined; node = node.parentNode) {
      x += node.yogaNode?.getComputedLeft() ?? 0;
      y += node.yogaNode?.getComputedTop() ?? 0;
    }
    return (last = { x, y });
  };
  return {
    take: (node) => void (row = node),
    point: (at) => void (column = at),
    get x() {
      return place().x;
    },
    get y() {
      return place().y;
    },
  };
}
