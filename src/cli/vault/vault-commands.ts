// The subcommands of "verdict vault" in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, SHOWN, YES } from "#src/cli/option-specs.ts";
import {
  VAULT_ADD,
  VAULT_SHOW,
  VAULT_COPY,
  VAULT_EXPORT,
  VAULT_IMPORT,
  VAULT_PASSPHRASE,
} from "./vault-options.ts";

const ENTRY_ID: readonly [string, string] = ["<id>", "id of the entry, or the beginning of the id"];

export const VAULT_COMMAND: CommandSpec = {
  name: "vault",
  summary: "manage integration keys and project credentials, encrypted on disk",
  notes:
    "Each secret is encrypted by itself (AES-256-GCM) and bound to its project and\n" +
    "address. A secret that is moved to another entry or used for another host cannot\n" +
    "be decrypted. verdict cannot detect an old copy of the vault, so revoke an old\n" +
    "key at the service. The vault is locked between two commands; the console locks\n" +
    "it after 10 minutes without use, or after 2 hours in any case. What protects the\n" +
    'vault: "verdict help vault passphrase".',
  children: [
    command({
      name: "list",
      summary: "list the vault entries, with secrets masked",
      options: SHOWN,
      examples: [["verdict vault list --fields id,kind,key_id", "a line for each entry, for a program"]],
      load: async () => (await import("./vault.ts")).list,
    }),
    command({
      name: "add",
      summary: "enter a credential or an integration key by hand",
      options: VAULT_ADD,
      notes:
        "Use --project-id for a credential, which signs the checks of a project, e.g.\n" +
        "when the 24 hours after registration are over. Use --company-id for an\n" +
        "integration key, which signs registrations. The service gets only key id and\n" +
        "project id: merchant and risk level form the name merchant/level of the project\n" +
        "in verdict. Without --secret-stdin you type the secret; verdict does not show\n" +
        "it.",
      examples: [
        [
          "pass show shop | verdict vault add --key-id KEY_ID --project-id ID --secret-stdin",
          "a credential, from the password manager pass",
        ],
        [
          "pass show shop | verdict vault add --key-id KEY_ID --company-id ID --secret-stdin",
          "an integration key, from the password manager pass",
        ],
        [
          "verdict sandbox panel --secret KEY_ID | verdict vault add --key-id KEY_ID --project-id ID --secret-stdin",
          "a credential from the administrative panel of the sandbox",
        ],
      ],
      load: async () => (await import("./vault.ts")).add,
    }),
    command({
      name: "show",
      summary: "show one entry, with its secret masked",
      arguments: [ENTRY_ID],
      options: VAULT_SHOW,
      examples: [
        ["verdict vault show ID --raw | other-program", "gives the secret to a program without showing it"],
      ],
      load: async () => (await import("./vault.ts")).show,
    }),
    command({
      name: "copy",
      summary: "copy a secret to the clipboard, then clear it",
      arguments: [ENTRY_ID],
      options: VAULT_COPY,
      notes:
        "The command waits until the clipboard is cleared; Ctrl-C clears it at once.\n" +
        "verdict uses the clipboard of your terminal (OSC 52), also over SSH. In tmux,\n" +
        "first run: tmux set -g allow-passthrough on. If the clipboard stays empty, the\n" +
        'terminal does not support OSC 52; use "verdict vault show ID --raw" in a pipe.',
      examples: [["verdict vault copy ID --clear-after 1m", "the secret of one entry, for a minute"]],
      load: async () => (await import("./vault-secret.ts")).copy,
    }),
    command({
      name: "restore",
      summary: "restore an entry that was replaced",
      arguments: [ENTRY_ID],
      options: { json: JSON_OPTION },
      notes:
        "A replaced key is not deleted, whether the new key was fetched, entered or\n" +
        'imported. The former entry stays encrypted in the vault and "verdict vault list"\n' +
        'shows it, but it signs nothing. Only "verdict vault remove" deletes the former\n' +
        "entry.",
      examples: [["verdict vault restore ID", "back to the key that was replaced by mistake"]],
      load: async () => (await import("./vault.ts")).restore,
    }),
    command({
      name: "remove",
      summary: "permanently remove one entry",
      arguments: [ENTRY_ID],
      options: { yes: YES, json: JSON_OPTION },
      notes:
        "A removed credential is not fetched again automatically. Within the 24 hours of\n" +
        'its project, "verdict project credential" fetches it again.',
      examples: [["verdict vault remove ID --yes", "without a question, in a script"]],
      load: async () => (await import("./vault.ts")).remove,
    }),
    command({
      name: "export",
      summary: "write entries with their secrets into an age file",
      arguments: [["<file>", "the new file; an existing file is not overwritten"]],
      options: VAULT_EXPORT,
      notes:
        "Only your account can read the file. The file is a standard age-encrypted file;\n" +
        '"age -d FILE" prints its content as JSON.',
      examples: [
        ["verdict vault export keys.age", "all entries, encrypted with a passphrase that is asked for"],
        [
          "verdict vault export keys.age --recipient age1...",
          "all entries, encrypted for one age public key",
        ],
      ],
      load: async () => (await import("./vault-files.ts")).exportVault,
    }),
    command({
      name: "import",
      summary: "import entries from an age file",
      arguments: [["<file>", "an age file that verdict has exported; - for standard input"]],
      options: VAULT_IMPORT,
      examples: [["verdict vault import keys.age --dry-run", "what the file would add or replace"]],
      load: async () => (await import("./vault-files.ts")).importVault,
    }),
    command({
      name: "passphrase",
      summary: "show or change the protection of the vault",
      arguments: [["[word...]", "after --command: program and arguments, run without a shell"]],
      options: VAULT_PASSPHRASE,
      notes:
        "The default protection is a key file in the state folder. A key file protects\n" +
        "copies of the data folder, but not against root, programs of your account, or a\n" +
        "copy of both folders. A passphrase, typed or printed by a command, protects\n" +
        "copies of everything; while the vault is open, root and your own programs can\n" +
        "still read it. A forgotten passphrase cannot be recovered.",
      details:
        "A change encrypts every entry again with another key, and removes older versions\n" +
        "from the data folder. verdict cannot change your backups, snapshots and free blocks\n" +
        "of the disk: if someone may have copied these, change the keys at the service.\n" +
        "Without a terminal nothing is asked: a locked vault ends a command with exit code 3,\n" +
        "unless a command gives the passphrase. The command gets no standard input and 60\n" +
        "seconds.",
      examples: [
        ["verdict vault passphrase --set", "sets a new passphrase, typed twice"],
        ["verdict vault passphrase --command pass show verdict", "from the password store"],
        [
          "verdict vault passphrase --command -- op read op://private/verdict/password",
          "from 1Password; -- ends verdict's own options",
        ],
        [
          "verdict vault passphrase --command secret-tool lookup app verdict",
          "from the keyring of the desktop",
        ],
      ],
      load: async () => (await import("./vault-passphrase.ts")).passphrase,
    }),
  ],
};
