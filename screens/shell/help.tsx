// The help: the key table itself, what works now first.

import { useState, type ReactNode } from "react";
import { useDispatcher, useLayer } from "#src/keys/use-layer.ts";
import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import { helpRows } from "./view-model.ts";

export interface HelpProps {
  /** What worked when the help was opened. */
  readonly active: readonly ActiveBinding[];
  readonly onClose: () => void;
  readonly columns: number;
  readonly rows: number;
}

export function Help({ active, onClose, columns, rows }: HelpProps): ReactNode {
  const [top, setTop] = useState(0);
  const { bindings } = useDispatcher();
  const all = helpRows(bindings, active, panelRoom(columns));
  const height = rows - 2;
  const last = Math.max(0, all.length - height);
  const at = Math.min(top, last);
  const move = (by: number): void => setTop(Math.min(Math.max(0, at + by), last));
  useLayer({
    scope: "help",
    level: 4,
    modal: true,
    handlers: {
      "help.down": () => move(1),
      "help.up": () => move(-1),
      "help.pageDown": () => move(height - 1),
      "help.pageUp": () => move(1 - height),
      "help.first": () => setTop(0),
      "help.last": () => setTop(last),
      "help.close": onClose,
    },
  });
  const shown = all.slice(at, at + height);
  const place = last === 0 ? "" : ` (${at + 1}-${at + shown.length} of ${all.length})`;
  return <Panel title={`Keys${place}`} rows={shown} width={columns} height={rows} />;
}
