// Command lines for the vault as a whole and for the selected entry, as the palette offers them.

import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import type { LineForm } from "#src/contract/records/typed-line.ts";
import { formerKey, selectedKey, type KeyringState } from "./keyring-state.ts";
import { hasPassphrase, type VaultLockState } from "./vault-lock.ts";

/** The lines; with a blank at its end one wants the name of a file. */
export function vaultLines(keys: KeyringState, lock: VaultLockState): readonly LineForm[] {
  const selected = selectedKey(keys);
  const former = formerKey(keys);
  const isGuarded = hasPassphrase(lock);
  const lines: readonly (LineForm | false | null)[] = [
    { text: "vault passphrase --set", about: isGuarded ? "change the passphrase" : "set a passphrase" },
    isGuarded && { text: "vault passphrase --remove", about: "a key file instead of the passphrase" },
    former && {
      text: `vault restore ${former.id}`,
      about: `put back the former ${KIND_WORD[former.kind]} of ${ownerOf(former)}, key id ${former.keyId}`,
    },
    keys.entries.length + keys.elsewhere > 0 && {
      text: "vault export ",
      about: "everything into a new age file",
    },
    selected && {
      text: `vault export --only ${selected.id} `,
      about: `the ${KIND_WORD[selected.kind]} of ${ownerOf(selected)} alone`,
    },
    { text: "vault import ", about: "take entries from an age file" },
    { text: "doctor --verify", about: "open every entry, and report damage" },
  ];
  return lines.filter((line) => line !== null && line !== false);
}
