// The screen for a credential that could not be saved: nothing else can be done before it is decided.

import type { ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import type { Rescue } from "#src/state/register/rescue.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { rescueView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function RescueScreen({ columns, rows }: Size): ReactNode {
  const { rescue } = useConsole();
  const state = useStore(rescue.store, (whole) => whole);
  const view = rescueView(usePresented(state), panelRoom(columns), useTheme());
  useLayer(layerOf(rescue, state.working !== null));
  return view === null ? null : <Panel title={view.title} rows={view.rows} width={columns} height={rows} />;
}

function layerOf(rescue: Rescue, working: boolean): Parameters<typeof useLayer>[0] {
  const why = "It is being saved; wait for the end.";
  return {
    scope: "rescue",
    level: 2,
    modal: true,
    handlers: {
      "rescue.retry": () => void rescue.retry(),
      "rescue.file": () => void rescue.toFile(),
      "rescue.reveal": () => rescue.reveal(),
      "rescue.giveUp": () => rescue.giveUp(),
    },
    ...(working ? { disabled: { "rescue.retry": why, "rescue.file": why, "rescue.giveUp": why } } : {}),
  };
}
