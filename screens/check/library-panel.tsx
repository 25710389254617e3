// The library over Check: saved payloads to load, search, edit and remove.

import { Box } from "ink";
import { useState, type ReactNode } from "react";
import { moveHandlers } from "#src/keys/move-bindings.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { selectedPayload, templateText, type LibraryState } from "#src/state/check/library-acts.ts";
import type { Library } from "#src/state/check/library.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useIsPresented, usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { PaneTitles } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { libraryView } from "./library-view.ts";

/** Draws exactly its area. */
export function LibraryPanel({ columns, rows }: Size): ReactNode {
  const { library, context } = useConsole();
  const theme = useTheme();
  const state = useStore(library.store, (whole) => whole);
  const [from, setFrom] = useState(0);
  const unit = context.profile.amountUnit;
  const view = libraryView(
    usePresented(state),
    { columns, rows },
    { unit, theme, from, isPresented: useIsPresented() },
  );
  // The next view starts from this position; changing it needs no redraw.
  if (view.from !== from) setFrom(view.from);
  useLayer(layerOf(library, state, view.page, theme));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={[view.head]} />
      <Rows rows={view.rows} />
      {view.detailHead === null ? null : <PaneTitles panes={[view.detailHead]} />}
      <Rows rows={view.detail} />
    </Box>
  );
}

function layerOf(
  library: Library,
  state: LibraryState,
  page: number,
  theme: Theme,
): Parameters<typeof useLayer>[0] {
  const back = state.search.trim() === "" ? library.close : library.showAll;
  const some = state.rows !== null && state.rows.length > 0;
  const always = {
    "library.back": () => back(),
    "library.turn": () => library.switchShelf(),
    // Also while the list is read: typed text filters it once it is there.
    ...(some || state.rows === null ? { "library.search": () => library.askSearch() } : {}),
  };
  const chosen = selectedPayload(state);
  const fixed = templateText(theme.keyName);
  return {
    scope: "library",
    level: 1,
    ...(state.shelf === "saved" ? {} : { disabled: { "library.edit": fixed, "library.remove": fixed } }),
    handlers:
      chosen === null
        ? always
        : {
            ...always,
            "library.load": () => void library.load(),
            "library.edit": () => void library.edit(),
            "library.remove": () => library.remove(),
            ...moveHandlers("library", (to) => library.select(to), page),
          },
  };
}
