// Reads passphrases: typed without echo on a terminal, or from lines of standard input.

import type { Piped } from "#src/cli/option-specs.ts";
import { isAttended, noTerminal, startWith, typeHidden, type Keyboard } from "#src/cli/ask.ts";
import type { Invocation } from "#src/cli/command.ts";
import { readAll } from "#src/app/read-input.ts";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";

const STOPPED = "Stopped; nothing was changed.";

/**
 * Asks for the passphrase of the vault.
 * @param problem why the previous one was not accepted
 * @throws Fault("vault_locked") without a terminal
 */
export async function askForPassphrase(keyboard: Keyboard, problem: string | null): Promise<Secret> {
  if (!isAttended(keyboard)) {
    throw new Fault(
      "vault_locked",
      whole(
        problem ??
          `The vault is locked and ${noTerminal(keyboard, "to type its passphrase on")}; let a program give it: "verdict vault help passphrase" says how.`,
      ),
    );
  }
  const label = "Passphrase of the vault (not shown): ";
  return new Secret(await typeHidden(keyboard, label, STOPPED, problem));
}

/**
 * A new passphrase: typed twice, or the first line that was piped in.
 * @param what whose passphrase, for the prompt
 * @throws Fault("usage") without a terminal and without lines, Fault("bad_input") when the two differ
 */
export async function newPassphrase(
  invocation: Invocation,
  what: string,
  lines: readonly string[] | null,
): Promise<Secret> {
  if (lines !== null) return piped(lines[0]);
  requireAttended(invocation);
  const first = await typeHidden(invocation, `New passphrase ${what} (not shown): `, STOPPED);
  const second = await typeHidden(invocation, "The same once more: ", STOPPED);
  if (first === second) return new Secret(first);
  throw badInput`The two passphrases are not the same; nothing was changed.`;
}

/** A passphrase that exists: typed once, or the first line that was piped in. */
export async function knownPassphrase(
  invocation: Invocation,
  what: string,
  lines: readonly string[] | null,
): Promise<Secret> {
  if (lines !== null) return piped(lines[0]);
  requireAttended(invocation);
  return new Secret(await typeHidden(invocation, `Passphrase ${what} (not shown): `, STOPPED));
}

/** The lines of standard input with `--secret-stdin`; null without it. */
export async function pipedLines(invocation: Invocation<Piped>): Promise<readonly string[] | null> {
  if (!invocation.options.secretStdin) return null;
  const bytes = await readAll(invocation.stdin, invocation.signal);
  return Buffer.from(bytes)
    .toString("utf8")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
}

function piped(line: string | undefined): Secret {
  if (line !== undefined && line !== "") return new Secret(line);
  throw badInput`Standard input holds no passphrase; write it on a line of its own.`;
}

function requireAttended(keyboard: Keyboard): void {
  if (isAttended(keyboard)) return;
  throw usage`${whole(startWith(noTerminal(keyboard, "to type the passphrase on")))}; pipe it in with --secret-stdin.`;
}
