// Runs the console: checks the terminal, loads Ink, opens the model, and restores the terminal on every way out.

import type { DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import { withoutOwnVariables, type Home } from "#src/app/home.ts";
import { openNotesSocket } from "#src/app/notes-socket.ts";
import { settingsOrNone, type Appearance } from "#src/app/settings.ts";
import { boundYoungGeneration } from "#src/app/young-generation.ts";
import { EXIT, exitOfSignal } from "#src/cli/exit-code.ts";
import { usage } from "#src/contract/fault.ts";
import { barStyle, contrast, LEAST_CONTRAST, liveStyle } from "#src/display/contrast.ts";
import { afterTimeout } from "#src/contract/timer.ts";
import { guard } from "#src/display/guard.ts";
import { keyNames } from "#src/keys/binding.ts";
import type { ConsoleModel, ConsoleModelOptions } from "#src/state/console-model.ts";
import { createLook } from "#src/state/look.ts";
import type { SessionSnapshot } from "#src/state/profiles/switching.ts";
import { playUnattended } from "#src/state/sandbox/unattended.ts";
import { createVirtualTime, endedWithin, type VirtualTime } from "#src/state/timers.ts";
import { startCast } from "#src/terminal/cast.ts";
import { terminalClipboard } from "#src/terminal/clipboard.ts";
import { askColors, type ColorQuestion } from "#src/terminal/color-question.ts";
import { namesInLine, readTypedLine } from "#src/cli/typed-line.ts";
import type { Edited } from "#src/terminal/editor.ts";
import { consoleGate, takesOsc } from "#src/terminal/gate.ts";
import { leanOutput } from "#src/terminal/lean-output.ts";
import { createLinePace } from "#src/terminal/line-pace.ts";
import { madeUpTerminal } from "#src/terminal/made-up-terminal.ts";
import { terminalNotifier } from "#src/terminal/notify.ts";
import type { Hold } from "#screens/shell/shell-keys.ts";
import { openTerminal } from "#src/terminal/raw-terminal.ts";

export interface ConsoleOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** node and the built program, to start the embedded sandbox */
  readonly executable: readonly string[];
  readonly appearance: Appearance;
  /** Name given by `--profile`; undefined for the one in use. */
  readonly profile: string | undefined;
  /** Nothing but the presenter's screen is opened, and the profile is left alone. */
  readonly demo?: DemoOpening | undefined;
  /** Fires on SIGINT, SIGTERM and SIGHUP: the console leaves at once. */
  readonly signal: AbortSignal;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What Ctrl-C is in the input of a terminal in raw mode. */
const CTRL_C = "\u0003";

const DONE = 0;
const OWN_FAULT = 1;
const NO_TERMINAL = 2;
const EXPECTATION_FAILED = 8;

/** Longest wait for closing, and again for what still runs then: a dropped SSH session leaves no process behind. */
const CLOSE_LIMIT_MS = 600;
/** A stopped process runs no timers, so this one fires after it was continued. */
const CONTINUED_MS = 50;

/**
 * Opens the console and stays until the user leaves it.
 * @returns 0, 2 without a usable terminal, 8 after a deck whose verdicts were not as expected, 130 when interrupted, 129 or 143 by another signal
 * @throws Fault("usage") for an unknown profile, and the error that made the console fail, after the terminal is restored
 */
export async function runConsole(given: ConsoleOptions): Promise<number> {
  const size = given.demo?.record?.size ?? null;
  const time = size === null ? null : createVirtualTime();
  const options = size === null ? given : { ...given, ...madeUpTerminal(size, given.env) };
  const { stdin, stdout, stderr, env, signal, appearance } = options;
  // Whether there are colours at all: the theme in force may be another one later.
  const wishes = {
    ...appearance.wishes,
    color: undefined,
    ...(time === null ? {} : { screenReader: false }),
  };
  const gate = consoleGate({ stdin, stdout, env, wishes });
  if (!gate.ok) {
    stderr.write(`${gate.sentence}\n`);
    return NO_TERMINAL;
  }
  boundYoungGeneration();
  const { screenReader } = gate;
  if (screenReader && options.demo?.record !== undefined) {
    throw usage`Screen reader mode cannot be recorded; add --size 100x30 to record a virtual terminal.`;
  }
  const color = gate.color && !screenReader;
  const mouse = appearance.mouse && !screenReader;
  // Before all that takes time: what is typed ahead is not echoed, and waits for the first frame.
  const terminal = openTerminal(stdin, stdout, mouse);
  const giveBack = (error: unknown): never => {
    terminal.restore();
    throw error;
  };
  const parts = await loadConsole(!screenReader).catch(giveBack);
  const look = createLook({ theme: appearance.theme, colors: appearance.colors });
  const keys = await parts.keysOf(options.home).catch(giveBack);
  const current = await openModel(options, parts, {
    keyName: keyNames(keys.bindings),
    commands: keys.commands,
    ascii: screenReader ? "words" : gate.ascii,
    presenter: appearance.presenter,
    ...(time === null ? {} : { now: time.now, after: time.after }),
    ...(screenReader
      ? {}
      : {
          recorder: {
            start: (tape) =>
              startCast({ ...tape, terminal: stdout, now: time?.now ?? (() => performance.now()) }),
            redraw(before) {
              const redraw = (): void => {
                before();
                stdout.emit("resize");
              };
              drawn.settled().then(redraw).catch(exit.fail);
            },
          },
        }),
    ...(color ? { look } : {}),
    ...(appearance.notify === "off" ? {} : { notify: terminalNotifier(stdout, env, appearance.notify) }),
    onSwitch: (model) => drawn.show(model),
  }).catch(giveBack);
  const { exit } = current;
  const isOpen = appearance.quiet === "auto" || appearance.colors.bar === undefined;
  const asked = color && isOpen && takesOsc(env) ? askColors(stdout) : null;
  const setInks = (told: Awaited<ColorQuestion["colors"]>): void => {
    if (told === null) return;
    const isFaint = appearance.quiet === "auto" && contrast(told.gray, told.ground) < LEAST_CONTRAST;
    const inks = { ...(isFaint ? { quiet: {} } : {}), bar: barStyle(told), live: liveStyle(told) };
    look.setState(({ colors }) => ({ colors: { ...inks, ...colors } }));
  };
  asked?.colors.then(setInks).catch(exit.fail);
  // A terminal that is made up, and one that is read aloud, are never behind.
  const isPaced = time === null && !screenReader && takesOsc(env);
  const pace = isPaced
    ? createLinePace(stdout, { forget: () => drawn.forget(), redraw: () => drawn.redraw() }, afterTimeout)
    : null;
  const secure = (): void => current.model().secure();
  const takeBack = (): void => {
    // Ink draws from the column of the cursor, and programs end anywhere in a line.
    stdout.write("\r");
    terminal.resume();
  };
  /** Gives the terminal to something else. */
  const handOver = (hold: Hold, during: () => Promise<void>): Promise<void> =>
    pace === null ? hold(during) : pace.pause(() => hold(during));
  const say = (problem: string): void => current.model().session.say(problem, "error");
  const drawn = parts.drawConsole({
    model: current.model(),
    stdout: leanOutput(
      stdout,
      () => look.getState().theme === "none",
      (written) => {
        current.model().recording?.output(written);
        pace?.written(written.length);
      },
      () => pace?.skips() === true,
    ),
    stderr,
    color,
    look,
    bindings: keys.bindings,
    screenReader,
    onError: exit.fail,
    onInterrupt: exit.interrupt,
    ...(!screenReader && takesOsc(env) ? { onTitle: terminal.setTitle } : {}),
    onEdit: ({ text, fileName, line, onText }, hold) => {
      const edit = async (): Promise<void> => {
        const { editInEditor } = await import("#src/terminal/editor.ts");
        let edited = { problem: "The editor was not opened; nothing was changed." } as Edited;
        await handOver(hold, async () => {
          terminal.suspend();
          edited = await editInEditor(text, { env, fileName, line, signal });
          // On the way out nothing is typed any more.
          if (!signal.aborted) takeBack();
        });
        if ("text" in edited) onText(edited.text);
        else say(edited.problem);
      };
      edit().catch(exit.fail);
    },
    onRun: ({ name, words, isOurs, variables, wait, onEnd }, hold) => {
      const run = async (): Promise<void> => {
        const { runProgram } = await import("#src/terminal/program.ts");
        await handOver(hold, async () => {
          terminal.suspend();
          const { problem } =
            isOurs === true
              ? await runProgram(current.verdictWords(words), { env: current.environment(), signal })
              : await runProgram(words, { env: { ...withoutOwnVariables(env), ...variables }, signal });
          onEnd(problem);
          if (signal.aborted) return;
          const waits = wait || problem !== null;
          if (waits)
            stdout.write(`\nThe command ${name} ${problem ?? "has ended"}; any key goes back to verdict.`);
          takeBack();
          if (waits) await Promise.race([new Promise<void>((resolve) => (onKey = resolve)), exit.left]);
          onKey = null;
        });
      };
      run().catch(exit.fail);
    },
    onSuspend: (hold) => {
      if (process.platform === "win32")
        return say("Suspending is not possible on Windows; open another terminal window.");
      secure();
      handOver(hold, () => stopped(terminal)).catch(exit.fail);
    },
  });
  /** While what a program has printed is on the screen. */
  let onKey: (() => void) | null = null;
  const parser = parts.createKeyParser(drawn.give, undefined, mouse);
  terminal.onInput((read) => {
    if (onKey !== null) return onKey();
    const chunk = asked === null ? read : asked.typed(read);
    pace?.heard(chunk);
    // An Enter that was meant for one profile must not send anything through another.
    if (current.isSwitching()) return chunk.includes(CTRL_C) ? exit.interrupt() : undefined;
    try {
      parser.feed(chunk);
    } catch (error) {
      exit.fail(error);
    }
  });
  // Another process has stopped this one, and it is not known who continues it.
  process.on("SIGCONT", secure);
  // The other end of the line is gone: nothing is seen any more.
  terminal.onGone(exit.interrupt);
  for (const problem of [(await settingsOrNone(options.home)).problem, keys.problem]) {
    if (problem !== null) say(problem);
  }
  current.sayProblems();
  if (options.demo !== undefined) openDemo(current.model(), options.demo);
  // Ctrl-C may have come before the first frame.
  else if (!exit.isInterrupted()) current.model().start().catch(exit.fail);
  if (time !== null) {
    const { demo } = current.model();
    playUnattended(demo, time, drawn.settled).then(demo.end).catch(exit.fail);
  }

  let status: number = OWN_FAULT;
  let recorded: string | null = null;
  let inTime = true;
  try {
    const code = await exit.left;
    const asExpected = options.demo === undefined || current.model().demo.unexpected().length === 0;
    status = code === DONE && !asExpected ? EXPECTATION_FAILED : code;
  } finally {
    recorded = current.model().recording?.end(status) ?? null;
    // First: a moment later the other end may take no more output.
    current.model().copies.clear();
    process.off("SIGCONT", secure);
    parser.dispose();
    await (pace === null ? drawn.end() : pace.pause(drawn.end));
    terminal.restore();
    inTime = await endedWithin(CLOSE_LIMIT_MS, current.close());
    exit.end();
    // Also when it failed: what was sent stays sent.
    const model = current.model();
    stdout.write(`${options.demo === undefined ? model.summary() : model.demo.summary()}\n`);
    if (options.demo === undefined && recorded !== null) stdout.write(`${recorded}\n`);
  }
  await options.demo?.onEnd?.({ frames: current.model().demo.store.getState().frames, recorded });
  // What still hangs would keep the process alive behind the prompt, or behind a line that has dropped.
  setTimeout(() => process.exit(status), inTime ? CLOSE_LIMIT_MS : 0).unref();
  return status;
}

function openDemo({ demo, recording }: ConsoleModel, opening: DemoOpening): void {
  demo.open(opening);
  if (opening.record !== undefined) recording?.begin(opening.record.file);
}

/** Ink reads FORCE_COLOR when it is loaded, and writes no bold without it; child processes get it unchanged. */
async function loadConsole(styled: boolean) {
  const before = process.env["FORCE_COLOR"];
  process.env["FORCE_COLOR"] = styled ? "1" : "0";
  try {
    const [{ createContext }, { createConsoleModel }, { drawConsole }, { createKeyParser }, { keysOf }] =
      await Promise.all([
        import("#src/app/context.ts"),
        import("#src/state/console-model.ts"),
        import("#screens/shell/draw.tsx"),
        import("#src/keys/key-parser.ts"),
        import("./key-table.ts"),
      ]);
    return { createContext, createConsoleModel, drawConsole, createKeyParser, keysOf };
  } finally {
    if (before === undefined) delete process.env["FORCE_COLOR"];
    else process.env["FORCE_COLOR"] = before;
  }
}

/** How the console is left: by its user, by a signal, or by an error that nothing has caught. */
function watchExit(signal: AbortSignal) {
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<number>();
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    leave(exitOfSignal(EXIT.interrupted, signal.reason));
  };
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  return {
    left,
    leave,
    interrupt,
    fail,
    isInterrupted: () => isInterrupted,
    /** Listens no more. */
    end() {
      signal.removeEventListener("abort", interrupt);
      process.off("uncaughtException", fail);
      process.off("unhandledRejection", fail);
    },
  };
}

interface ModelOptions extends Pick<
  ConsoleModelOptions,
  "keyName" | "commands" | "ascii" | "look" | "notify" | "presenter" | "recorder" | "after"
> {
  readonly now?: VirtualTime["now"];
  readonly onSwitch: (model: ConsoleModel) => void;
}

/**
 * The model on the terminal, and how the console is left. Another profile is another model.
 * @throws Fault("usage") for an unknown profile
 */
async function openModel(
  { profile, stdout, stderr, env, executable, ...options }: ConsoleOptions,
  { createContext, createConsoleModel }: Awaited<ReturnType<typeof loadConsole>>,
  { onSwitch, ...given }: ModelOptions,
) {
  const early: string[] = [];
  let onProblem = ({ message }: { readonly message: string }): unknown => early.push(message);
  const open = (name: string | undefined): Promise<Context> =>
    createContext({
      ...options,
      env,
      executable,
      profile: name,
      onProblem: (problem) => onProblem(problem),
      databaseInWorker: true,
      askPassphrase: (problem) => model.vaultLock.ask(problem),
    });
  const build = (context: Context, snapshot?: SessionSnapshot): ConsoleModel =>
    createConsoleModel(context, {
      now: () => Date.now(),
      ...given,
      quit: () => exit.leave(DONE),
      clipboard: terminalClipboard(stdout, env),
      async onUse(name, keep) {
        switching = switchTo(name, keep);
        try {
          await switching;
        } finally {
          switching = null;
        }
      },
      async openEphemeral(seed, startAt) {
        const { openEphemeral } = await import("#src/app/ephemeral.ts");
        return openEphemeral({ env, executable, seed, startAt, onProblem: (problem) => onProblem(problem) });
      },
      commandLine: {
        read: readTypedLine,
        names: namesInLine,
        async run(words, onOutput, signal) {
          const { runProgram } = await import("#src/terminal/program.ts");
          const env = { ...environment(), NO_COLOR: "1" };
          return (await runProgram(verdictWords(words), { env, signal, onOutput })).problem;
        },
      },
      // Nobody presents a deck on a terminal that is made up, and another one may be presented meanwhile.
      ...(options.demo?.record?.size != null ? {} : { openNotes: () => openNotesSocket(options.home) }),
      ...(snapshot === undefined ? {} : { snapshot }),
    });
  /** verdict itself as a process of its own, which speaks as this console does. */
  const verdictWords = (words: readonly string[]): readonly string[] => [
    ...executable,
    ...(given.ascii === "words" ? ["--screen-reader"] : given.ascii ? ["--ascii"] : []),
    ...words,
  ];
  /** Of that process: the same home and profile. */
  const environment = (): NodeJS.ProcessEnv => ({
    ...env,
    ...options.home.environment,
    VERDICT_PROFILE: model.context.profile.name,
  });
  let switching: Promise<void> | null = null;
  /** Nothing of the model before (client, vault, lease of the sandbox) is left, and what was typed goes along. */
  const switchTo = async (name: string, keep: boolean): Promise<void> => {
    let next = await open(name);
    try {
      if (keep) await (await next.profiles()).use(name);
    } catch (error) {
      await next.close();
      throw error;
    }
    if (keep && next.profile.rolledBack === true) {
      // Using it has accepted what was rolled back.
      await next.close();
      next = await open(name);
    }
    const snapshot = model.snapshot();
    await endedWithin(CLOSE_LIMIT_MS, model.close());
    model = build(next, snapshot);
    if (exit.isInterrupted()) return;
    onSwitch(model);
    // What was changed has been said by the model before, and is said where it can be read.
    const changed = snapshot.messages.at(-1)?.text ?? `The profile ${name} is saved.`;
    model.session.say(keep ? `The profile ${name} is in use.` : changed, "done");
    model.start().catch(exit.fail);
  };
  const first = await open(profile).catch((error: unknown) => {
    for (const text of early) stderr.write(`${guard(text, false)}\n`);
    throw error;
  });
  const exit = watchExit(options.signal);
  let model = build(first);
  return {
    exit,
    model: () => model,
    verdictWords,
    environment,
    isSwitching: () => switching !== null,
    /** Says the problems that were found before there was a console, and says later ones at once. */
    sayProblems() {
      onProblem = ({ message }) => model.session.say(message, "error");
      for (const message of early) onProblem({ message });
    },
    async close() {
      await switching?.catch(() => undefined);
      await model.close();
    },
  };
}

/** Stops this process and all of its terminal's foreground group, as Ctrl-Z does, until it is continued. */
async function stopped(terminal: { suspend(): void; resume(): void }): Promise<void> {
  terminal.suspend();
  process.kill(0, "SIGTSTP");
  await new Promise((resolve) => setTimeout(resolve, CONTINUED_MS));
  terminal.resume();
}
