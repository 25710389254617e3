// Reads a command line before a parser is built: its options, the command that it names, and its present spelling.

import { type CommandSpec, commandNamed, isListVerb } from "./command.ts";
import { GLOBAL_OPTIONS, JSON_OPTION } from "./option-specs.ts";
import { flag, flagOf, type OptionSpec, type OptionTable } from "./option.ts";

/** Commands that stood at the root once, and the noun that they belong to. */
const MOVED: Readonly<Record<string, string>> = { register: "project", credential: "project" };

/** An option with its flag: `--project`. */
export interface Named {
  readonly flag: string;
  readonly spec: OptionSpec;
}

const GLOBALS = namedIn(GLOBAL_OPTIONS);
const HELP: Named = { flag: "--help", spec: flag("explain the command", { short: "h" }) };
/** Read where no command has it as well: failures are JSON then. */
const JSON_FLAG: Named = { flag: "--json", spec: JSON_OPTION };

export interface CommandLine {
  /** True for a flag, and for an option that is named, with or without its value. */
  has(long: string): boolean;
  /** The last value of an option; undefined without one. */
  value(long: string): string | undefined;
  /** Words that are neither an option nor the value of one: `help`, commands and arguments. */
  readonly plain: readonly string[];
  /** The commands that are named, the outer one first. */
  readonly path: readonly CommandSpec[];
  /** The option at the end whose value is not there yet; null for none. */
  readonly open: Named | null;
  /** True where nothing but global options was given, which opens the console. */
  readonly isAlone: boolean;
  readonly asksHelp: boolean;
  /** All words, with `project` before `register`, `list` behind a noun that stands alone, and none behind one that lists by itself. */
  readonly spelledOut: readonly string[];
}

/** Wrong options are left to the parser. */
export function readCommandLine(argv: readonly string[], commands: readonly CommandSpec[]): CommandLine {
  const given = new Map<string, string | undefined>();
  const plain: { readonly word: string; readonly at: number }[] = [];
  const path: CommandSpec[] = [];
  const words: string[] = [];
  let open: Named | null = null;
  let isAlone = true;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  for (const [index, word] of argv.entries()) {
    const waiting: Named | null = open;
    open = null;
    if (waiting !== null && (waiting.spec.value!.startsWith("<") || !word.startsWith("-"))) {
      given.set(waiting.flag, word);
    } else if (index < end && word.startsWith("-") && word !== "-") {
      const found = optionsIn(word, path.at(-1));
      for (const each of found) {
        given.set(each.flag, each.joined);
        if (each.spec.value !== undefined && each.joined === undefined) open = each;
      }
      isAlone &&=
        found.length > 0 && found.every(({ flag: name }) => GLOBALS.some((each) => each.flag === name));
    } else {
      isAlone = false;
      if (index !== end) takePlain(word);
    }
    words.push(word);
  }
  const noun = path.at(-1);
  const asksHelp = plain[0]?.word === "help" || argv.includes("--help") || argv.includes("-h");
  if (noun?.children !== undefined && plain[0]!.word !== "help") {
    const behind = plain[path.length - 1]!.at + 1;
    const verb = plain[path.length];
    const isLast = words[behind] === undefined || words[behind].startsWith("-");
    const lists = noun.load === undefined && noun.children.some(({ name }) => name === "list");
    if (lists && isLast && !asksHelp) words.splice(behind, 0, "list");
    if (noun.load !== undefined && verb !== undefined && isListVerb(verb.word)) words.splice(verb.at, 1);
  }
  return {
    has: (long) => given.has(long),
    value: (long) => given.get(long),
    plain: plain.map(({ word }) => word),
    path,
    open,
    isAlone,
    asksHelp,
    spelledOut: words,
  };

  function takePlain(word: string): void {
    const isCommand = plain.length === path.length + (plain[0]?.word === "help" ? 1 : 0);
    const parent = path.at(-1);
    const noun = isCommand && parent === undefined && Object.hasOwn(MOVED, word) ? MOVED[word] : undefined;
    if (noun !== undefined) {
      takePlain(noun);
      words.push(noun);
      return takePlain(word);
    }
    const command = isCommand
      ? commandNamed(parent === undefined ? commands : (parent.children ?? []), word)
      : undefined;
    if (command !== undefined) path.push(command);
    plain.push({ word, at: words.length });
  }
}

interface Found extends Named {
  /** That stands in the same word. */
  readonly joined: string | undefined;
}

/** The options that a word names: `--home=DIR`, `-pNAME`, or flags together, `-qj`; none where one is unknown. */
export function optionsIn(word: string, command: CommandSpec | undefined): readonly Found[] {
  const all = [...optionsOf(command), JSON_FLAG];
  const named = (name: string): Named[] =>
    all.filter(({ flag: long, spec }) => long === name || `-${spec.short}` === name).slice(0, 1);
  const [, name = "", value, joined = value] = /^(--[^=]*|-.)(?:=([^]*)|([^]+))?$/.exec(word) ?? [];
  const [option] = named(name);
  if (word.startsWith("--") || option?.spec.value !== undefined) {
    return option === undefined ? [] : [{ ...option, joined }];
  }
  const letters = Array.from(word.slice(1));
  const flags = letters
    .flatMap((letter) => named(`-${letter}`))
    .filter(({ spec }) => spec.value === undefined);
  return flags.length === letters.length ? flags.map((each) => ({ ...each, joined: undefined })) : [];
}

/** What a command takes, with the options of every command. */
export function optionsOf(command: CommandSpec | undefined): readonly Named[] {
  return [...namedIn(command?.options ?? {}), ...GLOBALS, HELP];
}

function namedIn(table: OptionTable): Named[] {
  return Object.entries(table).flatMap(([name, spec]) => [
    { flag: flagOf(name, spec), spec },
    ...(spec.negation === undefined
      ? []
      : [{ flag: flagOf(name, { off: true }), spec: flag(spec.negation) }]),
  ]);
}
