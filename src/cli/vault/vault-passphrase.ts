// verdict vault passphrase: shows or changes the protection of the vault.

import type { Context } from "#src/app/context.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { usage } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { newPassphrase, pipedLines } from "./passphrase-input.ts";
import type { VAULT_PASSPHRASE } from "./vault-options.ts";

type Vault = Awaited<ReturnType<Context["vault"]>>;
type Protection = Awaited<ReturnType<Vault["protection"]>>;

type Protecting = Invocation<typeof VAULT_PASSPHRASE>;

export const passphrase: CommandRun<typeof VAULT_PASSPHRASE> = async (invocation) => {
  const { options } = invocation;
  const words = invocation.args.filter((word) => word !== undefined);
  if (words.length > 0 && !options.command) {
    throw usage`Words are taken after --command only: program and arguments, given to no shell.`;
  }
  const vault = await (await invocation.context()).vault();
  if (options.set) return set(invocation, vault);
  if (options.remove) return remove(invocation, vault);
  return options.command ? setCommand(invocation, vault, words) : describe(invocation, vault);
};

async function set(invocation: Protecting, vault: Vault): Promise<void> {
  const lines = await unlockByLines(invocation, vault);
  await vault.ensureOpen();
  await vault.setPassphrase(await newPassphrase(invocation, "of the vault", lines));
  return say(
    invocation,
    "passphrase",
    "A passphrase now protects the vault, and verdict removed its older versions on this machine. Without the passphrase the vault cannot be opened: keep the passphrase in a safe place.",
  );
}

async function remove(invocation: Protecting, vault: Vault): Promise<void> {
  if ((await vault.protection()) === "key_file") {
    throw usage`The vault has no passphrase; its key file protects it already.`;
  }
  await unlockByLines(invocation, vault);
  await vault.ensureOpen();
  if (!(await confirm(invocation, "Let a key file open the vault, without being asked for a passphrase?"))) {
    return declined(invocation, { protection: await vault.protection() }, "Nothing was changed.");
  }
  await vault.setPassphrase(null);
  return say(invocation, "key_file", `A key file protects the vault now. ${KEY_FILE_MEANS}`);
}

async function setCommand(invocation: Protecting, vault: Vault, words: readonly string[]): Promise<void> {
  if (words.length === 0) {
    throw usage`--command needs a program, e.g. verdict vault passphrase --command pass show verdict; put -- before words that begin with a dash.`;
  }
  await unlockByLines(invocation, vault);
  await vault.setPassphraseCommand(words);
  return say(
    invocation,
    "passphrase_command",
    `The program ${safe(words.map(shellWord).join(" "))} now gives the passphrase of the vault. verdict runs the program each time it unlocks the vault.`,
  );
}

/** With --json the same object that tells the protection without a change. */
function say(invocation: Protecting, protection: Protection, sentence: string): void {
  sayDone(invocation, { protection }, sentence);
}

/**
 * With --secret-stdin, unlocks a vault by the first line.
 * @returns the remaining lines; null without --secret-stdin
 */
async function unlockByLines(invocation: Protecting, vault: Vault): Promise<readonly string[] | null> {
  const lines = await pipedLines(invocation);
  if (lines === null || vault.lockState() === "open") return lines;
  await vault.unlock(new Secret(lines[0] ?? ""));
  return lines.slice(1);
}

async function describe({ output, options }: Protecting, vault: Vault): Promise<void> {
  const protection = await vault.protection();
  if (options.json) output.json({ schema: 1, protection });
  else output.advise(MEANINGS[protection]);
}

const KEY_FILE_MEANS =
  "That protects copies of the data folder, such as backups; it does not protect against root or against programs of the same account.";

const MEANINGS: Readonly<Record<Protection, string>> = {
  key_file: `A key file in the state folder protects the vault, and nothing is asked. ${KEY_FILE_MEANS} "verdict vault passphrase --set" protects it by a passphrase.`,
  passphrase:
    "A passphrase protects the vault: it is asked for when a secret is needed, and files alone open nothing.",
  passphrase_command:
    "A passphrase protects the vault, and a command gives it when a secret is needed: anyone who can run that command can open the vault.",
};
