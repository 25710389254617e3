// The Vault screen: integration keys and credentials, masked; one of them can be revealed for ten seconds.

import { useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { listedKeys } from "#src/state/vault/keyring-state.ts";
import { vaultLines } from "#src/state/vault/vault-lines.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { VAULT, VAULT_FIELDS, VAULT_FORM } from "./keys.ts";
import { vaultView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function VaultScreen({ columns, rows, zoom }: Size): ReactNode {
  const { keyring, vaultLock, copies, context, session } = useConsole();
  const theme = useTheme();
  const state = useStore(keyring.store, (whole) => whole);
  const lock = useStore(vaultLock.store, (whole) => whole);
  const held = useStore(copies.store, (whole) => whole.held);
  const view = vaultView(
    useShown({ ...state, entries: listedKeys(state) }),
    { columns, rows, zoom },
    { theme, profile: context.profile.name, lock, held, now: context.now() },
  );

  const mouse = { go: keyring.select, focus: keyring.focus };

  useEffect(() => vaultLock.watch(), [vaultLock]);
  useEffect(() => keyring.watch(), [keyring]);
  // What a terminal that scrolls has shown stays in it, and could not be hidden again.
  const scrolls =
    theme.ascii === "words"
      ? `This terminal would keep the secret in its scrollback; ${theme.keyName("vault.copy")} copies it without showing it.`
      : null;
  const showActions = (): void => {
    keyring.hide();
    session.showPalette(true, vaultLines(state, lock));
  };
  useLayer(
    state.adding === null
      ? VAULT.layer({ keyring, showActions, state, scrolls, go: keyring.select, page: PAGE })
      : VAULT_FORM.layer(keyring),
  );
  useLayer(VAULT_FIELDS.layer(state.adding, keyring));

  return <PaneScreen columns={columns} rows={rows} bands={view} mouse={mouse} />;
}

const PAGE = 5;
