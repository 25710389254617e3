// What the protection of the vault does and does not cover, in one or two sentences.

import type { KeyName } from "#src/display/key-name.ts";
import { hasPassphrase, type VaultLockState } from "#src/state/vault/vault-lock.ts";

export function protectionText(lock: VaultLockState, keyName: KeyName): string {
  if (lock.protection === null) return "";
  if (!hasPassphrase(lock)) {
    return "Protected by a key file: it protects copies of the data folder, but not against root or anyone with access to your account.";
  }
  const what = lock.protection === "passphrase" ? "a passphrase" : "the passphrase that a command gives";
  return lock.locked
    ? `Protected by ${what}, and locked: names are shown, secrets are not.`
    : `Protected by ${what}. The vault locks after 10 minutes without use, and after 2 hours in any case; ${keyName("lock.lock")} locks it now.`;
}
