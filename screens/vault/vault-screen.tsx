// The Vault screen: integration keys and credentials, masked, and one of them in the open for ten seconds.

import { Box } from "ink";
import { memo, useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { selectedKey, whyNotTest, type Keyring, type KeyringState } from "#src/state/keyring.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { PaneTitles } from "#src/ui/pane.tsx";
import { StillTable } from "#src/ui/still-table.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { buttonLayer, formLayer } from "#screens/register/form-layer.ts";
import { reasons, Rows } from "#screens/register/register-screen.tsx";
import { vaultView } from "./view-model.ts";

/** Drawn again only when a cell changes: the countdown of a secret must not draw the table every second. */
const Table = memo(StillTable, (before, after) => JSON.stringify(before) === JSON.stringify(after));

/** Draws exactly `columns` x `rows`. */
export function VaultScreen({
  columns,
  rows,
}: {
  readonly columns: number;
  readonly rows: number;
}): ReactNode {
  const { keyring, context } = useConsole();
  const theme = useTheme();
  const state = useStore(keyring.store, (whole) => whole);
  const view = vaultView(state, { columns, rows }, { theme, profile: context.profile.name });

  useEffect(() => keyring.watch(), [keyring]);
  useLayer(state.adding === null ? screenLayer(keyring, state) : buttonLayer("vault.form", keyring));
  useLayer(formLayer("vault", state.adding, keyring));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={[view.head]} />
      {view.table === null ? null : (
        <Box height={view.tableHeight} flexShrink={0}>
          <Table {...view.table} />
        </Box>
      )}
      <Rows rows={view.rows} />
    </Box>
  );
}

const PAGE = 5;

function screenLayer(keyring: Keyring, state: KeyringState): Parameters<typeof useLayer>[0] {
  const none = selectedKey(state) === null ? "The vault has no key to choose." : null;
  return {
    scope: "vault",
    level: 1,
    handlers: {
      "vault.reveal": () => keyring.reveal(),
      "vault.add": () => keyring.add(),
      "vault.test": () => void keyring.test(),
      "vault.remove": () => keyring.remove(),
      "vault.down": () => keyring.select(1),
      "vault.up": () => keyring.select(-1),
      "vault.first": () => keyring.select("first"),
      "vault.last": () => keyring.select("last"),
      "vault.pageDown": () => keyring.select(PAGE),
      "vault.pageUp": () => keyring.select(-PAGE),
      ...(state.revealed === null ? {} : { "vault.hide": () => keyring.hide() }),
    },
    disabled: reasons({
      "vault.reveal": none,
      "vault.test": none ?? whyNotTest(state),
      "vault.remove": none,
    }),
  };
}
