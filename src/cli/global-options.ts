// The options of every command, and how they are read from a command line before a parser is built.

import { THEMES } from "#src/display/style.ts";
import type { OptionSpec } from "./command.ts";

export interface GlobalOption extends OptionSpec {
  /** Listed in the main help only. */
  readonly isRare?: true;
}

/** Accepted before and after the command's name. */
export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  {
    flags: "-p, --profile <name>",
    help: "the profile to work with, which names a service (default: VERDICT_PROFILE, else the one in use)",
  },
  { flags: "-q, --quiet", help: "print nothing but errors on standard error" },
  { flags: "--no-input", help: "never ask: fail instead, naming the option that answers" },
  {
    flags: "--home <dir>",
    help: "keep all files under this folder (default: VERDICT_HOME, else the XDG folders)",
  },
  { flags: "--utc", help: "show times in UTC instead of this machine's time zone", isRare: true },
  {
    flags: "--color <when>",
    help: "auto, always or never (default: auto, for a terminal without NO_COLOR)",
    choices: ["auto", "always", "never"],
    isRare: true,
  },
  { flags: "--no-color", help: "the same as --color never", isRare: true },
  {
    flags: "--no-pager",
    help: "do not page long lists on a terminal (VERDICT_PAGER, PAGER, else less)",
    isRare: true,
  },
  {
    flags: "--theme <name>",
    help: "colours of the roles (default: settings.yaml)",
    choices: THEMES,
    isRare: true,
  },
  { flags: "--ascii", help: "draw with ASCII signs alone", isRare: true },
  { flags: "--screen-reader", help: "linear text without frames, and tables one fact a line", isRare: true },
  {
    flags: "--presenter",
    help: "open the console in presenter mode, all that is personal masked",
    isRare: true,
  },
];

const JSON_FLAGS = "-j, --json";
const BY_FLAG = new Map(
  [JSON_FLAGS, ...GLOBAL_OPTIONS.map(({ flags }) => flags)].flatMap((flags) => {
    const [words = "", takesValue] = flags.split(" <");
    const names = words.split(", ");
    return names.map(
      (name) => [name, { long: names.at(-1)!, takesValue: takesValue !== undefined }] as const,
    );
  }),
);

/** The global options of a command line. */
export interface Globals {
  /** True for a flag, and for an option that is named, with or without its value. */
  has(long: string): boolean;
  /** The last value of an option; undefined without one. */
  value(long: string): string | undefined;
  /** Words that are neither an option nor the value of a global option, with their places. */
  readonly plain: readonly { readonly word: string; readonly at: number }[];
  /** True where nothing but global options was given, which opens the console. */
  readonly isAlone: boolean;
}

/** Reads the global options and `--json`; wrong ones are left to the parser. */
export function globalsOf(argv: readonly string[]): Globals {
  const given = new Map<string, string | undefined>();
  const plain: { word: string; at: number }[] = [];
  let isAlone = true;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    if (at >= end || !word.startsWith("-") || word === "-") {
      isAlone = false;
      if (at !== end) plain.push({ word, at });
      continue;
    }
    const [name, value] = splitOption(word, plain.length === 0);
    const option = BY_FLAG.get(name);
    // Letters of flags may stand together: -qj. Other words with a dash are values, such as a filter that negates.
    const letters = /^-[jnqvy]{2,}$/.test(word) ? Array.from(word.slice(1), (letter) => `-${letter}`) : [];
    const together = letters.map((letter) => BY_FLAG.get(letter));
    if (option !== undefined) given.set(option.long, option.takesValue ? (value ?? argv[++at]) : undefined);
    else for (const each of together) if (each?.takesValue === false) given.set(each.long, undefined);
    isAlone &&= option === undefined ? together.length > 0 && !together.includes(undefined) : true;
  }
  isAlone &&= !given.has("--json");
  return { has: (long) => given.has(long), value: (long) => given.get(long), plain, isAlone };
}

/** `--home=DIR`, and `-pNAME` before the command, into name and value; behind it `-profile:live` may be a filter. */
function splitOption(word: string, isFirst: boolean): readonly [string, string | undefined] {
  if (isFirst && /^-p[^=]/.test(word)) return ["-p", word.slice(2)];
  const index = word.startsWith("--") || word.startsWith("-p=") ? word.indexOf("=") : -1;
  return index < 0 ? [word, undefined] : [word.slice(0, index), word.slice(index + 1)];
}
