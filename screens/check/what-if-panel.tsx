// What the sandbox would say to what is composed, over Check.

import type { ReactNode } from "react";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import { useTheme } from "#src/ui/theme.ts";
import type { Size } from "./layout.ts";
import { ScrolledPanel } from "./scrolled-panel.tsx";
import { whatIfRows } from "./what-if-rows.ts";

/** Draws exactly its area. */
export function WhatIfPanel({ columns, rows }: Size): ReactNode {
  const { whatIf } = useConsole();
  const theme = useTheme();
  const supposed = usePresented(useStore(whatIf.store, (state) => state.supposed));
  return (
    <ScrolledPanel
      title="What if"
      scope="whatIf"
      rows={supposed === null ? [] : whatIfRows(supposed, panelRoom(columns), theme)}
      handlers={{ "whatIf.close": whatIf.close, "whatIf.anew": () => void whatIf.show() }}
      columns={columns}
      height={rows}
    />
  );
}
