// A panel whose rows are scrolled.

import { useState, type ReactNode } from "react";
import type { Layer } from "#src/keys/layers.ts";
import { moveHandlers, scrolled } from "#src/keys/move-bindings.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { Panel } from "./panel.tsx";
import type { Row } from "./rows.ts";

export interface ScrolledPanelProps extends Pick<Layer, "scope" | "level" | "modal" | "handlers"> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: number;
  readonly height: number;
}

/** Draws exactly its area. The scope of its layer has the keys that scroll. */
export function ScrolledPanel(props: ScrolledPanelProps): ReactNode {
  const { title, rows, columns, height, handlers, ...layer } = props;
  const [top, setTop] = useState(0);
  const room = Math.max(1, height - 2);
  const last = Math.max(0, rows.length - room);
  const at = Math.min(top, last);
  const moves = moveHandlers(layer.scope, (to) => setTop(scrolled(at, to, last)), room - 1);
  useLayer({ ...layer, handlers: { ...handlers, ...(last === 0 ? {} : moves) } });
  const shown = rows.slice(at, at + room);
  const place = last === 0 ? "" : ` (${at + 1}-${at + shown.length} of ${rows.length})`;
  return <Panel title={`${title}${place}`} rows={shown} width={columns} height={height} />;
}
