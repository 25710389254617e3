// The help of the program and of each command: examples first, common options before rare ones, commands by task.

import { Help, type Argument, type Command, type Option } from "commander";
import { TOPICS } from "./topics.ts";

/** Commands by what a user wants to do; a test asks that each command of the table stands here. */
export const HELP_GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Start here", ["init", "tour", "docs", "examples", "demo", "doctor"]],
  ["Check payments", ["check", "sweep", "sign", "payload", "history", "outcome"]],
  ["Replay payments", ["replay", "capture", "compare", "run"]],
  ["Rules", ["rules"]],
  ["Sandbox", ["serve", "sandbox"]],
  ["Services, projects and keys", ["profile", "recipe", "project", "vault"]],
  ["This program", ["keys", "completion", "schema", "version", "help"]],
];

const EXAMPLES: readonly (readonly [string, string])[] = [
  ["verdict tour", "the whole way, from registration to verdicts, on a sandbox of its own"],
  [
    "verdict project register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait",
    "a project on the sandbox, and its credential",
  ],
  ["verdict check payload.json && echo ship", "one payment; exit code 0 means a trustworthy pass"],
  ["verdict replay payloads/", "many payments; fails where one gets another verdict than it expects"],
];

/** What the help of a command shows besides its usage, arguments and options. */
export interface HelpTexts {
  readonly examples: readonly (readonly [string, string])[];
  readonly notes: string | undefined;
  /** The document about it, such as `commands/check`. */
  readonly page: string;
  /** Flags of the options that a command shares with all others. */
  readonly shared: readonly string[];
}

/** A few lines for a start without a command and without a terminal. */
export const CONCISE_HELP = [
  "Without a terminal, name a command:",
  ...EXAMPLES.filter(([line]) => line.length < 60).map(([line, what]) => `  ${line}\n      ${what}`),
  '"verdict --help" lists all commands.',
].join("\n");

/** @param own of the command that is explained; undefined for the program */
export function formatHelp(command: Command, helper: Help, own: HelpTexts | undefined): string {
  const isProgram = own === undefined;
  const words = helper.visibleArguments(command);
  const options = helper.visibleOptions(command).toSorted(byUse);
  const shared = ({ flags }: Option): boolean => own?.shared.includes(flags) ?? false;
  const commands = helper.visibleCommands(command);
  const description = helper.commandDescription(command).replace(/[^.]$/, "$&.");
  const terms = Math.min(30, Math.max(12, ...options.map((each) => helper.optionTerm(each).length)));
  const item = (term: string, text: string): string => helper.formatItem(term, terms, text, helper);
  const ofCommand = (each: Command): string => {
    const term = helper.subcommandTerm(each).replace(/\|\S+/, "").replace(" [options]", "");
    return item(isProgram ? each.name() : term, helper.subcommandDescription(each));
  };
  const ofOption = (each: Option): string =>
    item(helper.optionTerm(each), `${helper.optionDescription(each)}${each.mandatory ? " (required)" : ""}`);
  const section = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${heading}:`, ...lines, ""];
  const examples = (own?.examples ?? EXAMPLES).flatMap(([line, what]) => [`  $ ${line}`, `      ${what}`]);
  const groups = isProgram
    ? HELP_GROUPS.flatMap(([heading, names]) =>
        section(
          heading,
          names.flatMap((each) => commands.filter((known) => known.name() === each).map(ofCommand)),
        ),
      )
    : section("Commands", commands.filter((each) => each.name() !== "help").map(ofCommand));
  return [
    `Usage: ${helper.commandUsage(command)}`,
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
    ...section("Options", options.filter((each) => !shared(each)).map(ofOption)),
    ...section("Options of every command", options.filter(shared).map(ofOption)),
    ...(own?.notes === undefined ? [] : [own.notes, ""]),
    ...(isProgram
      ? [
          '"verdict help COMMAND" explains a command; further topics:',
          `  ${Object.keys(TOPICS).join(", ")}.`,
          '"verdict docs" lists the documents; begin with "verdict docs first-check".',
        ]
      : [`Documents: "verdict docs ${own.page}". Rarer options: "verdict --help".`]),
  ]
    .join("\n")
    .concat("\n");
}

/** Required options first, then those with a letter, which are the common ones. */
function byUse(one: Option, other: Option): number {
  const rank = ({ mandatory, short }: Option): number => (mandatory ? 0 : short === undefined ? 2 : 1);
  return rank(one) - rank(other);
}
