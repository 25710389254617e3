// A command: its row in the table with its names, usage line and page, and a function from an invocation to an exit code.

import type { Deck, DemoFrame, DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import type { Home } from "#src/app/home.ts";
import { type OptionSpec, type OptionTable, type Values, usageOf as optionUsage } from "./option.ts";
import type { Output } from "./output.ts";

export interface CommandSpec {
  readonly name: string;
  /** Other names, which work and are not listed: the plural, or an earlier name. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** In commander's notation with a help text each, e.g. `["[file]", "the payload; - for standard input"]`. */
  readonly arguments?: readonly (readonly [string, string])[];
  readonly options?: OptionTable;
  /** Command line and its effect. */
  readonly examples?: readonly (readonly [string, string])[];
  /** One more paragraph below the options, of at most six lines. */
  readonly notes?: string;
  /** What the manual and the reference page say below the notes. */
  readonly details?: string;
  /** Prints long texts to read, which are paged on a terminal. */
  readonly paged?: true;
  /** Asks a person on a terminal for its required options. */
  readonly asks?: true;
  readonly children?: readonly CommandSpec[];
  /** Loads its code; absent for a command with children only. */
  readonly load?: () => Promise<CommandRun<never>>;
}

/** A row whose run gets the values of its options. */
export function command<Table extends OptionTable>(
  spec: CommandSpec & {
    readonly options?: Table;
    readonly load: () => Promise<CommandRun<NoInfer<Table>>>;
  },
): CommandSpec {
  return spec;
}

/** The key bindings of the console, for listing. */
export interface KeyTable {
  readonly rows: readonly KeyRow[];
  /** Why the user's own keys or commands were ignored, a sentence each; null when they are included. */
  readonly problem: string | null;
}

export interface KeyRow {
  /** Name of the binding for an override: `check.send`. */
  readonly id: string;
  /** Heading of the screen or scope. */
  readonly group: string;
  readonly label: string;
  /** In the syntax of the configuration: `ctrl+r`. */
  readonly keys: readonly string[];
  /** As shown: `Ctrl-R`. */
  readonly shown: readonly string[];
  /** The default keys, if the user has overridden them; else null. */
  readonly standard: readonly string[] | null;
}

export type StoryPage = (
  deck: Deck,
  frames: readonly DemoFrame[],
  options: { readonly notes: boolean },
) => Promise<string>;

/** Gives its exit code; nothing for 0. */
export type CommandRun<Table = object> = (invocation: Invocation<Table>) => Promise<number | void>;

/** @typeParam Table the options that are used */
export interface Invocation<Table = object> {
  /** Positional arguments in the order of the specification; undefined for a missing optional one. */
  readonly args: readonly (string | undefined)[];
  readonly options: Values<Table>;
  /** Name of the profile that is asked for; undefined for the one in use. */
  readonly profile: string | undefined;
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly home: Home;
  /** node and the built program */
  readonly executable: readonly string[];
  /** Fires on Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Opens the console on a profile, optionally with a deck only, until the user leaves it. */
  openConsole(profile: string, demo?: DemoOpening): Promise<number>;
  /** The key bindings of the console with the user's overrides. */
  keyTable(): Promise<KeyTable>;
  /** A deck with its frames as one file for a browser. */
  storyPage: StoryPage;
  /** The context of `--home` and `--profile`, or of the named profile; closed after the command. */
  context(profile?: string): Promise<Context>;
}

/** Every variable of the environment that sets an option, with the option; each once. */
export function variablesOf(
  commands: readonly CommandSpec[],
): ReadonlyMap<string, { readonly name: string; readonly spec: OptionSpec }> {
  return new Map(
    commands.flatMap(({ options = {}, children = [] }) => [
      ...Object.entries(options).flatMap(([name, spec]) =>
        spec.variable === undefined ? [] : [[spec.variable, { name, spec }] as const],
      ),
      ...variablesOf(children),
    ]),
  );
}

/**
 * @param path such as `verdict history show`
 * @returns its name for `verdict docs`, and its path in docs/reference without `.md`; of a noun without a command of its own
 *   the index
 */
export function pageOf(path: string, { load }: Pick<CommandSpec, "load">): string {
  return load === undefined ? "commands" : `commands/${path.replace("verdict ", "").replaceAll(" ", "-")}`;
}

/** The path with required options and arguments: `verdict sweep --field <name> [options] [file]`. */
export function usageOf(path: string, spec: Pick<CommandSpec, "arguments" | "options" | "children">): string {
  const options = Object.entries(spec.options ?? {});
  const required = options.filter(([, { required: isRequired }]) => isRequired);
  return [
    path,
    ...required.map(([name, option]) => optionUsage(name, option)),
    ...(options.length > required.length ? ["[options]"] : []),
    ...(spec.arguments ?? []).map(([word]) => word),
    ...(spec.children === undefined ? [] : ["[command]"]),
  ].join(" ");
}

/** Words of other programs and other places, and the command that is meant. */
const MEANT: Readonly<Record<string, string>> = {
  login: "vault add",
  auth: "vault add",
  config: "profile",
  send: "check",
  start: "serve",
  test: "recipe test",
  list: "history",
  status: "sandbox status",
  "profile set": "profile add",
  "profile edit": "profile add",
  "profile change": "profile add",
  "project add": "project register",
  "project create": "project register",
  "payload add": "payload save",
  "run compare": "compare",
  "sandbox start": "serve",
  outcome: "label",
  outcomes: "label",
  keys: "help shortcuts",
  version: "--version",
  "history verify": "doctor --verify",
  "vault verify": "doctor --verify",
  "vault add credential": "vault add --project-id",
  "vault add integration-key": "vault add --company-id",
  "rules starter": "rules print starter",
  "rules reset": "rules use starter",
  "rules reload": "rules use current",
  "sandbox magic": "help magic-orders",
  "sandbox rules": "rules",
  "sandbox tenant reset": "sandbox reset --tenant",
  "sandbox tenant show": "sandbox tenant list",
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

/** A sentence about the command that is meant by unknown words, e.g. `sandbox rules`; undefined where none is known. */
export function meantBy(words: string): string | undefined {
  const command = Object.hasOwn(MEANT, words) ? MEANT[words] : undefined;
  return command && `There is no command "${words}". Did you mean "verdict ${command}"?`;
}

/** True for `list` and the words for it. */
export function isListVerb(word: string): boolean {
  return word === "list" || VERB_ALIASES["list"]!.includes(word);
}
