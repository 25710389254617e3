// The Vault screen: integration keys and credentials, masked; one of them can be revealed for ten seconds.

import { Box } from "ink";
import { useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { PaneScreen, PaneTitles } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { actionsView } from "./actions-view.ts";
import { VAULT, VAULT_ACTIONS, VAULT_FIELDS, VAULT_FORM } from "./keys.ts";
import { vaultView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`: the entries, or the actions on all of them. */
export function VaultScreen(size: Size): ReactNode {
  const { vaultActions, vaultLock } = useConsole();
  const choosing = useStore(vaultActions.store, ({ open }) => open);
  useEffect(() => vaultLock.watch(), [vaultLock]);
  return choosing ? <ActionsPanel {...size} /> : <Keys {...size} />;
}

function Keys({ columns, rows, zoom }: Size): ReactNode {
  const { keyring, vaultActions, vaultLock, copies, context } = useConsole();
  const theme = useTheme();
  const state = useStore(keyring.store, (whole) => whole);
  const lock = useStore(vaultLock.store, (whole) => whole);
  const held = useStore(copies.store, (whole) => whole.held);
  const view = vaultView(
    usePresented(state),
    { columns, rows, zoom },
    { theme, profile: context.profile.name, lock, held, now: context.now() },
  );

  const mouse = { go: keyring.select, focus: keyring.focus };
  const pane = { ...view.head, rows: view.rows };

  useEffect(() => keyring.watch(), [keyring]);
  // What a terminal that scrolls has shown stays in it, and could not be hidden again.
  const scrolls =
    theme.ascii === "words"
      ? `This terminal would keep the secret in its scrollback; ${theme.keyName("vault.copy")} copies it without showing it.`
      : null;
  useLayer(
    state.adding === null
      ? VAULT.layer({ keyring, actions: vaultActions, state, scrolls, go: keyring.select, page: PAGE })
      : VAULT_FORM.layer(keyring),
  );
  useLayer(VAULT_FIELDS.layer(state.adding, keyring));

  return (
    <PaneScreen
      columns={columns}
      rows={rows}
      bands={[{ panes: [pane], height: Math.max(0, rows - 1) }]}
      mouse={mouse}
    />
  );
}

const PAGE = 5;

/** The menu of actions on the whole vault. */
function ActionsPanel({ columns, rows }: Size): ReactNode {
  const { vaultActions, vaultLock, keyring } = useConsole();
  const state = useStore(vaultActions.store, (whole) => whole);
  const lock = useStore(vaultLock.store, (whole) => whole);
  // The menu depends on the entries of the vault.
  useStore(keyring.store, ({ entries }) => entries);
  const view = actionsView(state, vaultActions.list(), lock, { columns, rows }, useTheme());
  useLayer(VAULT_ACTIONS.layer(vaultActions));
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={[view.head]} />
      <Rows rows={view.rows} />
    </Box>
  );
}
