// A panel over Check whose rows are scrolled.

import { useState, type ReactNode } from "react";
import type { Layer } from "#src/keys/dispatcher.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import type { Span } from "#src/ui/line.tsx";
import { Panel } from "#src/ui/panel.tsx";

export interface ScrolledPanelProps {
  readonly title: string;
  readonly rows: readonly (readonly Span[])[];
  /** Of the layer, and of its keys `.down`, `.up`, `.pageDown`, `.pageUp`, `.first` and `.last`. */
  readonly scope: string;
  /** What its other keys do. */
  readonly handlers: Layer["handlers"];
  readonly columns: number;
  readonly height: number;
}

/** Draws exactly its area. */
export function ScrolledPanel(props: ScrolledPanelProps): ReactNode {
  const { title, rows, scope, handlers, columns, height } = props;
  const [top, setTop] = useState(0);
  const room = Math.max(1, height - 2);
  const last = Math.max(0, rows.length - room);
  const at = Math.min(top, last);
  const move = (by: number): void => setTop(Math.min(Math.max(0, at + by), last));
  useLayer({
    scope,
    level: 1,
    handlers: {
      ...handlers,
      ...(last === 0
        ? {}
        : {
            [`${scope}.down`]: () => move(1),
            [`${scope}.up`]: () => move(-1),
            [`${scope}.pageDown`]: () => move(room - 1),
            [`${scope}.pageUp`]: () => move(1 - room),
            [`${scope}.first`]: () => setTop(0),
            [`${scope}.last`]: () => setTop(last),
          }),
    },
  });
  const shown = rows.slice(at, at + room);
  const place = last === 0 ? "" : ` (${at + 1}-${at + shown.length} of ${rows.length})`;
  return <Panel title={`${title}${place}`} rows={shown} width={columns} height={height} />;
}
