// What the user is asked for: a secret through a pipe or without echo, a yes or no. Apart from documents, because a plain
// check needs neither a line editor nor cryptography to start.

import { createInterface } from "node:readline/promises";
import { Fault } from "#src/contract/fault.ts";
import { CREDENTIAL_VALUE, Secret } from "#src/contract/secret.ts";
import type { Invocation } from "./command.ts";
import { readAll } from "./read-input.ts";

/**
 * Reads a secret: from a pipe with `--secret-stdin`, or typed without echo on a terminal. Never from the command line.
 * @throws Fault("usage") without a terminal and without `--secret-stdin`, Fault("bad_input") for what cannot be a secret
 */
export async function readSecret(invocation: Invocation): Promise<Secret> {
  const { stdin, options, output } = invocation;
  if (!options.flag("secretStdin") && stdin.isTTY !== true) {
    throw new Fault("usage", "There is no terminal to type the secret on; pipe it in with --secret-stdin.");
  }
  const text = options.flag("secretStdin")
    ? Buffer.from(await readAll(stdin, invocation.signal))
        .toString("utf8")
        .replace(/\r?\n$/, "")
    : await typeSecret(stdin, output.prompt, invocation.signal);
  if (!CREDENTIAL_VALUE.test(text)) {
    throw new Fault(
      "bad_input",
      "The secret must be 1 to 256 printable ASCII characters without blanks; nothing was saved.",
    );
  }
  return new Secret(text);
}

/** Takes keys one by one in raw mode, so that nothing is echoed or kept in the terminal's line. */
function typeSecret(
  stdin: NodeJS.ReadStream,
  prompt: (text: string | null) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = "";
    const finish = (settle: () => void): void => {
      stdin.off("data", take);
      stdin.setRawMode(false);
      stdin.pause();
      prompt(null);
      settle();
    };
    const take = (chunk: Buffer): void => {
      for (const character of chunk.toString("utf8")) {
        if (character === "\r" || character === "\n") return finish(() => resolve(typed));
        if (character === "\u0003" || character === "\u0004")
          return finish(() => reject(new Fault("interrupted", "Stopped; nothing was saved.")));
        typed = character === "\u007f" || character === "\b" ? typed.slice(0, -1) : typed + character;
      }
    };
    signal.addEventListener(
      "abort",
      () => finish(() => reject(new Fault("interrupted", "Stopped; nothing was saved."))),
      {
        once: true,
      },
    );
    prompt("Secret (not shown): ");
    stdin.setRawMode(true);
    stdin.on("data", take);
    stdin.resume();
  });
}

/**
 * Asks before something is destroyed; the default is no.
 * @throws Fault("usage") without a terminal and without `--yes`
 */
export async function confirm(invocation: Invocation, question: string): Promise<boolean> {
  if (invocation.options.flag("yes")) return true;
  if (invocation.stdin.isTTY !== true) {
    throw new Fault("usage", "There is no terminal to confirm on; add --yes to do it without being asked.");
  }
  const prompt = createInterface({ input: invocation.stdin, output: process.stderr });
  // Ctrl-D ends the input and with it the question: that is no answer, so it means no.
  const ended = new Promise<string>((resolve) => prompt.once("close", () => resolve("")));
  try {
    const asked = prompt.question(`${question} [y/N] `, { signal: invocation.signal });
    return /^y(es)?$/i.test((await Promise.race([asked, ended])).trim());
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      process.stderr.write("\n");
      throw new Fault("interrupted", "Stopped; nothing was removed.");
    }
    throw error;
  } finally {
    prompt.close();
  }
}
