// A sweep over Check: where the verdict tips when one field is changed.

import type { ReactNode } from "react";
import { useConsole } from "#src/state/use-console.ts";
import { useIsPresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import { useTheme } from "#src/ui/theme.ts";
import type { Size } from "./layout.ts";
import { ScrolledPanel } from "./scrolled-panel.tsx";
import { sweepRows } from "./sweep-rows.ts";

/** Draws exactly its area. */
export function SweepPanel({ columns, rows }: Size): ReactNode {
  const { sweeps, context } = useConsole();
  const theme = useTheme();
  const state = useStore(sweeps.store, (whole) => whole);
  const masked = useIsPresented();
  const running = state.progress !== null;
  const input = { state, unit: context.profile.amountUnit, masked, width: panelRoom(columns) };
  return (
    <ScrolledPanel
      // Another chart is looked at from its top.
      key={state.result?.field ?? ""}
      title={running ? "Sweep, under way" : "Sweep"}
      scope="sweep"
      rows={sweepRows(input, theme)}
      handlers={
        running
          ? { "sweep.close": () => void sweeps.cancel() }
          : {
              "sweep.close": sweeps.close,
              "sweep.ask": () => sweeps.ask(),
              "sweep.next": () => sweeps.next(),
            }
      }
      columns={columns}
      height={rows}
    />
  );
}
