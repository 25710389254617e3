// The command line: parses arguments, runs one command, and turns the result or error into an exit code and a sentence.

import { Command, CommanderError, Option } from "commander";
import type { DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context, ContextOptions } from "#src/app/context.ts";
import { chosenProfile, findHome, requireKnownVariables, type Home } from "#src/app/home.ts";
import { appearanceOf, settingsOrNone, type Appearance } from "#src/app/settings.ts";
import { VERSION } from "#src/app/version.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { THEMES } from "#src/display/style.ts";
import { Options, type CommandSpec, type KeyTable } from "./command.ts";
import { attemptReporter } from "./attempts.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, exitOfFault, type ExitCode } from "./exit-code.ts";
import { createOutput, type Output } from "./output.ts";
import { VERBOSE } from "./option-specs.ts";
import { progressBar } from "./progress-bar.ts";
import { TOPICS } from "./topics.ts";

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
}

/** Runs the command line; never throws. */
export async function run(surroundings: Surroundings): Promise<number> {
  const { appearance, problem } = await appearanceFor(surroundings);
  const output = createOutput(surroundings.stdout, surroundings.stderr, surroundings.env, appearance);
  let exit: number = EXIT.done;

  const [first, ...others] = plainWords(surroundings.argv);
  try {
    if (namesNoCommand(surroundings.argv)) {
      const { argv, env } = surroundings;
      requireTheme(valueOf(argv, "--theme"));
      requireKnownVariables(env);
      return await surroundings.openConsole({
        home: findHome(env, valueOf(argv, "--home")),
        profile: chosenProfile(env, valueOf(argv, "--profile")),
        appearance,
      });
    }
    const explained = first === "help" && others.length > 0 ? others : null;
    if (explained !== null && !namesCommand(explained)) {
      output.line(topicText(explained));
      return EXIT.done;
    }
    const program = commandLine(output, explained?.[0] ?? first, async (chosen, args, values) => {
      // `doctor` reports it as a finding.
      if (problem !== null && chosen.name !== "doctor") output.complain(problem);
      exit = await runCommand(chosen, args, values, surroundings, { output, appearance });
    });
    const argv = explained === null ? surroundings.argv : [...explained, "--help"];
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { systemFault } = await import("#src/app/system-fault.ts");
    return report(systemFault(error), output.complain, surroundings.signal);
  }
  return exit;
}

/** Builds the parser, which the console does not need. @param first first plain word of the command line */
function commandLine(output: Output, first: string | undefined, start: Start): Command {
  const program = new Command("verdict")
    .description("Terminal console and command line for payment risk decisions.")
    .version(VERSION, "-V, --version", "print the version")
    .helpCommand("help [topic]", "explain a command, or another topic")
    .configureOutput({
      // One width everywhere: the build keeps this text for "verdict --help".
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      writeOut: (text) => output.line(text.replace(/\n$/, "")),
      // Guarded, because messages repeat words of the command line.
      writeErr: (text) => output.complain(text.replace(/\n$/, "")),
      outputError: (text, write) => write(`${asSentence(text, "verdict")}\n`),
    })
    .showSuggestionAfterError(true)
    .exitOverride();
  withGlobals(program);
  program.addHelpText(
    "after",
    "\nExamples:\n  $ verdict tour\n      the whole way, from registration to verdicts, on a sandbox of its own\n" +
      "  $ verdict register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait\n" +
      "  $ verdict check payload.json && echo ship\n" +
      `\n"verdict help COMMAND" explains a command; further topics: ${Object.keys(TOPICS).join(", ")}.`,
  );
  // Building all commands takes some 10 ms, so only the named one is built.
  const named = COMMANDS.find(({ name }) => name === first);
  for (const spec of named === undefined ? COMMANDS : [named]) addCommand(program, spec, start);
  return program;
}

/** True for the words of a command, such as `payload save`. */
function namesCommand(words: readonly string[]): boolean {
  let specs: readonly CommandSpec[] = COMMANDS;
  for (const word of words) {
    const spec = specs.find(({ name }) => name === word);
    if (spec === undefined) return false;
    specs = spec.children ?? [];
  }
  return true;
}

/** @throws Fault("usage") for an unknown topic */
function topicText(words: readonly string[]): string {
  const topic = words.join(" ");
  const text = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (text !== undefined) return text;
  const known = Object.keys(TOPICS).join(", ");
  throw new Fault(
    "usage",
    `There is no command and no topic "${escapeText(topic, 60)}"; "verdict --help" lists the commands, and the topics are ${known}.`,
  );
}

/** The words that are neither an option nor the value of a global option. */
function plainWords(argv: readonly string[]): string[] {
  return argv.filter(
    (word, index) => !word.startsWith("-") && !/^--(?:home|profile|theme)$/.test(argv[index - 1] ?? ""),
  );
}

/** True for global options only, which open the console. */
function namesNoCommand(argv: readonly string[]): boolean {
  return argv.every(
    (word, index) =>
      /^--(?:home|profile|theme)(?:=|$)/.test(word) ||
      /^--(?:ascii|screen-reader|presenter)$/.test(word) ||
      /^--(?:home|profile|theme)$/.test(argv[index - 1] ?? ""),
  );
}

/**
 * The appearance (theme, ASCII, screen reader) from options and settings, and why the settings were ignored; null when
 * they were not.
 */
async function appearanceFor({
  argv,
  env,
}: Surroundings): Promise<{ readonly appearance: Appearance; readonly problem: string | null }> {
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const theme = THEMES.find((name) => name === lastValue(words, "--theme"));
  const asked = {
    ...(theme === undefined ? {} : { theme }),
    ...(words.includes("--ascii") ? { ascii: true } : {}),
    ...(words.includes("--screen-reader") ? { screenReader: true } : {}),
    ...(words.includes("--presenter") ? { presenter: true } : {}),
  };
  let home;
  try {
    home = findHome(env, lastValue(words, "--home"));
  } catch {
    // Reported when the home is needed.
    return { appearance: appearanceOf(asked, {}), problem: null };
  }
  const { settings, problem } = await settingsOrNone(home);
  return { appearance: appearanceOf(asked, settings), problem };
}

/** For the console; commands leave this to their parser. @throws Fault("usage") for an unknown theme */
function requireTheme(name: string | undefined): void {
  if (name === undefined || THEMES.some((theme) => theme === name)) return;
  throw new Fault("usage", `There is no theme "${escapeText(name, 40)}"; choose ${THEMES.join(", ")}.`);
}

/** Value of the last occurrence of an option, `--home DIR` or `--home=DIR`; undefined without one. */
function lastValue(argv: readonly string[], option: string): string | undefined {
  const index = argv.findLastIndex((word) => word === option || word.startsWith(`${option}=`));
  const word = argv[index];
  return word === option ? argv[index + 1] : word?.slice(option.length + 1);
}

/** The same for the console. @throws Fault("usage") for an option without a value */
function valueOf(argv: readonly string[], option: string): string | undefined {
  const value = lastValue(argv, option);
  const isThere = argv.some((word) => word === option || word.startsWith(`${option}=`));
  if (isThere && !value) throw new Fault("usage", `${option} needs a value.`);
  return value;
}

type Start = (
  spec: CommandSpec,
  args: readonly (string | undefined)[],
  values: Record<string, unknown>,
) => Promise<void>;

function addCommand(parent: Command, spec: CommandSpec, start: Start): void {
  const command = parent
    .command(spec.name)
    .description(spec.summary)
    .exitOverride()
    .copyInheritedSettings(parent);
  if (spec.formerName !== undefined) command.alias(spec.formerName);
  const name = nameOf(command);
  command.configureOutput({
    ...parent.configureOutput(),
    outputError: (text, write) => write(`${asSentence(text, name)}\n`),
  });
  command.allowExcessArguments(false);
  for (const [flags, help] of spec.arguments ?? []) command.argument(flags, help);
  for (const option of spec.options ?? []) {
    const built = new Option(option.flags, option.help);
    if (option.required) built.makeOptionMandatory();
    if (option.choices) built.choices([...option.choices]);
    if (option.repeatable)
      built.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(built);
  }
  withGlobals(command);
  const examples = (spec.examples ?? []).map(([line, what]) => `  $ ${line}\n      ${what}`);
  if (spec.notes !== undefined) command.addHelpText("after", `\n${spec.notes}`);
  if (examples.length > 0) command.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
  for (const child of spec.children ?? []) addCommand(command, child, start);
  if (spec.load !== undefined) {
    command.action(async (...given: unknown[]) => {
      const parsed = given.at(-1) as Command;
      // A repeatable argument is a list.
      await start(spec, given.slice(0, -2).flat() as (string | undefined)[], parsed.optsWithGlobals());
    });
  }
}

/** Global options, which are accepted before and after the command's name. */
function withGlobals(command: Command): void {
  command
    .option(
      "--profile <name>",
      "the profile to work with, which names a service (default: VERDICT_PROFILE, else the one in use)",
    )
    .option("--home <dir>", "keep all files under this folder (default: VERDICT_HOME, else the XDG folders)")
    .addOption(
      lookOption("--theme <name>", "colours of the roles (default: settings.yaml)", command).choices([
        ...THEMES,
      ]),
    )
    .addOption(lookOption("--ascii", "draw with ASCII signs alone", command))
    .addOption(
      lookOption("--screen-reader", "linear text without frames, and tables one fact a line", command),
    )
    .addOption(
      lookOption("--presenter", "open the console in presenter mode, all that is personal masked", command),
    );
}

/** An option of the appearance: accepted everywhere, and shown in the main help only. */
function lookOption(flags: string, help: string, command: Command): Option {
  const option = new Option(flags, help);
  return command.parent === null ? option : option.hideHelp();
}

async function runCommand(
  spec: CommandSpec,
  args: readonly (string | undefined)[],
  values: Record<string, unknown>,
  around: Surroundings,
  { output, appearance }: { readonly output: Output; readonly appearance: Appearance },
): Promise<number> {
  requireKnownVariables(around.env);
  const profile = chosenProfile(around.env, new Options(values).text("profile"));
  const options = new Options({ ...values, profile });
  const home = findHome(around.env, options.text("home"));
  const contexts = new Map<string | undefined, Promise<Context>>();
  const takingOver = {
    history: progressBar(output, "Taking over the history of an earlier version"),
    runs: progressBar(output, "Taking over the runs of an earlier version"),
  };
  try {
    const runIt = await spec.load!();
    return await runIt({
      args,
      options,
      output,
      env: around.env,
      get stdin() {
        return around.stdin;
      },
      home,
      executable: around.executable,
      signal: around.signal,
      openConsole: (name, demo) => around.openConsole({ home, profile: name, demo, appearance }),
      keyTable: () => around.keyTable(home),
      context(name = profile) {
        const known = contexts.get(name);
        if (known !== undefined) return known;
        const opening = openContext({
          home,
          env: around.env,
          profile: name,
          freshConnections: options.flag("freshConnections"),
          executable: around.executable,
          onProblem: ({ message }) => output.complain(message),
          onTakeOver: (what, done, all) => takingOver[what](done, all),
          ...(spec.options?.includes(VERBOSE) === true
            ? { onAttempt: attemptReporter(output, options.flag("verbose")) }
            : {}),
          signal: around.signal,
          async askPassphrase(problem) {
            const { askForPassphrase } = await import("#src/cli/vault/passphrase-input.ts");
            return askForPassphrase({ stdin: around.stdin, output, signal: around.signal }, problem);
          },
        });
        contexts.set(name, opening);
        return opening;
      },
    });
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

function report(error: unknown, complain: (text: string) => void, signal: AbortSignal): ExitCode {
  if (error instanceof Fault) {
    // The failed output was reported already.
    if (error.code === "interrupted" && signal.reason === UNWRITTEN) return EXIT.notWritten;
    complain(error.message);
    return exitOfFault(error.code);
  }
  if (signal.aborted) return EXIT.interrupted;
  complain(internalErrorSentence(error));
  return EXIT.ownFault;
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
    .replaceAll(/\s*\n\s*/g, " ");
  const sentence = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}; "${name} --help" shows what is possible.`;
}
