// verdict vault show --reveal, show --raw and copy: the commands that output a secret.

import { sayDone } from "#src/cli/done.ts";
import type { Context } from "#src/app/context.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import type { Secret } from "#src/contract/secret.ts";
import { safe } from "#src/display/safe.ts";
import { formatCountdown } from "#src/display/time.ts";
import { clearSequence, copySequence, multiplexerNote, multiplexerOf } from "#src/terminal/clipboard.ts";
import { showPrivately } from "#src/terminal/private-screen.ts";
import { findEntry, type Entry } from "./vault-entry.ts";
import type { VAULT_COPY } from "./vault-options.ts";

const SHOWN_MS = 30_000;
const DEFAULT_CLEAR_S = 30;

/** Writes the bare secret into a pipe or file. @throws Fault("usage") on a terminal */
export async function writeRaw(invocation: Invocation, context: Context, entry: Entry): Promise<void> {
  if (invocation.output.isTerminal) {
    throw usage`The bare secret is not written to a terminal; pipe it on, or show it for a moment with --reveal.`;
  }
  const vault = await context.vault();
  await vault.ensureOpen();
  invocation.output.exact(`${vault.reveal(entry.id).expose()}\n`);
}

/** Shows a secret on a terminal for a moment. @throws Fault("usage") without one */
export async function revealEntry(invocation: Invocation, context: Context, entry: Entry): Promise<void> {
  requireScreen(invocation);
  const vault = await context.vault();
  await vault.ensureOpen();
  const what = `Secret of the ${KIND_WORD[entry.kind]} of ${safe(ownerOf(entry))}, key id ${safe(entry.keyId)}`;
  await showSecret(invocation, what, vault.reveal(entry.id));
}

/** @throws Fault("usage") without a terminal that can show and erase a page */
export function requireScreen({ output, stdin }: Invocation): void {
  if (output.isTerminal && stdin.isTTY && output.control("")) return;
  throw usage`A secret is revealed on a terminal only; add --raw instead of --reveal to write it into a pipe or file.`;
}

/** Shows a page outside the scrollback, which disappears after a key or half a minute. */
export async function showSecret(invocation: Invocation, what: string, secret: Secret): Promise<void> {
  const { stdin, output, signal } = invocation;
  await showPrivately(
    [
      what,
      "",
      safe(secret.expose(), { max: 256 }),
      "",
      "Anyone who sees or records this screen has the secret.",
      `Press any key to hide it; it hides by itself after ${SHOWN_MS / 1000} s.`,
    ],
    { stdin, write: (text) => output.control(text), signal, limitMs: SHOWN_MS },
  );
}

export const copy: CommandRun<typeof VAULT_COPY> = async (invocation) => {
  const { options, output, env, signal } = invocation;
  const clearAfterS = options.clearAfter ?? DEFAULT_CLEAR_S;
  if (!output.control("")) {
    throw usage`There is no terminal whose clipboard could take it; "verdict vault show ID --raw" writes it into a pipe.`;
  }
  const context = await invocation.context();
  const vault = await context.vault();
  const entry = findEntry(vault, invocation.args[0]!);
  await vault.ensureOpen();
  const multiplexer = multiplexerOf(env);
  output.control(copySequence(vault.reveal(entry.id).expose(), multiplexer));
  sayDone(
    invocation,
    { id: entry.id, sent: true, clear_after_s: clearAfterS },
    `The secret of ${safe(ownerOf(entry))} was sent to your terminal's clipboard.`,
    clearAfterS === 0 ? "It stays there until you copy something else." : null,
  );
  const note = multiplexerNote(multiplexer);
  if (note !== null) output.note(note);
  if (clearAfterS === 0) return;
  const until = performance.now() + clearAfterS * 1000;
  try {
    for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
      output.progress(`Cleared in ${formatCountdown(left)}; Ctrl-C clears it now`);
      await context.sleep(Math.min(1000, left), signal);
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "interrupted") throw error;
  } finally {
    output.control(clearSequence(multiplexer));
  }
  output.note("The clipboard was cleared.");
  return signal.aborted ? EXIT.interrupted : EXIT.done;
};
