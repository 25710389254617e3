// Computes the completions of a command line from the command table. Pure; names of profiles, runs etc. are added by the caller.

import type { CommandSpec } from "#src/cli/command.ts";
import { optionsIn, optionsOf, readCommandLine, type Named } from "#src/cli/command-line.ts";
import { TOPICS } from "#src/cli/topics.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";

/** Kinds of names that are completed. */
export type NameKind =
  | "profile"
  | "project"
  | "payload"
  | "run"
  | "recipe"
  | "deck"
  | "page"
  /** A check of the history, by its id. */
  | "entry"
  /** An entry of the vault, by its id; a former one was replaced. */
  | "key"
  | "former key"
  /** A term of a history filter. */
  | "term"
  | "schema"
  /** A snapshot of the embedded sandbox. */
  | "snapshot"
  /** A number of the rules that the command line names first. */
  | "number";

export interface Candidate {
  readonly word: string;
  /** A short description; empty for a name. */
  readonly about: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Kinds of names to complete as well. */
  readonly names: readonly NameKind[];
  /** Whether to complete files as well. */
  readonly files: boolean;
  /** The first argument of the command, on which names may depend. */
  readonly argument?: string;
}

const NOTHING: Completion = { candidates: [], names: [], files: false };

/**
 * Completes a command line.
 * @param words the words behind `verdict`, with the word at the cursor last, which may be empty
 */
export function complete(words: readonly string[], commands: readonly CommandSpec[]): Completion {
  const whole = joinedWords(words);
  const before = whole.slice(0, -1);
  const current = whole.at(-1) ?? "";
  const { has, open, path, plain } = readCommandLine(before, commands);
  const command = path.at(-1);
  const children = command === undefined ? commands : (command.children ?? []);
  const argument = plain[path.length];
  if (open !== null) return startingWith(current, valuesOf(open, current, argument));
  if (current.startsWith("--") && current.includes("=")) {
    const [option] = optionsIn(current, command);
    if (option?.spec.value === undefined) return NOTHING;
    const head = `${option.flag}=`;
    const { candidates, ...more } = valuesOf(option, current.slice(head.length), argument);
    const whole = candidates.map(({ word, about }) => ({ word: `${head}${word}`, about }));
    return startingWith(current, { candidates: whole, ...more });
  }
  if (current.startsWith("-")) {
    const candidates = optionsOf(command)
      .filter(({ flag: word, spec }) => spec.repeatable === true || !has(word))
      .map(({ flag: word, spec }) => ({ word, about: spec.help }));
    return startingWith(current, { ...NOTHING, candidates });
  }
  const subcommands = children.map(({ name, summary }) => ({ word: name, about: summary }));
  if (command === undefined) {
    const help = { word: "help", about: "explain a command" };
    const topics = Object.keys(TOPICS).map((word) => ({ word, about: "a topic of the help" }));
    return plain[0] === "help"
      ? startingWith(current, { ...NOTHING, candidates: [...subcommands, ...topics] })
      : startingWith(current, { ...NOTHING, candidates: [...subcommands, help] });
  }
  if (subcommands.length > 0) return startingWith(current, { ...NOTHING, candidates: subcommands });
  return startingWith(current, wordsOf(command, path, plain.length - path.length));
}

/**
 * The words as they were typed: bash takes them apart at = and :, and replaces the last part alone. Only the option of
 * `--profile=shop` stays a word of its own, before its value.
 */
export function joinedWords(words: readonly string[]): string[] {
  const whole: string[] = [];
  let goesOn = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word) && whole.length > 0;
    const isOfOption = isBreak && /^--[a-z0-9-]+$/.test(whole.at(-1)!);
    if (goesOn || (isBreak && !isOfOption)) whole.push(`${whole.pop()}${word}`);
    else if (!isOfOption) whole.push(word);
    goesOn = isBreak && !isOfOption;
  }
  const last = words.at(-1) ?? "";
  return /^[=:]+$/.test(last) && !goesOn ? [...whole, ""] : whole;
}

/** Completions of an option's value, by its placeholder. @param current what is typed of it */
function valuesOf({ flag: name, spec }: Named, current: string, argument: string | undefined): Completion {
  const choices = spec.type?.choices;
  if (choices !== undefined) return { ...NOTHING, candidates: choices.map((word) => ({ word, about: "" })) };
  if (name === "--profile") return { ...NOTHING, names: ["profile"] };
  if (name === "--project" || name === "--against") return { ...NOTHING, names: ["project"] };
  if (name === "--recipe") return { ...NOTHING, names: ["recipe"] };
  if (name === "--baseline" || name === "--continue") return { ...NOTHING, names: ["run"] };
  if (name === "--only") return { ...NOTHING, names: ["key"] };
  if (name === "--from-history") return { ...NOTHING, names: ["entry"] };
  if (name === "--field") return { ...NOTHING, candidates: fieldsWith("") };
  const placeholder = placeholderOf(spec.value!);
  // Of a replay it takes kinds of outcomes.
  if (name === "--again" && placeholder === "id") return { ...NOTHING, names: ["entry"] };
  if (placeholder === "expression") return { ...NOTHING, names: ["term"] };
  if (placeholder === "path=value") return { ...NOTHING, candidates: settingsOf(current) };
  if (placeholder === "name-and-values" && argument !== undefined)
    return { ...NOTHING, names: ["number"], argument };
  return { ...NOTHING, files: ["file", "dir", "kind=file"].includes(placeholder) };
}

function fieldsWith(end: string): Candidate[] {
  return CHECK_FIELDS.map(({ path, label }) => ({ word: `${path}${end}`, about: label }));
}

/** The fields of a check, or the usual values of the one that is typed. */
function settingsOf(current: string): Candidate[] {
  const field = CHECK_FIELDS.find(({ path }) => current.startsWith(`${path}=`));
  if (field === undefined) return fieldsWith("=");
  return (field.suggestions ?? []).map((value) => ({ word: `${field.path}=${value}`, about: "" }));
}

/** Completions of a positional argument, by its placeholder and, for `name`, by the command. */
function wordsOf(command: CommandSpec, path: readonly CommandSpec[], position: number): Completion {
  const all = command.arguments ?? [];
  const last = all.at(-1)?.[0];
  const asked = all[position]?.[0] ?? (last?.includes("...") === true ? last : undefined);
  if (asked === undefined) return NOTHING;
  const [noun] = path.map(({ name }) => name);
  switch (placeholderOf(asked)) {
    case "file":
    case "rules":
    case "source":
    case "name or file":
      if (noun === "sandbox") return { ...NOTHING, files: true, names: ["snapshot"] };
      return { ...NOTHING, files: true, names: PAYLOAD_TAKERS.includes(noun!) ? ["payload"] : [] };
    case "run":
    case "earlier":
    case "later":
      return { ...NOTHING, names: ["run"] };
    case "recipe":
      return { ...NOTHING, names: ["recipe"], files: true };
    case "deck":
      return { ...NOTHING, names: ["deck"], files: true };
    case "page":
      return { ...NOTHING, names: ["page"] };
    case "folder":
      return { ...NOTHING, files: true };
    case "shell":
      return { ...NOTHING, candidates: SHELLS.map((word) => ({ word, about: "" })) };
    case "id": {
      const former = path.at(-1)!.name === "restore";
      if (noun === "vault") return { ...NOTHING, names: [former ? "former key" : "key"] };
      return noun === "history" || noun === "rules" ? { ...NOTHING, names: ["entry"] } : NOTHING;
    }
    case "name":
      if (noun === "schema") return { ...NOTHING, names: ["schema"] };
      if (noun === "profile") return { ...NOTHING, names: ["profile"] };
      return noun === "payload" ? { ...NOTHING, names: ["payload"] } : NOTHING;
    default:
      return NOTHING;
  }
}

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Commands that take the name of a saved payload in place of a file. */
const PAYLOAD_TAKERS = ["check", "replay", "sweep", "sign"];

function startingWith(start: string, { candidates, ...more }: Completion): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(start)), ...more };
}

/** `<file>`, `[source...]`, `--ca <file>`: the word in the brackets. */
function placeholderOf(notation: string): string {
  return (/[<[]([^\]>]*)[\]>]/.exec(notation)?.[1] ?? "").replace(/\.{3}$/, "");
}
