// Reads the command line, runs one command, and turns whatever happens into an exit code and at most one sentence.

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
import { COMMANDS } from "./commands.ts";
import { EXIT, exitOfFault, type ExitCode } from "./exit-code.ts";
import { createOutput, type Output } from "./output.ts";
import { progressBar } from "./progress-bar.ts";
import { TOPICS } from "./topics.ts";

const HELP_WIDTH = 80;

/** Why the signal of the surroundings fires where standard output or standard error cannot be written. */
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
  /** The other front end. Without a terminal it says so in one sentence and returns 2. */
  openConsole(options: {
    readonly home: Home;
    readonly appearance: Appearance;
    readonly profile: string | undefined;
    readonly demo?: DemoOpening | undefined;
  }): Promise<number>;
  /** The keys of the console, which commands list without drawing it. */
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
      insistOnTheme(valueOf(argv, "--theme"));
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
      // The examination has it among its findings.
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

/** The parser of the command line. Making it takes time, which the console does without. @param first plain word of it */
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
      // Words of the command line are repeated in its complaints, and a script may have taken them from anywhere.
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
  // Building a hundred commands takes some 10 ms of a start: only the named one is built, where one is named.
  const named = COMMANDS.find(({ name }) => name === first);
  for (const spec of named === undefined ? COMMANDS : [named]) addCommand(program, spec, start);
  return program;
}

/** Whether the words are those of a command, such as `payload save`. */
function namesCommand(words: readonly string[]): boolean {
  let specs: readonly CommandSpec[] = COMMANDS;
  for (const word of words) {
    const spec = specs.find(({ name }) => name === word);
    if (spec === undefined) return false;
    specs = spec.children ?? [];
  }
  return true;
}

/** @throws Fault("usage") naming the topics there are */
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

/** The words that are neither an option nor the value of one that every command takes. */
function plainWords(argv: readonly string[]): string[] {
  return argv.filter(
    (word, index) => !word.startsWith("-") && !/^--(?:home|profile|theme)$/.test(argv[index - 1] ?? ""),
  );
}

/** True for nothing but options that every command takes: the console is meant. */
function namesNoCommand(argv: readonly string[]): boolean {
  return argv.every(
    (word, index) =>
      /^--(?:home|profile|theme)(?:=|$)/.test(word) ||
      /^--(?:ascii|screen-reader)$/.test(word) ||
      /^--(?:home|profile|theme)$/.test(argv[index - 1] ?? ""),
  );
}

/**
 * How everything is shown, known before anything is, and why the settings are left out of it; null where they are not.
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
  };
  let home;
  try {
    home = findHome(env, lastValue(words, "--home"));
  } catch {
    // Said where the home is needed.
    return { appearance: appearanceOf(asked, {}), problem: null };
  }
  const { settings, problem } = await settingsOrNone(home);
  return { appearance: appearanceOf(asked, settings), problem };
}

/** A command leaves this to its parser. @throws Fault("usage") */
function insistOnTheme(name: string | undefined): void {
  if (name === undefined || THEMES.some((theme) => theme === name)) return;
  throw new Fault("usage", `There is no theme "${escapeText(name, 40)}"; choose ${THEMES.join(", ")}.`);
}

/** Value of the last of an option, `--home DIR` or `--home=DIR`; undefined without one. */
function lastValue(argv: readonly string[], option: string): string | undefined {
  const index = argv.findLastIndex((word) => word === option || word.startsWith(`${option}=`));
  const word = argv[index];
  return word === option ? argv[index + 1] : word?.slice(option.length + 1);
}

/** Value of a global option where no command was named: `--home DIR` or `--home=DIR`. */
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
      // A repeatable word comes as a list of its own.
      await start(spec, given.slice(0, -2).flat() as (string | undefined)[], parsed.optsWithGlobals());
    });
  }
}

/** `--profile` and `--home` are taken before and after the command's name. */
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
    .addOption(lookOption("--screen-reader", "the console as linear text, without frames", command));
}

/** How everything looks is taken everywhere, and explained once. */
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
  let context: Promise<Context> | null = null;
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
      context: () =>
        (context ??= openContext({
          home,
          env: around.env,
          profile,
          freshConnections: options.flag("freshConnections"),
          executable: around.executable,
          onProblem: ({ message }) => output.complain(message),
          onTakeOver: progressBar(output, "Taking over the history of an earlier version"),
          signal: around.signal,
          async askPassphrase(problem) {
            const { askForPassphrase } = await import("#src/cli/vault/passphrase-input.ts");
            return askForPassphrase({ stdin: around.stdin, output, signal: around.signal }, problem);
          },
        })),
    });
  } finally {
    output.progress(null);
    await (await (context as Promise<Context> | null)?.catch(() => null))?.close();
  }
}

/** Loaded on demand: `--help` and a dry run work without files and connections. */
async function openContext(options: ContextOptions): Promise<Context> {
  const { createContext } = await import("#src/app/context.ts");
  return createContext(options);
}

function report(error: unknown, complain: (text: string) => void, signal: AbortSignal): ExitCode {
  if (error instanceof Fault) {
    // What stopped for want of an output adds nothing to what is said about that.
    if (error.code === "interrupted" && signal.reason === UNWRITTEN) return EXIT.notWritten;
    complain(error.message);
    return exitOfFault(error.code);
  }
  if (signal.aborted) return EXIT.interrupted;
  complain(ownFaultSentence(error));
  return EXIT.ownFault;
}

/** A fault of our own in a sentence: its kind and place help to report it, its message might hold what must not be printed. */
export function ownFaultSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const kind = /^\w{1,60}$/.test(name) ? name : "Error";
  const place =
    error instanceof Error ? (/\(?([\w.-]+\.m?[jt]s:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1] ?? "") : "";
  return `verdict failed on its own account (${kind}${place === "" ? "" : ` at ${place}`}); please report it with the command line.`;
}

/** `verdict vault add`: a command with those above it. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Commander's complaints in the product's voice: a sentence, without the prefix. @param name whose help says more */
function asSentence(text: string, name: string): string {
  const said = text
    .trim()
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ");
  const sentence = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}; "${name} --help" shows what is possible.`;
}
