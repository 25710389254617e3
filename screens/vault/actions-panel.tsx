// The menu of the Vault screen: what can be done with the vault as a whole.

import { Box } from "ink";
import type { ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { PaneTitles } from "#src/ui/pane.tsx";
import { Rows } from "#src/ui/line.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { actionsView } from "./actions-view.ts";

/** Draws exactly `columns` x `rows`. */
export function ActionsPanel({
  columns,
  rows,
}: {
  readonly columns: number;
  readonly rows: number;
}): ReactNode {
  const { vaultActions, vaultLock, keyring } = useConsole();
  const state = useStore(vaultActions.store, (whole) => whole);
  const lock = useStore(vaultLock.store, (whole) => whole);
  // What the menu offers depends on what is in the vault.
  useStore(keyring.store, ({ entries }) => entries);
  const view = actionsView(state, vaultActions.list(), lock, { columns, rows }, useTheme());
  useLayer({
    scope: "vault.actions",
    level: 1,
    handlers: {
      "vault.actions.run": () => void vaultActions.run(),
      "vault.actions.down": () => vaultActions.select(1),
      "vault.actions.up": () => vaultActions.select(-1),
      "vault.actions.close": () => vaultActions.close(),
    },
  });
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={[view.head]} />
      <Rows rows={view.rows} />
    </Box>
  );
}
