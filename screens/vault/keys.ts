// The commands of the Vault screen.

import { commands, key, only } from "#src/keys/command.ts";
import { buttonCommands, fieldCommands, type FormVerbs } from "#src/keys/form-commands.ts";
import { moves, sorts, throughRows, type Moving } from "#src/keys/move-commands.ts";
import { selectedKey, whyNotTest, type KeyringState } from "#src/state/vault/keyring-state.ts";
import type { Keyring } from "#src/state/vault/keyring.ts";

interface Scene extends Moving {
  readonly keyring: Keyring;
  /** Opens the palette on lines for the vault as a whole. */
  readonly showActions: () => void;
  readonly state: KeyringState;
  /** Why a secret cannot be hidden again on this terminal; null where it can. */
  readonly scrolls: string | null;
}

const FORM_GROUP = "Vault, in a form";

const whyNone = ({ state }: Scene): string | null =>
  selectedKey(state) === null ? "No key is listed." : null;

export const VAULT = commands<Scene>("vault", "Vault", 1, {
  reveal: key("v", "reveal for 10 s", 1, ({ keyring }) => keyring.reveal(), {
    exposes: true,
    not: (scene) => whyNone(scene) ?? scene.scrolls,
  }),
  add: key("a", "add a key", 2, ({ keyring }) => keyring.add()),
  test: key("t", "test", 4, ({ keyring }) => keyring.test(), {
    sends: true,
    not: (scene) => whyNone(scene) ?? whyNotTest(scene.state),
  }),
  copy: key("y", "copy for 30 s", 3, ({ keyring }) => keyring.copy(), { exposes: true, not: whyNone }),
  remove: key("d delete", "remove", 6, ({ keyring }) => keyring.remove(), { not: whyNone }),
  actions: key("x", "actions", 5, ({ showActions }) => showActions(), { exposes: true, opensText: true }),
  // Of the two that may be there, the secret first.
  hide: key(
    "esc",
    "back",
    0,
    ({ keyring, state }) => (state.revealed === null ? keyring.setFilter("") : keyring.hide()),
    { when: ({ state }) => state.revealed !== null || state.filter !== "" },
  ),
  ...only<Scene>(({ state }) => state.entries.length > 0, {
    filter: key("/", "filter", 7, ({ keyring }) => keyring.askFilter(), { opensText: true, exposes: true }),
    ...sorts(({ keyring }, how) => keyring.sort(how)),
  }),
  ...moves(throughRows("key", "five")),
});

export const VAULT_FORM = commands<FormVerbs>("vault.form", FORM_GROUP, 1, buttonCommands());
export const VAULT_FIELDS = fieldCommands("vault", FORM_GROUP);
