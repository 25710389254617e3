// The vault's settings, in the configuration tree: the command that gives the passphrase. Never in the data tree, so that
// a vault from elsewhere cannot bring its own command.

import { openDocument } from "#src/storage/documents/document.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asNullable, asObject, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";

interface SettingsData {
  /** Program and arguments, given to no shell; null while the passphrase is typed. */
  passphraseCommand: readonly string[] | null;
}

export interface VaultSettings {
  passphraseCommand(): Promise<readonly string[] | null>;
  /** @throws Fault("storage") */
  setPassphraseCommand(command: readonly string[] | null): Promise<void>;
}

/** Opens the settings; touches no file before the first call. */
export function openVaultSettings(path: string, onProblem: OnProblem, fs: FileSystem): VaultSettings {
  const document = openDocument<SettingsData>({
    path,
    format: "verdict/vault-settings",
    schema: 1,
    initial: () => ({ passphraseCommand: null }),
    parse: parseSettings,
    onProblem,
    fs,
  });
  const passphraseCommand = async (): Promise<readonly string[] | null> =>
    (await document.read()).passphraseCommand;
  return {
    passphraseCommand,
    setPassphraseCommand: async (command) => {
      if (command === null && (await passphraseCommand()) === null) return;
      await document.update((data) => {
        data.passphraseCommand = command;
      });
    },
  };
}

function parseSettings(value: unknown): SettingsData {
  const command = asNullable(asObject(value)["passphraseCommand"], (list) => asList(list).map(asText));
  if (command?.length === 0) throw new TypeError("an empty command");
  return { passphraseCommand: command };
}
