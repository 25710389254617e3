// Questions to the user: a secret from a pipe or without echo, a confirmation, a line. Separate from reading documents,
// so that a plain check loads neither a line editor nor cryptography.

import type { Piped, Confirmed } from "./option-specs.ts";
import { createInterface } from "node:readline/promises";
import { StringDecoder } from "node:string_decoder";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { pastedSecretProblem, Secret } from "#src/contract/secret.ts";
import { guard } from "#src/display/guard.ts";
import type { Invocation } from "./command.ts";
import { isSwitchedOff, readAll } from "#src/app/read-input.ts";

const SECRET_RULE = "1 to 256 printable ASCII characters without blanks";

/**
 * Reads a secret: from a pipe with `--secret-stdin`, or typed without echo on a terminal. Never from the command line.
 * @throws Fault("usage") without a terminal and without `--secret-stdin`, Fault("bad_input") for what cannot be a secret
 */
export async function readSecret(invocation: Invocation<Piped>): Promise<Secret> {
  const { stdin, options } = invocation;
  if (!options.secretStdin && stdin.isTTY !== true) {
    throw usage`${whole(startWith(noTerminal(invocation, "to type the secret on")))}; pipe it in with --secret-stdin.`;
  }
  if (!options.secretStdin) return typeSecret(invocation, "Stopped; nothing was saved.");
  const text = Buffer.from(await readAll(stdin, invocation.signal))
    .toString("utf8")
    .replace(/\r?\n$/, "");
  const problem = pastedSecretProblem(text);
  if (problem !== null) {
    throw badInput`The secret ${whole(problem)}; it must be ${SECRET_RULE}, and nothing was saved.`;
  }
  return new Secret(text);
}

/** A secret that is typed without echo on a terminal. @throws Fault("interrupted") saying what is stopped */
export async function typeSecret(keyboard: Keyboard, stopped: string): Promise<Secret> {
  for (let told: string | null = null; ;) {
    const typed = await typeHidden(keyboard, "Secret (not shown): ", stopped, told);
    const problem = pastedSecretProblem(typed);
    if (problem === null) return new Secret(typed);
    told = `The secret ${problem}; it must be ${SECRET_RULE}.`;
  }
}

/** Why nothing can be asked, for a sentence. @param what for what a terminal is needed: `to confirm on` */
export function noTerminal({ stdin }: Pick<Invocation, "stdin">, what: string): string {
  return isSwitchedOff(stdin) ? "--no-input is set" : `there is no terminal ${what}`;
}

/** As the beginning of a sentence; an option stays as it is. */
export function startWith(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The parts of an invocation that a prompt needs. */
export type Keyboard = Pick<Invocation, "stdin" | "output" | "signal">;

/** True when a person sees the prompt and can answer. */
export function isAttended({ stdin, output }: Pick<Keyboard, "stdin" | "output">): boolean {
  return stdin.isTTY === true && output.asksPerson;
}

/**
 * Reads characters in raw mode, so that nothing is echoed.
 * @param problem printed before the question
 * @throws Fault("interrupted") with the given sentence for Ctrl-C, Ctrl-D and the signal
 */
export function typeHidden(
  { stdin, output, signal }: Keyboard,
  label: string,
  stopped: string,
  problem: string | null = null,
): Promise<string> {
  const decoder = new StringDecoder("utf8");
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const finish = (settle: () => void): void => {
      signal.removeEventListener("abort", stop);
      stdin.off("data", take);
      stdin.off("end", stop);
      stdin.setRawMode(false);
      stdin.pause();
      output.prompt(null);
      settle();
    };
    const stop = (): void => finish(() => reject(new Fault("interrupted", whole(stopped))));
    const take = (chunk: Buffer): void => {
      for (const character of decoder.write(chunk)) {
        if (character === "\r" || character === "\n") return finish(() => resolve(typed.join("")));
        if (character === "\u0003" || character === "\u0004") return stop();
        // Ctrl-U clears the line, as in a line editor.
        if (character === "\u0015") typed = [];
        else if (character === "\u007f" || character === "\b") typed.pop();
        else typed.push(character);
      }
    };
    signal.addEventListener("abort", stop, { once: true });
    // Before the prompt, so that nothing typed in answer is echoed.
    stdin.setRawMode(true);
    if (problem !== null) output.complain(problem);
    output.prompt(label);
    stdin.on("data", take);
    stdin.on("end", stop);
    stdin.resume();
  });
}

/**
 * Asks for confirmation of a destructive action; the default is no.
 * @throws Fault("usage") without a terminal and without `--yes`
 */
export async function confirm(
  invocation: Invocation<Confirmed>,
  question: string,
  stopped: string = "Stopped; nothing was removed.",
): Promise<boolean> {
  if (invocation.options.yes) return true;
  if (invocation.stdin.isTTY !== true) {
    throw usage`${whole(startWith(noTerminal(invocation, "to confirm on")))}; add --yes to do it without being asked.`;
  }
  return /^y(es)?$/i.test(await askLine(invocation, `${question} [y/N] `, stopped));
}

/** Asks for a name to be typed, where a habitual yes would be too easy. */
export async function confirmByName(invocation: Invocation, warning: string, name: string): Promise<boolean> {
  const typed = await askLine(
    invocation,
    `${warning} Type its name to continue: `,
    "Stopped; nothing was sent.",
  );
  return typed === name;
}

/** Reads one echoed line. @throws Fault("interrupted") with the given sentence for Ctrl-C, Ctrl-D and the signal */
export async function askLine(
  { stdin, signal }: Pick<Invocation, "stdin" | "signal">,
  question: string,
  stopped: string,
): Promise<string> {
  const prompt = createInterface({ input: stdin, output: process.stderr });
  try {
    const ended = new Promise<null>((resolve) => prompt.once("close", () => resolve(null)));
    const asked = prompt.question(guard(question, false), { signal }).catch(() => null);
    const typed = await Promise.race([asked, ended]);
    if (typed !== null) return typed.trim();
    process.stderr.write("\n");
    throw new Fault("interrupted", whole(stopped));
  } finally {
    prompt.close();
  }
}

/** Reads pasted lines up to one that holds a dot alone. @throws Fault("interrupted") with the given sentence */
export async function askText(
  { stdin, output, signal }: Keyboard,
  instruction: string,
  stopped: string,
): Promise<string> {
  output.complain(instruction);
  const lines: string[] = [];
  const reader = createInterface({ input: stdin, output: process.stderr, signal });
  reader.once("SIGINT", () => reader.close());
  for await (const line of reader) {
    if (line === ".") {
      reader.close();
      return `${lines.join("\n")}\n`;
    }
    lines.push(line);
  }
  throw new Fault("interrupted", whole(stopped));
}
