// The command line: parses arguments, runs one command, and turns the result or error into an exit code and a sentence.

import { Command, CommanderError } from "commander";
import type { DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context, ContextOptions } from "#src/app/context.ts";
import {
  chosenProfile,
  findHome,
  requireHome,
  requireKnownVariables,
  withoutOwnVariables,
  type Home,
} from "#src/app/home.ts";
import { appearanceOf, settingsOrNone, type Appearance } from "#src/app/settings.ts";
import { VERSION } from "#src/app/version.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { THEMES } from "#src/display/style.ts";
import { attemptReporter } from "./exchange-lines.ts";
import { chosenFields } from "./chosen-fields.ts";
import { readCommandLine, type CommandLine } from "./command-line.ts";
import {
  variablesOf,
  type CommandSpec,
  type KeyTable,
  type StoryPage,
  aliasesOf,
  meantBy,
} from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, exitOfFault, type ExitCode } from "./exit-code.ts";
import { GLOBAL_OPTIONS, type FRESH_CONNECTIONS, type SHOWN, type VERBOSE } from "./option-specs.ts";
import { CONCISE_HELP, formatHelp } from "./help.ts";
import { withPlaces, type Places } from "./next-command.ts";
import { builtOptions, namingVariables, readOptions, type ReadOptions, type Values } from "./option.ts";
import { createOutput, type Output } from "./output.ts";
import { TOPICS, type Topic } from "./topics.ts";

const HELP_WIDTH = 80;

/** Abort reason when standard output or standard error cannot be written. */
export const UNWRITTEN = "output";

export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** node and the built program, to start the embedded sandbox */
  readonly executable: readonly string[];
  /** Fires on Ctrl-C, SIGTERM and SIGHUP, and with UNWRITTEN. */
  readonly signal: AbortSignal;
  /** Opens the console. Without a terminal it prints one sentence and returns 2. */
  openConsole(options: {
    readonly home: Home;
    readonly appearance: Appearance;
    readonly profile: string | undefined;
    readonly demo?: DemoOpening | undefined;
  }): Promise<number>;
  /** The key bindings of the console. */
  keyTable(home: Home): Promise<KeyTable>;
  storyPage: StoryPage;
}

/** Runs the command line; never throws. */
export async function run(surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr, signal } = surroundings;
  const line = readCommandLine(surroundings.argv, COMMANDS);
  // Every time that is shown as text comes from a Date in local time.
  if (line.has("--utc")) env["TZ"] = "UTC";
  const { appearance, problem } = await appearanceFor(line, env);
  const quiet = line.has("--quiet");
  const places: Places = {
    home: line.value("--home"),
    profile: line.value("--profile") ?? env["VERDICT_PROFILE"],
  };
  const placed = (text: string): string => withPlaces(text, COMMANDS, places);
  const output = createOutput(stdout, stderr, env, { ...appearance, quiet, placed });
  const isJson = line.has("--json");
  let exit: number = EXIT.done;

  try {
    if (line.isAlone) {
      requireTheme(line.value("--theme"));
      requireKnownVariables(env, variablesOf(COMMANDS).keys());
      const home = findHome(env, valueOf(line, "--home"));
      requireHome(home);
      exit = await surroundings.openConsole({
        home,
        profile: chosenProfile(env, valueOf(line, "--profile")),
        appearance,
      });
      if (stdout.isTTY !== true && exit === EXIT.usage) output.note(CONCISE_HELP);
      return exit;
    }
    const [first, ...others] = line.plain;
    const explained = first === "help" && others.length > 0 ? others : null;
    const isPaged = isPageable(surroundings, line, appearance);
    if (isPaged && line.asksHelp) output.hold();
    if (explained !== null && line.path.length < explained.length) {
      const shortcuts = (): Promise<KeyTable> =>
        surroundings.keyTable(findHome(env, valueOf(line, "--home")));
      exit = await showTopic(explained.join(" "), output, shortcuts);
    } else {
      const program = commandLine(
        output,
        line.path[0],
        isJson,
        () => !line.asksHelp && !line.has("--no-input") && surroundings.stdin.isTTY === true,
        async (chosen, args, given) => {
          // `doctor` reports it as a finding.
          if (problem !== null && chosen.name !== "doctor") output.complain(problem);
          const { options = {} } = chosen;
          if (isPaged && (chosen.paged ?? "fields" in options)) output.hold();
          requireKnownVariables(env, variablesOf(COMMANDS).keys());
          const read = readOptions({ ...GLOBAL_OPTIONS, ...options }, given, env);
          exit = await runCommand(chosen, args, read, surroundings, { output, appearance, line });
        },
      );
      const words = explained === null ? line.spelledOut : [...explained, "--help"];
      await program.parseAsync(words, { from: "user" });
    }
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) exit = EXIT.done;
    // Its help was printed instead of a sentence.
    else if (error instanceof CommanderError && error.code === "commander.help" && !isJson) exit = EXIT.usage;
    else {
      const { systemFault } = await import("#src/app/system-fault.ts");
      const fault =
        error instanceof CommanderError ? new Fault("usage", whole(error.message)) : systemFault(error);
      exit = report(fault, { output, isJson, placed }, signal);
    }
  }
  await output.release((text) => showPaged(text, output.columns, surroundings));
  return exit;
}

/** Long texts are paged for a person at a terminal alone. */
function isPageable(around: Surroundings, line: CommandLine, { wishes }: Appearance): boolean {
  if (around.stdout.isTTY !== true || line.has("--no-pager") || line.has("--no-input")) return false;
  return around.stdin.isTTY === true && around.env["TERM"] !== "dumb" && wishes.screenReader !== true;
}

/** Pages a text that is longer than the terminal. @returns false where it was not shown */
async function showPaged(text: string, columns: number, around: Surroundings): Promise<boolean> {
  const { stdout, env, signal } = around;
  const rows = text.split("\n").reduce((sum, line) => sum + Math.ceil((line.length + 1) / columns), 0);
  if (rows <= (stdout.rows || 24) || signal.aborted) return false;
  const { page } = await import("#src/terminal/pager.ts");
  return page(text, { env: withoutOwnVariables(env), pager: env["VERDICT_PAGER"], signal });
}

/**
 * Builds the parser, which the console does not need.
 * @param named the command that is built, because building all takes some 10 ms; undefined for all
 * @param isJson failures are printed as JSON, so that nothing else is
 * @param canAsk whether a person can be asked for what is missing
 */
function commandLine(
  output: Output,
  named: CommandSpec | undefined,
  isJson: boolean,
  canAsk: () => boolean,
  start: Start,
): Command {
  const program = new Command("verdict")
    .description('Terminal console and command line for payment risk decisions. "verdict" opens the console.')
    .version(VERSION, "-V, --version", "print the version")
    .helpCommand("help [topic]", "explain a command, or another topic")
    .configureOutput({
      // One width everywhere: the build keeps this text for "verdict --help".
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      writeOut: (text) => output.line(text.replace(/\n$/, "")),
      // Guarded, because messages repeat words of the command line.
      writeErr: (text) => (isJson ? undefined : output.complain(text.replace(/\n$/, ""))),
      // The error itself is reported, with the name of the command.
      outputError: () => undefined,
    })
    .configureHelp({ formatHelp: (command, helper) => formatHelp(command, helper, undefined) })
    .showSuggestionAfterError(true)
    // Behind the command's name a word may be a value that looks like an option of the program.
    .enablePositionalOptions();
  withGlobals(program);
  refuseBySentence(program);
  for (const spec of named === undefined ? COMMANDS : [named]) addCommand(program, spec, canAsk, start);
  return program;
}

/** Makes the message of an error a sentence that names the command. */
function refuseBySentence(command: Command): void {
  command.exitOverride((error) => {
    const words = [nameOf(command), ...command.args.slice(0, 1)].join(" ");
    const meant = meantBy(words.slice("verdict ".length));
    if (error.code === "commander.missingMandatoryOptionValue") error.message = missingOptions(command);
    if (error.exitCode !== 0) error.message = meant ?? asSentence(withoutValues(error), nameOf(command));
    throw error;
  });
}

/** All required options that are missing, where the parser names the first. */
function missingOptions(command: Command): string {
  const flags = command.options
    .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
    .map((option) => option.flags);
  const last = flags.pop()!;
  return flags.length === 0 ? `${last} is missing` : `${flags.join(", ")} and ${last} are missing`;
}

/** The message of an error without values of unknown options and words too many, which may be secrets. */
function withoutValues({ code, message }: CommanderError): string {
  if (code === "commander.excessArguments") return message.replace(/(but got \d+): .*/s, "$1");
  if (code !== "commander.unknownOption") return message;
  return message.replace(/'(--[^'=]*|-[^'])[^]*'/, "'$1'");
}

/** @throws Fault("usage") for an unknown topic */
async function showTopic(
  name: string,
  output: Output,
  shortcuts: () => Promise<KeyTable>,
): Promise<ExitCode> {
  const topics: Readonly<Record<string, Topic>> = TOPICS;
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) {
    const known = Object.keys(TOPICS).join(", ");
    const meant = meantBy(name);
    throw meant === undefined
      ? usage`There is no command and no topic "${name}"; "verdict --help" lists the commands, and the topics are ${whole(known)}.`
      : usage`${whole(meant)}`;
  }
  if (typeof topic === "string") {
    output.line(topic);
    return EXIT.done;
  }
  const { rows, problem } = await shortcuts();
  output.line(topic(rows, output.style));
  if (problem === null) return EXIT.done;
  output.complain(safe(problem, { max: 1_000 }));
  return EXIT.usage;
}

/**
 * The appearance (theme, ASCII, screen reader) from options and settings, and why the settings were ignored; null when
 * they were not.
 */
async function appearanceFor(
  line: CommandLine,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly appearance: Appearance; readonly problem: string | null }> {
  const theme = THEMES.find((name) => name === line.value("--theme"));
  const color = line.has("--no-color") ? "never" : line.value("--color");
  const asked = {
    ...(theme === undefined ? {} : { theme }),
    ...(color === "always" || color === "never" ? { color: color === "always" } : {}),
    ...(line.has("--ascii") ? { ascii: true } : {}),
    ...(line.has("--screen-reader") ? { screenReader: true } : {}),
    ...(line.has("--presenter") ? { presenter: true } : {}),
  };
  let home;
  try {
    home = findHome(env, line.value("--home"));
  } catch {
    // Reported when the home is needed.
    return { appearance: appearanceOf(asked), problem: null };
  }
  const { settings, problem } = await settingsOrNone(home);
  return { appearance: appearanceOf(asked, settings), problem };
}

/** For the console; commands leave this to their parser. @throws Fault("usage") for an unknown theme */
function requireTheme(name: string | undefined): void {
  if (name === undefined || THEMES.some((theme) => theme === name)) return;
  throw usage`There is no theme "${name}"; choose ${whole(THEMES.join(", "))}.`;
}

/** Value of an option for the console. @throws Fault("usage") for an option without a value */
function valueOf(line: CommandLine, option: string): string | undefined {
  const value = line.value(option);
  if (line.has(option) && !value) throw usage`${option} needs a value.`;
  return value;
}

type Start = (
  spec: CommandSpec,
  args: readonly (string | undefined)[],
  /** What the command line has, by the name of an option. */
  given: (name: string) => unknown,
) => Promise<void>;

function addCommand(parent: Command, spec: CommandSpec, canAsk: () => boolean, start: Start): void {
  const { options = {}, children = [] } = spec;
  const command = parent
    .command(spec.name)
    .description(spec.summary)
    .aliases(aliasesOf(spec))
    .copyInheritedSettings(parent)
    .configureHelp({
      formatHelp: (explained, helper) => formatHelp(explained, helper, { ...spec, path: nameOf(explained) }),
    })
    // A noun names its unknown verbs below.
    .allowExcessArguments(children.length > 0);
  refuseBySentence(command);
  for (const [flags, help] of spec.arguments ?? []) command.argument(flags, help);
  for (const option of builtOptions(options, spec.asks === true && canAsk())) command.addOption(option);
  withGlobals(command);
  for (const child of children) addCommand(command, child, canAsk, start);
  if (spec.load !== undefined) {
    command.action(async (...given: unknown[]) => {
      const parsed = given.at(-1) as Command & { unknownCommand(): never };
      if (children.length > 0 && parsed.args.length > 0) parsed.unknownCommand();
      const values: Record<string, unknown> = parsed.optsWithGlobals();
      // A repeatable argument is a list.
      await start(spec, given.slice(0, -2).flat() as (string | undefined)[], (name) =>
        parsed.getOptionValueSourceWithGlobals(name) === "cli" ? values[name] : undefined,
      );
    });
  }
}

/** Adds the global options; the rare ones are shown in the main help only. */
function withGlobals(command: Command): void {
  for (const option of builtOptions(GLOBAL_OPTIONS)) {
    command.addOption(command.parent === null ? option.hideHelp(false) : option);
  }
}

async function runCommand(
  spec: CommandSpec,
  args: readonly (string | undefined)[],
  read: ReadOptions,
  around: Surroundings,
  {
    output: whole,
    appearance,
    line,
  }: { readonly output: Output; readonly appearance: Appearance; readonly line: CommandLine },
): Promise<number> {
  const given = read.values as Partial<
    Values<
      typeof GLOBAL_OPTIONS &
        typeof SHOWN & { verbose: typeof VERBOSE; freshConnections: typeof FRESH_CONNECTIONS }
    >
  >;
  const profile = chosenProfile(around.env, given.profile);
  const chosen = given.fields === undefined ? null : chosenFields(whole, given.fields, given.json === true);
  const output = chosen?.output ?? whole;
  const options = { ...given, ...(chosen === null ? {} : { json: true }) };
  const home = findHome(around.env, given.home);
  const contexts = new Map<string | undefined, Promise<Context>>();
  const stdin = (): NodeJS.ReadStream =>
    line.has("--no-input") ? withoutTerminal(around.stdin) : around.stdin;
  try {
    const runIt = await spec.load!();
    const exit = await runIt({
      args,
      options: options as never,
      profile,
      output,
      env: around.env,
      get stdin() {
        return stdin();
      },
      home,
      executable: around.executable,
      signal: around.signal,
      openConsole: (name, demo) => around.openConsole({ home, profile: name, demo, appearance }),
      keyTable: () => around.keyTable(home),
      storyPage: around.storyPage,
      context(name = profile) {
        const known = contexts.get(name);
        if (known !== undefined) return known;
        const opening = openContext({
          home,
          env: around.env,
          profile: name,
          freshConnections: given.freshConnections === true,
          executable: around.executable,
          onProblem: ({ message }) => output.complain(message),
          ...(given.verbose === undefined ? {} : { onAttempt: attemptReporter(output, given.verbose) }),
          async askPassphrase(problem) {
            const { askForPassphrase } = await import("#src/cli/vault/passphrase-input.ts");
            return askForPassphrase({ stdin: stdin(), output, signal: around.signal }, problem);
          },
        });
        contexts.set(name, opening);
        return opening;
      },
    });
    chosen?.print();
    return exit ?? EXIT.done;
  } catch (error) {
    throw namingVariables(error, read);
  } finally {
    output.progress(null);
    for (const context of contexts.values()) await (await context.catch(() => null))?.close();
  }
}

/** Loaded on demand, because `--help` and a dry run need no files or connections. */
async function openContext(options: ContextOptions): Promise<Context> {
  const { createContext } = await import("#src/app/context.ts");
  return createContext(options);
}

/** With --no-input there is no terminal: every question looks for one first. */
function withoutTerminal(stdin: NodeJS.ReadStream): NodeJS.ReadStream {
  if (stdin.isTTY !== true) return stdin;
  return Object.defineProperty(stdin, "isTTY", { value: false });
}

/** Prints a failure: a sentence, or with --json an object with its code and the next command. */
function report(
  error: unknown,
  { output, isJson, placed }: { output: Output; isJson: boolean; placed: (text: string) => string },
  signal: AbortSignal,
): ExitCode {
  const isOurs = error instanceof Fault;
  // The failed output was reported already.
  if (isOurs && error.code === "interrupted" && signal.reason === UNWRITTEN) return EXIT.notWritten;
  if (!isOurs && signal.aborted) return EXIT.interrupted;
  const message = placed(isOurs ? error.message : internalErrorSentence(error));
  const hint = /"(verdict [^"]+)"/.exec(message)?.[1] ?? null;
  const code = isOurs ? error.code : "internal";
  output.complain(isJson ? safeJson({ schema: 1, error: { code, message, hint } }) : message);
  return isOurs ? exitOfFault(error.code) : EXIT.ownFault;
}

/** A sentence for an unexpected error, with its kind and position; its message could hold a secret and is left out. */
export function internalErrorSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const kind = /^\w{1,60}$/.test(name) ? name : "Error";
  const place =
    error instanceof Error ? (/\(?([\w.-]+\.m?[jt]s:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1] ?? "") : "";
  return `verdict failed with an internal error (${kind}${place === "" ? "" : ` at ${place}`}); please report it with the command line.`;
}

/** Full name of a command: `verdict vault add`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Turns an error of commander into a sentence without prefix. @param name the command for the hint to its help */
function asSentence(text: string, name: string): string {
  const said = text
    .trim()
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/'([^']*)'/g, '"$1"');
  const [what, near] = said.split(/ \(Did you mean (?:one of )?(.+)\?\)$/);
  const sentence = what!.charAt(0).toUpperCase() + what!.slice(1);
  if (near === undefined)
    return /[.?)]$/.test(sentence) ? sentence : `${sentence}; "${name} --help" shows what is possible.`;
  const meant = near.split(", ").map((word) => `"${word.startsWith("-") ? word : `${name} ${word}`}"`);
  return `${sentence}. Did you mean ${meant.join(" or ")}?`;
}
