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

const ENTRY_ID: readonly [string, string] = ["<id>", "id of the entry, or the beginning of it"];

export const VAULT_COMMAND: CommandSpec = {
  name: "vault",
  summary: "integration keys and project credentials, sealed on disk",
  notes:
    "Each secret is sealed alone (AES-256-GCM) and bound to its project and its\n" +
    "address: moved to another entry, or pointed at another host, it does not open.\n" +
    "The seals do not show age: an earlier copy of the vault opens as well, so a key\n" +
    "that must not be used any more is revoked at the service, not just removed here.\n" +
    "A key file in the state folder opens the vault at first, without a question.\n" +
    "That protects copies of the data folder, such as backups or a synchronised\n" +
    "folder. It does not protect against root, against programs that run under your\n" +
    "account, or against a copy of both folders. Against copies, a passphrase does:\n" +
    'see "verdict vault help passphrase".\n' +
    "Nothing stays unlocked between two commands; the console locks the vault after\n" +
    "10 minutes without use and after 2 hours in any case.\n" +
    'The keys of the keyboard: "verdict help shortcuts".',
  children: [
    command({
      name: "list",
      summary: "list what the vault holds, masked",
      options: SHOWN,
      examples: [["verdict vault list --fields id,kind,key_id", "a line for each entry, for a program"]],
      load: async () => (await import("./vault.ts")).list,
    }),
    command({
      name: "add",
      summary: "enter a credential or an integration key by hand",
      options: VAULT_ADD,
      notes:
        "With --project-id it is the credential that signs the checks of a project, e.g.\n" +
        "after its 24 hours are over; with --company-id an integration key, which signs\n" +
        "registrations. Checks are sent with key id and project id alone: merchant and\n" +
        "risk level are labels, by which the project is named merchant/level here.\n" +
        "Without --secret-stdin the secret is typed without echo.",
      examples: [
        [
          "pass show shop | verdict vault add --key-id KEY_ID --project-id ID --secret-stdin",
          "the credential of a project of the profile in use",
        ],
        [
          "pass show shop | verdict vault add --key-id KEY_ID --company-id ID --secret-stdin",
          "its integration key",
        ],
        [
          "verdict sandbox panel --secret KEY_ID | verdict vault add ... --secret-stdin",
          "the manual way of the sandbox, without showing the secret",
        ],
      ],
      load: async () => (await import("./vault.ts")).add,
    }),
    command({
      name: "show",
      summary: "show one entry, masked",
      arguments: [ENTRY_ID],
      options: VAULT_SHOW,
      examples: [["verdict vault show ID --raw | other-program", "passes the secret on without showing it"]],
      load: async () => (await import("./vault.ts")).show,
    }),
    command({
      name: "copy",
      summary: "send a secret to your terminal's clipboard (OSC 52), over SSH too, and clear it again",
      arguments: [ENTRY_ID],
      options: VAULT_COPY,
      notes:
        "The command waits until the clipboard is cleared; Ctrl-C clears it at once. tmux\n" +
        "needs allow-passthrough. If nothing arrives, the terminal does not support OSC\n" +
        "52; show --raw writes the secret into a pipe.",
      examples: [["verdict vault copy ID --clear-after 1m", "the secret of one entry, for a minute"]],
      load: async () => (await import("./vault-secret.ts")).copy,
    }),
    command({
      name: "restore",
      summary: "restore an entry that another one has replaced",
      arguments: [ENTRY_ID],
      options: { json: JSON_OPTION },
      notes:
        "A key that replaces another one, whether fetched, entered by hand or imported,\n" +
        'does not destroy it: the former entry stays sealed, "vault list" shows it, it\n' +
        'signs nothing, and only "vault remove" deletes it.',
      examples: [["verdict vault restore ID", "back to the key that was replaced by mistake"]],
      load: async () => (await import("./vault.ts")).restore,
    }),
    command({
      name: "remove",
      summary: "permanently remove one entry",
      arguments: [ENTRY_ID],
      options: { yes: YES, json: JSON_OPTION },
      examples: [["verdict vault remove ID --yes", "without a question, in a script"]],
      load: async () => (await import("./vault.ts")).remove,
    }),
    command({
      name: "export",
      summary: "write entries with their secrets into an age file",
      arguments: [["<file>", "the new file; an existing file is not overwritten"]],
      options: VAULT_EXPORT,
      notes:
        "The file is readable by your account only and sealed as by any age program;\n" +
        '"age -d FILE" shows what is in it, as JSON.',
      examples: [
        ["verdict vault export keys.age", "all entries, by a passphrase"],
        ["verdict vault export keys.age --recipient age1...", "for the holder of that identity"],
      ],
      load: async () => (await import("./vault-files.ts")).exportVault,
    }),
    command({
      name: "import",
      summary: "import entries from an age file, after showing what would change",
      arguments: [["<file>", "an age file that verdict has exported; - for standard input"]],
      options: VAULT_IMPORT,
      examples: [["verdict vault import keys.age --dry-run", "what the file would add or replace"]],
      load: async () => (await import("./vault-files.ts")).importVault,
    }),
    command({
      name: "passphrase",
      summary: "show or change what protects the vault: a key file, a passphrase, or a command that gives it",
      arguments: [["[word...]", "after --command: program and arguments, run without a shell"]],
      options: VAULT_PASSPHRASE,
      notes:
        "The key file (the default) protects copies of the data folder. It does not\n" +
        "protect against root, against programs that run under your account, or against\n" +
        "a copy of both folders. A passphrase protects copies of everything; while the\n" +
        "vault is open, root and your own programs can still read it. A passphrase that\n" +
        "is forgotten cannot be recovered.",
      details:
        "A change seals every entry again with another key, and removes older versions\n" +
        "from the data folder. Your backups, snapshots and free blocks of the disk are out\n" +
        "of reach: change the keys at the service where those may have been copied.\n" +
        "Without a terminal nothing is asked: a locked vault ends a command with 3, unless\n" +
        "a command gives the passphrase. It gets no standard input and 60 seconds.",
      examples: [
        ["verdict vault passphrase --set", "asks twice"],
        ["verdict vault passphrase --command pass show verdict", "from the password store"],
        [
          "verdict vault passphrase --command -- op read op://private/verdict/password",
          "from 1Password; -- ends verdict's own options",
        ],
        [
          "verdict vault passphrase --command secret-tool lookup app verdict",
          "from the desktop's keyring, where there is one",
        ],
      ],
      load: async () => (await import("./vault-passphrase.ts")).passphrase,
    }),
  ],
};
