// The help of the program and of each command: examples first, common options before rare ones, commands by task.

import { Help, type Argument, type Command, type Option } from "commander";
import { pageOf, usageOf, type CommandSpec } from "./command.ts";
import { GLOBAL_OPTIONS } from "./option-specs.ts";
import { builtOptions, flagOf } from "./option.ts";
import { TOPICS } from "./topics.ts";

const EVERYWHERE: ReadonlySet<string> = new Set([
  "--help",
  ...builtOptions(GLOBAL_OPTIONS).map(({ long }) => long!),
]);

/** Commands by what a user wants to do; a test asks that each command of the table stands here. */
export const HELP_GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Start here", ["init", "tour", "docs", "examples", "demo", "doctor"]],
  ["Check payments", ["check", "sweep", "sign", "payload", "history", "label"]],
  ["Replay payments", ["replay", "capture", "compare", "run"]],
  ["Rules", ["rules"]],
  ["Sandbox", ["serve", "sandbox"]],
  ["Services, projects and keys", ["profile", "recipe", "project", "vault"]],
  ["This program", ["completion", "schema", "help"]],
];

const EXAMPLES: readonly (readonly [string, string])[] = [
  ["verdict tour", "every step, from registration to verdicts"],
  [
    "verdict project register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait",
    "registers a project on the sandbox, and fetches its credential",
  ],
  [
    "verdict check payload.json && echo ship",
    "one payment; exit code 0 only for a trustworthy pass (a valid answer pass)",
  ],
  ["verdict replay payloads/", "many payments; exits 8 when a verdict is not the expected verdict"],
];

/** Examples in a help; the manual has all. */
const SHOWN_EXAMPLES = 3;
const MOST_UNGROUPED = 8;
/** Hidden options that the last line of a help names. */
const SHOWN_RARE = 2;

/** A command with its path, such as `verdict history show`. */
export type Explained = CommandSpec & { readonly path: string };

/** A few lines for a start without a command and without a terminal. */
export const CONCISE_HELP = [
  "Without a terminal, name a command:",
  ...EXAMPLES.filter(([line]) => line.length < 60).map(([line, what]) => `  ${line}\n      ${what}`),
  '"verdict --help" lists all commands.',
].join("\n");

/** @param own the command that is explained; undefined for the program */
export function formatHelp(command: Command, helper: Help, own: Explained | undefined): string {
  const words = helper.visibleArguments(command);
  const isShared = ({ long }: Option): boolean => own !== undefined && EVERYWHERE.has(long!);
  const options = helper
    .visibleOptions(command)
    .filter((each) => !isShared(each))
    .toSorted(byUse);
  const commands = helper.visibleCommands(command);
  const description = helper.commandDescription(command).replace(/[^.]$/, "$&.");
  const terms = Math.min(30, Math.max(12, ...options.map((each) => helper.optionTerm(each).length)));
  const item = (term: string, text: string): string => helper.formatItem(term, terms, text, helper);
  const ofCommand = (each: Command): string => {
    const term = helper.subcommandTerm(each).replace(/\|\S+/, "").replace(" [options]", "");
    return item(own === undefined ? each.name() : term, helper.subcommandDescription(each));
  };
  const section = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${heading}:`, ...lines, ""];
  const examples = (own === undefined ? EXAMPLES : examplesOf(own)).flatMap(([line, what]) => [
    `  $ ${line}`,
    `      ${what}`,
  ]);
  const groups =
    own === undefined
      ? HELP_GROUPS.flatMap(([heading, names]) =>
          section(
            heading,
            names.flatMap((each) => commands.filter((known) => known.name() === each).map(ofCommand)),
          ),
        )
      : section("Commands", commands.filter((each) => each.name() !== "help").map(ofCommand));
  return [
    `Usage: ${own?.load === undefined ? helper.commandUsage(command) : usageOf(own.path, own)}`,
    "",
    helper.boxWrap(
      description.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
      helper.helpWidth ?? 80,
    ),
    "",
    ...section("Examples", examples),
    ...groups,
    ...section(
      "Arguments",
      words.map((each: Argument) => item(helper.argumentTerm(each), helper.argumentDescription(each))),
    ),
    ...[...grouped(options)].flatMap(([heading, each]) => [
      `${heading}:`,
      ...each.map((option) => item(helper.optionTerm(option), helper.optionDescription(option))),
    ]),
    ...(options.length === 0 ? [] : [""]),
    ...(own?.notes === undefined ? [] : [own.notes, ""]),
    ...(own === undefined
      ? [
          '"verdict help COMMAND" explains a command; further topics:',
          `  ${Object.keys(TOPICS).join(", ")}.`,
          '"verdict docs" lists the documents; begin with "verdict docs first-check".',
        ]
      : ['Options of every command: "verdict help options".', furtherLine(own)]),
  ]
    .join("\n")
    .concat("\n");
}

/** The first few; of a command with children only, the first of each of them. */
function examplesOf({ examples, children = [] }: CommandSpec): NonNullable<CommandSpec["examples"]> {
  return (examples ?? children.flatMap((child) => child.examples?.slice(0, 1) ?? [])).slice(
    0,
    SHOWN_EXAMPLES,
  );
}

/** Where the manual of a command is, and that only the manual explains its rarer options. */
function furtherLine(own: Explained): string {
  const hidden = Object.entries(own.options ?? {}).filter(([, spec]) => spec.hidden);
  const page = `"verdict docs ${pageOf(own.path, own)}"`;
  if (hidden.length === 0) return `More: ${page}.`;
  const named = hidden.slice(0, SHOWN_RARE).map(([name, spec]) => flagOf(name, spec));
  return `Rarer options: ${[...named, ...(hidden.length > SHOWN_RARE ? ["..."] : [])].join(", ")} in ${page}.`;
}

/** By heading, where there are many; those without one come last. */
function grouped(options: readonly Option[]): Map<string, readonly Option[]> {
  if (options.length === 0) return new Map();
  if (options.length <= MOST_UNGROUPED) return new Map([["Options", options]]);
  const named = options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined);
  const others = options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined);
  const groups: Map<string, readonly Option[]> = Map.groupBy(named, (option) => option.helpGroupHeading!);
  return others.length === 0 ? groups : groups.set("Other options", others);
}

/** Required options first, then those with a letter, which are the common ones. */
function byUse(one: Option, other: Option): number {
  const rank = ({ mandatory, short }: Option): number => (mandatory ? 0 : short === undefined ? 2 : 1);
  return rank(one) - rank(other);
}
