// The console from the first question to the terminal to the last line after it. Light: Ink is loaded once a terminal is sure.

import type { DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import type { Home } from "#src/app/home.ts";
import { settingsOrNone, type Appearance } from "#src/app/settings.ts";
import { nameKeys } from "#src/display/key-name.ts";
import { keyLabel } from "#src/keys/binding.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { Carried } from "#src/state/profiles/switching.ts";
import { terminalClipboard } from "#src/terminal/clipboard.ts";
import type { Edited } from "#src/terminal/editor.ts";
import { consoleGate } from "#src/terminal/gate.ts";
import { leanOutput } from "#src/terminal/lean-output.ts";
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
const NO_TERMINAL = 2;
const EXPECTATION_FAILED = 8;
const INTERRUPTED = 130;

/** What is given up after leaving when it takes longer, e.g. a request that hangs, and again what still runs then: an SSH session that dropped leaves nothing behind. */
const FAREWELL_MS = 600;
/** How often the progress of a take-over is said. */
const TAKE_OVER_MS = 1_000;
/** A stopped process runs no timers, so this one fires after it was continued. */
const CONTINUED_MS = 50;

/**
 * Opens the console and stays until the user leaves it.
 * @returns 0, 2 without a usable terminal, 8 after a deck whose verdicts were not as expected, 130 when interrupted
 * @throws Fault("usage") for an unknown profile, and whatever made the console fail: the terminal is restored before
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { stdin, stdout, stderr, env, signal, appearance } = options;
  const gate = consoleGate({ stdin, stdout, env, wishes: appearance.wishes });
  if (!gate.ok) {
    stderr.write(`${gate.sentence}\n`);
    return NO_TERMINAL;
  }
  const { screenReader } = gate;
  const color = gate.color && !screenReader;
  const [{ createContext }, { createConsoleModel }, { drawConsole }, { createKeyParser }, { keysOf }] =
    await withInkColors(color, () =>
      Promise.all([
        import("#src/app/context.ts"),
        import("#src/state/console-model.ts"),
        import("#screens/shell/draw.tsx"),
        import("#src/keys/key-parser.ts"),
        import("./key-table.ts"),
      ]),
    );
  const keys = await keysOf(options.home);
  nameKeys(new Map(keys.bindings.map(({ id, keys: [key = ""] }) => [id, keyLabel(key)])));
  /** Until there is a console to say it: the profiles are read before. */
  const early: string[] = [];
  let notice = (text: string): unknown => early.push(text);
  let saidAt = -Infinity;
  const onTakeOver = (done: number, all: number): void => {
    const isOver = done >= all;
    if (!isOver && performance.now() - saidAt < TAKE_OVER_MS) return;
    saidAt = performance.now();
    const share = isOver ? "" : ` (${Math.floor((100 * done) / all)} %)`;
    const text = `The history of an earlier version ${isOver ? "has been" : "is being"} taken over${share}.`;
    model.session.say(text, isOver ? "done" : "note");
  };
  const open = (profile: string | undefined): Promise<Context> =>
    createContext({
      ...options,
      profile,
      onProblem: ({ message }) => notice(message),
      onTakeOver,
      databaseInWorker: true,
      askPassphrase: (problem) => model.vaultLock.ask(problem),
    });
  const first = await open(options.profile).catch((error: unknown) => {
    for (const text of early) stderr.write(`${text}\n`);
    throw error;
  });

  let leave: (code: number) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const left = new Promise<number>((resolve, reject) => {
    leave = resolve;
    fail = reject;
  });
  let leaving = false;
  const interrupt = (): void => {
    leaving = true;
    leave(INTERRUPTED);
  };
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);

  const build = (context: Context, carried?: Carried): ConsoleModel =>
    createConsoleModel(context, {
      now: () => Date.now(),
      // For a screen reader signs are taken apart and said in words.
      ascii: gate.ascii && !screenReader,
      quit: () => leave(DONE),
      clipboard: terminalClipboard(stdout, env),
      onUse: (name, keep) => use(name, keep),
      async openEphemeral(seed, startAt) {
        const { openEphemeral } = await import("#src/app/ephemeral.ts");
        return openEphemeral({
          env,
          executable: options.executable,
          seed,
          startAt,
          onProblem: ({ message }) => notice(message),
        });
      },
      ...(carried === undefined ? {} : { carried }),
    });
  let model = build(first);
  /** The way to another profile, while it is gone. */
  let turning: Promise<void> | null = null;
  /**
   * Another profile is another console on the same terminal: nothing of the one before (client, vault, lease of the sandbox)
   * is left, and what was typed goes along.
   */
  const turn = async (name: string, keep: boolean): Promise<void> => {
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
    const carried = model.carry();
    await farewell(model.close());
    model = build(next, carried);
    if (leaving) return;
    drawn.show(model);
    model.session.say(
      keep ? `The profile ${name} is in use.` : `The profile ${name} is saved and in force.`,
      "done",
    );
    model.start().catch(fail);
  };
  const use = async (name: string, keep: boolean): Promise<void> => {
    turning = turn(name, keep);
    try {
      await turning;
    } finally {
      turning = null;
    }
  };
  const secure = (): void => model.secure();
  const closeAll = async (): Promise<void> => {
    await turning?.catch(() => undefined);
    await model.close();
  };
  const terminal = openTerminal(stdin, stdout);
  const drawn = drawConsole({
    model,
    stdout: leanOutput(stdout),
    stderr,
    color,
    theme: appearance.theme,
    bindings: keys.bindings,
    screenReader,
    onError: fail,
    onInterrupt: interrupt,
    onEdit: ({ text, fileName, onText }, hold) => {
      const edit = async (): Promise<void> => {
        const { editInEditor } = await import("#src/terminal/editor.ts");
        let edited = { problem: "The editor was not opened; nothing was changed." } as Edited;
        await hold(async () => {
          terminal.suspend();
          edited = await editInEditor(text, { env, fileName, signal });
          // On the way out there is nothing to be typed any more.
          if (!signal.aborted) terminal.resume();
        });
        if ("text" in edited) onText(edited.text);
        else model.session.say(edited.problem, "error");
      };
      edit().catch(fail);
    },
    onSuspend: (hold) => {
      secure();
      hold(() => stopped(terminal)).catch(fail);
    },
  });
  const parser = createKeyParser(drawn.give);
  terminal.onInput((chunk) => {
    // An Enter that was meant for one profile must not send anything through another.
    if (turning !== null) return chunk.includes(CTRL_C) ? interrupt() : undefined;
    try {
      parser.feed(chunk);
    } catch (error) {
      fail(error);
    }
  });
  // Somebody else has stopped it, and nobody knows who continues it.
  process.on("SIGCONT", secure);
  // The other end of the line is gone: nobody sees anything any more.
  terminal.onGone(interrupt);
  notice = (text) => model.session.say(text, "error");
  for (const problem of [(await settingsOrNone(options.home)).problem, keys.problem, ...early]) {
    if (problem !== null) model.session.say(problem, "error");
  }
  if (options.demo !== undefined) model.demo.open(options.demo);
  // Ctrl-C may have come before the first frame.
  else if (!leaving) model.start().catch(fail);

  let code: number;
  let inTime = true;
  try {
    code = await left;
  } finally {
    // First of all: the other end of the line may not take anything any more a moment later.
    model.copies.clear();
    process.off("SIGCONT", secure);
    parser.dispose();
    await drawn.end();
    terminal.restore();
    signal.removeEventListener("abort", interrupt);
    inTime = await farewell(closeAll());
    process.off("uncaughtException", fail);
    process.off("unhandledRejection", fail);
    // Also when it failed: what was sent stays sent.
    stdout.write(`${options.demo === undefined ? model.summary() : model.demo.summary()}\n`);
  }
  const asExpected = options.demo === undefined || model.demo.unexpected().length === 0;
  const exit = code === DONE && !asExpected ? EXPECTATION_FAILED : code;
  // Whatever still hangs would keep the process alive behind the prompt, or behind a line that has dropped.
  setTimeout(() => process.exit(exit), inTime ? FAREWELL_MS : 0).unref();
  return exit;
}

/** Ink's colours know one variable only, and read it when they are loaded; programs that are started get it as it was. */
async function withInkColors<T>(color: boolean, load: () => Promise<T>): Promise<T> {
  const before = process.env["FORCE_COLOR"];
  process.env["FORCE_COLOR"] = color ? "1" : "0";
  try {
    return await load();
  } finally {
    if (before === undefined) delete process.env["FORCE_COLOR"];
    else process.env["FORCE_COLOR"] = before;
  }
}

/** Stops this process and all of its terminal's foreground group, as Ctrl-Z does, until it is continued. */
async function stopped(terminal: { suspend(): void; resume(): void }): Promise<void> {
  terminal.suspend();
  process.kill(0, "SIGTSTP");
  await new Promise((resolve) => setTimeout(resolve, CONTINUED_MS));
  terminal.resume();
}

/** Waits for what is being given back, but not for long. @returns whether it was */
async function farewell(closing: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), FAREWELL_MS);
  });
  const done = closing.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([done, late]);
  clearTimeout(timer);
  return inTime;
}
