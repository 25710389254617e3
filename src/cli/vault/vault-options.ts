// Options of the subcommands of "verdict vault".

import { flag, option, optional, seconds, text } from "#src/cli/option.ts";
import { JSON_OPTION, MERCHANT, RISK, SHOWN, YES } from "#src/cli/option-specs.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";

/** The key that "vault add" and "init" save. */
export const KEY = {
  keyId: text("<id>", "key id (header x-key-id)"),
  projectId: text("<id>", "project id, for a credential (header x-project-id)"),
  merchantId: optional(MERCHANT, "merchant of the project, as in your own system", {
    needs: "riskLevel",
    excludes: ["companyId"],
  }),
  riskLevel: optional(RISK, "risk level of the project", { needs: "merchantId" }),
  companyId: text("<id>", "company id, for an integration key (header x-company-id)", {
    excludes: ["projectId"],
  }),
  algorithm: text("<name>", "signing algorithm", { default: DEFAULT_ALGORITHM }),
  secretStdin: flag("read the secret from standard input"),
};

export const VAULT_ADD = {
  ...KEY,
  keyId: text("<id>", KEY.keyId.help, { required: true }),
  json: JSON_OPTION,
};

export const VAULT_SHOW = {
  reveal: flag("show the secret for 30 seconds on a terminal, then clear the screen"),
  raw: flag("write only the secret, to a pipe or file, never to a terminal"),
  ...SHOWN,
};

export const VAULT_COPY = {
  clearAfter: option(
    seconds(0, 3600),
    "clear the clipboard after this time, e.g. 1m; 0 never clears it (default: 30s)",
  ),
  json: JSON_OPTION,
};

export const VAULT_EXPORT = {
  recipient: text(
    "<age1...>",
    "age public key that can open the file (default: a passphrase, which is asked for)",
    { repeatable: true },
  ),
  only: text("<id>", "only this entry", { repeatable: true }),
  armor: flag("write ASCII text instead of bytes, for mail"),
  json: JSON_OPTION,
  secretStdin: flag("read the passphrase of the file from standard input"),
};

export const VAULT_IMPORT = {
  identity: text("<file>", "age identity file, if the file was encrypted for recipients"),
  replace: flag("also replace existing entries of the same project or company"),
  dryRun: flag("show what would change; change nothing", { short: "n" }),
  secretStdin: flag("read the passphrase of the file from standard input"),
  yes: YES,
  json: JSON_OPTION,
};

export const VAULT_PASSPHRASE = {
  set: flag("protect the vault with a new passphrase, typed twice", { excludes: ["command", "remove"] }),
  command: flag("protect the vault with the passphrase that a program prints as its first line"),
  remove: flag("protect the vault with a key file again", { excludes: ["command"] }),
  secretStdin: flag(
    "read from standard input, one a line: the current passphrase if set, then the new passphrase",
  ),
  yes: YES,
  json: JSON_OPTION,
};
