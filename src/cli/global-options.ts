// The options of every command, and how they are read from a command line before a parser is built.

import { JSON_OPTION } from "./option-specs.ts";
import { builtOptions, flag, oneOf, option, text } from "./option.ts";
import { THEMES } from "#src/display/style.ts";

/** Accepted before and after the command's name; hidden ones are listed in the main help alone. */
export const GLOBAL_OPTIONS = {
  profile: text(
    "<name>",
    "the profile to work with, which names a service (default: VERDICT_PROFILE, else the one in use)",
    { short: "p" },
  ),
  quiet: flag("print nothing but errors on standard error", { short: "q" }),
  input: flag("never ask: fail instead, naming the option that answers", { off: true }),
  home: text("<dir>", "keep all files under this folder (default: VERDICT_HOME, else the XDG folders)"),
  utc: flag("show times in UTC instead of this machine's time zone", { hidden: true }),
  color: option(
    oneOf("<when>", ["auto", "always", "never"]),
    "auto, always or never (default: auto, for a terminal without NO_COLOR)",
    { hidden: true, negation: "the same as --color never" },
  ),
  pager: flag("do not page long lists on a terminal (VERDICT_PAGER, PAGER, else less)", {
    off: true,
    hidden: true,
  }),
  theme: option(oneOf("<name>", THEMES), "colours of the roles (default: settings.yaml)", { hidden: true }),
  ascii: flag("draw with ASCII signs alone", { hidden: true }),
  screenReader: flag("linear text without frames, and tables one fact a line", { hidden: true }),
  presenter: flag("open the console in presenter mode, all that is personal masked", { hidden: true }),
};

const BY_FLAG = new Map(
  builtOptions({ ...GLOBAL_OPTIONS, json: JSON_OPTION }).flatMap(({ long, short, required }) =>
    [long!, short ?? long!].map((name) => [name, { long: long!, takesValue: required }] as const),
  ),
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
