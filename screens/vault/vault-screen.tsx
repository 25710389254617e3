// The Vault screen: integration keys and credentials, masked; one of them can be revealed for ten seconds.

import { Box } from "ink";
import { useEffect, type ReactNode } from "react";
import { moveHandlers } from "#src/keys/move-bindings.ts";
import { reasons, useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import type { Keyring } from "#src/state/vault/keyring.ts";
import type { VaultActions } from "#src/state/vault/vault-actions.ts";
import { buttonLayer, formLayer } from "#src/ui/form-layer.ts";
import { Rows } from "#src/ui/line.tsx";
import { mouseOn } from "#src/ui/mouse.ts";
import { Bands, PaneTitles } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { type KeyringState, selectedKey, whyNotTest } from "#src/state/vault/keyring-state.ts";
import { actionsView } from "./actions-view.ts";
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
  const panes = mouseOn([{ ...view.head, rows: view.rows }], mouse);

  useEffect(() => keyring.watch(), [keyring]);
  // What a terminal that scrolls has shown stays in it, and could not be hidden again.
  const scrolls =
    theme.ascii === "words"
      ? `This terminal would keep the secret in its scrollback; ${theme.keyName("vault.copy")} copies it without showing it.`
      : null;
  useLayer(
    state.adding === null
      ? screenLayer(keyring, state, vaultActions, scrolls)
      : buttonLayer("vault.form", keyring),
  );
  useLayer(formLayer("vault", state.adding, keyring));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Bands bands={[{ panes, height: Math.max(0, rows - 1) }]} />
    </Box>
  );
}

const PAGE = 5;

function screenLayer(
  keyring: Keyring,
  state: KeyringState,
  actions: VaultActions,
  scrolls: string | null,
): Parameters<typeof useLayer>[0] {
  const none = selectedKey(state) === null ? "The vault has no key to choose." : null;
  return {
    scope: "vault",
    level: 1,
    handlers: {
      "vault.reveal": () => keyring.reveal(),
      "vault.add": () => keyring.add(),
      "vault.copy": () => keyring.copy(),
      "vault.actions": () => actions.open(),
      "vault.test": () => void keyring.test(),
      "vault.remove": () => keyring.remove(),
      ...moveHandlers("vault", (to) => keyring.select(to), PAGE),
      ...(state.revealed === null ? {} : { "vault.hide": () => keyring.hide() }),
    },
    disabled: reasons({
      "vault.reveal": none ?? scrolls,
      "vault.copy": none,
      "vault.test": none ?? whyNotTest(state),
      "vault.remove": none,
    }),
  };
}

/** The menu of actions on the whole vault. */
function ActionsPanel({ columns, rows }: Size): ReactNode {
  const { vaultActions, vaultLock, keyring } = useConsole();
  const state = useStore(vaultActions.store, (whole) => whole);
  const lock = useStore(vaultLock.store, (whole) => whole);
  // The menu depends on the entries of the vault.
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
