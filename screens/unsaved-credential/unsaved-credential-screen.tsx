// The screen for a credential that could not be saved, which must be resolved before anything else.

import type { ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { RESCUE } from "./keys.ts";
import { unsavedCredentialView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function UnsavedCredentialScreen({ columns, rows }: Size): ReactNode {
  const { unsavedCredentials } = useConsole();
  const state = useStore(unsavedCredentials.store, (whole) => whole);
  const theme = useTheme();
  const { keyName } = theme;
  const view = unsavedCredentialView(useShown(state), panelRoom(columns), theme);
  // What a terminal that scrolls has shown stays in it.
  const scrolls =
    theme.ascii === "words"
      ? `This terminal would keep the secret in its scrollback; ${keyName("rescue.file")} saves it in a file.`
      : null;
  const isSaving = state.working !== null;
  useLayer({ ...RESCUE.layer({ unsavedCredentials, isSaving, scrolls }), modal: true });
  return view === null ? null : <Panel title={view.title} rows={view.rows} width={columns} height={rows} />;
}
