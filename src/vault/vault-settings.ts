// The vault's settings, in the configuration tree: the command that gives the passphrase. Never in the data tree, so that
// a vault from elsewhere cannot bring its own command.

import { anyText, list, openMap, orNothing } from "#src/contract/text/shape.ts";
import { openDocument } from "#src/storage/documents/document.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";

const SETTINGS = openMap({
  passphraseCommand: orNothing(
    list(anyText(), "Program and arguments, given to no shell; null while the passphrase is typed.", {
      minItems: 1,
    }),
  ),
});

export type VaultSettings = ReturnType<typeof openVaultSettings>;

/** Opens the settings; touches no file before the first call. */
export function openVaultSettings(path: string, onProblem: OnProblem, fs: FileSystem) {
  const document = openDocument({
    path,
    format: "verdict/vault-settings",
    schema: 1,
    initial: () => ({ passphraseCommand: null }),
    shape: SETTINGS,
    onProblem,
    fs,
  });
  const passphraseCommand = async (): Promise<readonly string[] | null> =>
    (await document.read()).passphraseCommand;
  return {
    passphraseCommand,
    /** @throws Fault("storage") */
    setPassphraseCommand: async (command: readonly string[] | null): Promise<void> => {
      if (command === null && (await passphraseCommand()) === null) return;
      await document.update((data) => {
        data.passphraseCommand = command;
      });
    },
  };
}
