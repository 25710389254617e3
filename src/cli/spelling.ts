// Brings a command line into its present spelling: commands that have moved, and nouns without a verb, which list.

import type { CommandSpec } from "./command.ts";
import { globalsOf } from "./global-options.ts";

/** Commands that stood at the root once, and the noun that they belong to. */
const MOVED: Readonly<Record<string, string>> = { register: "project", credential: "project" };

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

/**
 * @returns the same command line with `project` before `register`, `list` behind a noun that stands alone, and none behind one
 *   that lists by itself
 */
export function spelledOut(argv: readonly string[], commands: readonly CommandSpec[]): string[] {
  const words = [...argv];
  const isHelp = globalsOf(words).plain[0]?.word === "help";
  const named = globalsOf(words).plain[isHelp ? 1 : 0];
  const noun = named !== undefined && Object.hasOwn(MOVED, named.word) ? MOVED[named.word] : undefined;
  if (noun !== undefined) words.splice(named!.at, 0, noun);
  if (isHelp) return words;

  const { plain } = globalsOf(words);
  let spec: CommandSpec | undefined;
  let children = commands;
  for (const [index, { word }] of plain.entries()) {
    const child = commandNamed(children, word);
    if (child === undefined) break;
    [spec, children] = [child, child.children ?? []];
    const others = plain.slice(index + 1);
    if (others.some((other) => commandNamed(children, other.word) !== undefined)) continue;
    const next = words[plain[index]!.at + 1];
    const isAlone = next === undefined || next.startsWith("-");
    const asksHelp = words.includes("--help") || words.includes("-h");
    const lists = spec.load === undefined && children.some(({ name }) => name === "list");
    if (isAlone && !asksHelp && lists) words.splice(plain[index]!.at + 1, 0, "list");
    // A noun with verbs and a command of its own, which lists: history.
    const verb = plain[index + 1];
    const listsItself = spec.load !== undefined && children.length > 0;
    if (listsItself && ["list", ...VERB_ALIASES["list"]!].includes(verb?.word ?? ""))
      words.splice(verb!.at, 1);
    break;
  }
  return words;
}
