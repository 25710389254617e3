// The help: the key table itself, what works now first.

import type { ReactNode } from "react";
import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import { useDispatcher } from "#src/keys/use-layer.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "#src/ui/rows.ts";
import { ScrolledPanel } from "#src/ui/scrolled-panel.tsx";
import { helpRows } from "./view-model.ts";

export interface HelpProps extends Size {
  /** What worked when the help was opened. */
  readonly active: readonly ActiveBinding[];
  readonly onClose: () => void;
}

export function Help({ active, onClose, columns, rows }: HelpProps): ReactNode {
  const { bindings } = useDispatcher();
  return (
    <ScrolledPanel
      title="Keys"
      rows={helpRows(bindings, active, panelRoom(columns))}
      scope="help"
      level={4}
      modal
      handlers={{ "help.close": onClose }}
      columns={columns}
      height={rows}
    />
  );
}
