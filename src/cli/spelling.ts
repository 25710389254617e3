// Other words for commands and verbs.

import type { CommandSpec } from "./command.ts";

/** Words of other programs, and the command that is meant. */
const MEANT: Readonly<Record<string, string>> = {
  login: "vault add credential",
  auth: "vault add credential",
  config: "profile",
  send: "check",
  start: "serve",
  test: "recipe test",
};

/** Verbs that work for the one in the table. */
const VERB_ALIASES: Readonly<Record<string, readonly string[]>> = {
  list: ["ls"],
  remove: ["rm", "delete"],
  show: ["view"],
};

export function aliasesOf({ name, aliases = [], load }: CommandSpec): readonly string[] {
  return load === undefined ? aliases : [...aliases, ...(VERB_ALIASES[name] ?? [])];
}

export function commandNamed(commands: readonly CommandSpec[], word: string): CommandSpec | undefined {
  return commands.find((spec) => spec.name === word || aliasesOf(spec).includes(word));
}

/** A sentence about the command that is meant by an unknown word; undefined where none is known. */
export function meantBy(word: string): string | undefined {
  const command = Object.hasOwn(MEANT, word) ? MEANT[word] : undefined;
  return command && `There is no command "${word}"; "verdict help ${command}" explains what comes nearest.`;
}

/** True for `list` and the words for it. */
export function isListVerb(word: string): boolean {
  return word === "list" || VERB_ALIASES["list"]!.includes(word);
}
