// The library over Check: saved payloads to load, search, edit and remove.

import { useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { LIBRARY } from "./keys.ts";
import { libraryView } from "./library-view.ts";
import { PaneScreen } from "#src/ui/pane.tsx";

/** Draws exactly its area. */
export function LibraryPanel({ columns, rows }: Size): ReactNode {
  const { library, context } = useConsole();
  const theme = useTheme();
  const state = useStore(library.store, (whole) => whole);
  const [from, setFrom] = useState(0);
  const unit = context.profile.amountUnit;
  const at = state.found.findIndex(({ name }) => name === state.selected);
  const view = libraryView(useShown(state), { columns, rows }, { unit, theme, from, at });
  // The next view starts from this position; changing it needs no redraw.
  if (view.from !== from) setFrom(view.from);
  useLayer(LIBRARY.layer({ library, state, keyName: theme.keyName, go: library.select, page: view.page }));

  return <PaneScreen columns={columns} rows={rows} bands={view.bands} mouse={{ go: library.select }} />;
}
