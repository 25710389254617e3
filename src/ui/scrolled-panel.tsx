// A panel whose rows are scrolled, in one column or in several.

import { placeText } from "#src/display/count.ts";
import { useState, type ReactNode } from "react";
import type { Layer } from "#src/keys/layers.ts";
import { scrolled, type Moving } from "#src/keys/move-commands.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { Panel, panelRoom } from "./panel.tsx";
import { fitRow, type Row } from "./rows.ts";
import { useTheme } from "./theme.ts";

export interface ScrolledPanelProps {
  /** Its keys, with what scrolls it. */
  readonly layer: (moving: Moving) => Layer;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: number;
  readonly height: number;
  /** Columns of rows; the text goes on at the top of the next one. 1 by default. */
  readonly across?: number;
  /** Drawn above the rows, which stand still. */
  readonly first?: ReactNode;
}

const GAP = "   ";

/** Columns that the rows of a panel have where several stand side by side. */
export function columnWidth(columns: number, across: number): number {
  return Math.floor((panelRoom(columns) - GAP.length * (across - 1)) / across);
}

/** Draws exactly its area. */
export function ScrolledPanel(props: ScrolledPanelProps): ReactNode {
  const { title, rows, columns, height, layer, across = 1, first } = props;
  const theme = useTheme();
  const [top, setTop] = useState(0);
  const lines = Math.max(1, height - (first === undefined ? 2 : 3));
  const room = lines * across;
  const last = Math.max(0, rows.length - room);
  const at = Math.min(top, last);
  useLayer(layer({ go: (to) => setTop(scrolled(at, to, last)), page: last === 0 ? 0 : room - 1 }));
  const shown = rows.slice(at, at + room);
  const place = last === 0 ? "" : `${at + 1}-${placeText(at + shown.length, rows.length)}`;
  const width = columnWidth(columns, across);
  const beside = Array.from({ length: Math.min(lines, shown.length) }, (_, line) =>
    Array.from({ length: across }, (__, column) =>
      fitRow(shown[column * lines + line] ?? [], width, theme),
    ).reduce((left, right) => [...left, { text: GAP }, ...right]),
  );
  return (
    <Panel
      title={title}
      note={place}
      rows={across === 1 ? shown : beside}
      width={columns}
      height={height}
      {...(first === undefined ? {} : { first })}
    />
  );
}
