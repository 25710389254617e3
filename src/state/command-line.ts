// The command line in the console: reads a typed line, runs it, and shows what it prints.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { NO_LINE, type LineFacts, type LineForm, type TypedLine } from "#src/contract/records/typed-line.ts";
import { whyNotSend } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { safe } from "#src/display/safe.ts";
import { liftKeys } from "./check/checks-state.ts";
import { agreeToBatch } from "./live-fence.ts";
import type { Page, PageView } from "./page.ts";
import { lineQuestion } from "./sandbox/line-question.ts";
import { LONGEST_TOAST, type Session } from "./session.ts";
import { afterTimeout, type After } from "./timers.ts";
import type { VaultLock } from "./vault/vault-lock.ts";

/** The command line of the program around the console. */
export interface LineProgram {
  read(text: string, facts: LineFacts): TypedLine;
  /** Lines that end with a name, such as the name of a payload. Never rejects. */
  names(text: string, facts: LineFacts, context: Context): Promise<readonly LineForm[]>;
  /** Runs verdict without a terminal. @returns how it ended, as the rest of a sentence; null when it ended well */
  run(
    words: readonly string[],
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ): Promise<string | null>;
}

export interface CommandLineState {
  /** The line that is run, or was run last. */
  readonly title: string;
  readonly running: boolean;
  readonly output: string;
  /** How it ended, as a sentence; null when it ended well, and before its end. */
  readonly problem: string | null;
  /** Lines with names, and the typed text that they are for. */
  readonly names: { readonly of: string; readonly forms: readonly LineForm[] };
}

/** Nothing can be run where no program is around the console. */
const NO_PROGRAM: LineProgram = {
  read: () => NO_LINE,
  names: () => Promise.resolve([]),
  run: () => Promise.resolve(null),
};

/** A line that ends sooner and prints one sentence is answered in the message row. */
const PATIENCE_MS: Milliseconds = 700;
const MOST_OUTPUT = 200_000;
const REST = "The rest is left out; in your shell the command can write it into a file.";
const LONGEST_LINE = 4_000;

/** @param onEnd reads again what a line may have changed */
export function createCommandLine(
  context: Context,
  session: Session,
  parts: {
    readonly lock: Pick<VaultLock, "store">;
    readonly program?: LineProgram | undefined;
    readonly onEnd: () => Promise<unknown>;
    readonly after?: After | undefined;
  },
) {
  const { lock, program = NO_PROGRAM, onEnd, after = afterTimeout } = parts;
  const store = createStore<CommandLineState>(() => ({
    title: "",
    running: false,
    output: "",
    problem: null,
    names: { of: "", forms: [] },
  }));
  const { getState, setState } = store;
  let stop = new AbortController();
  /** Of the line that was run last. */
  let page: Page | null = null;

  const facts = (): LineFacts => ({
    isSandbox: context.profile.environment === "SANDBOX",
    hasPassphrase: lock.store.getState().protection === "passphrase",
  });

  async function capture(title: string, words: readonly string[], exposes: boolean): Promise<void> {
    stop = new AbortController();
    if (page !== null) session.closePage(page);
    const { screen } = session.store.getState();
    const opened: Page = {
      screen,
      store,
      ...(exposes ? { exposes } : {}),
      // What a command prints that shows nothing personal stays as it is; its line may have a name.
      view: (_, { width, audience }) => viewOf({ ...getState(), title: audience.shown(title) }, width),
    };
    page = opened;
    setState({ title, running: true, output: "", problem: null });
    const show = (): void => session.show(opened);
    const cancelShow = after(PATIENCE_MS, show);
    const onOutput = (text: string): void => {
      setState(({ output }) => ({ output: (output + text).slice(0, MOST_OUTPUT) }));
      if (messageOf(getState().output) === null) show();
    };
    const how = await program.run(words, onOutput, stop.signal);
    cancelShow();
    const problem = how === null ? null : `The command ${how}.`;
    setState({ running: false, problem });
    const message = messageOf(getState().output);
    if (message === null) show();
    else {
      session.closePage(opened);
      session.say(message || (problem ?? "The command has ended."), problem === null ? "done" : "error");
    }
    // Last: while it reads, the user may do something else, whose words must not be covered by these.
    await onEnd();
  }

  function viewOf({ title, running, output, problem }: CommandLineState, width: number): PageView {
    const plain = (text: string): PageView["lines"][number] =>
      printedLine(safe(text, { max: LONGEST_LINE }), width);
    return {
      title: safe(title),
      lines: [
        ...linesOf(output).map(plain),
        ...(output.length < MOST_OUTPUT ? [] : [plain(REST)]),
        ...(running ? [plain(`Running; ${session.keyName("page.close")} ends it.`)] : []),
        ...(problem === null ? [] : [{ text: problem, role: "error" as const }]),
      ],
      ...(running ? { keys: { close: () => void cancel() } } : {}),
    };
  }

  /** Ends what is running. @returns false when nothing is */
  function cancel(): boolean {
    if (!getState().running) return false;
    stop.abort();
    return true;
  }

  function start(text: string, words: readonly string[], { takesTerminal, isPublic }: TypedLine): void {
    if (!takesTerminal) return void capture(text, words, !isPublic);
    session.runProgram({
      name: safe(text),
      words,
      isOurs: true,
      wait: true,
      variables: {},
      onEnd(problem) {
        if (problem !== null) session.say(`The command ${problem}.`, "error");
        void onEnd();
      },
    });
  }

  return {
    store,
    /** What a typed text means. */
    read: (text: string): TypedLine => program.read(text, facts()),
    /** Looks for names that may end the text; an audience sees none. Never rejects. */
    async complete(text: string) {
      if (text.trim() === "" || session.audience().isThere) return;
      const forms = await program.names(text, facts(), context);
      setState({ names: { of: text, forms } });
    },
    /** Runs a whole line, or says why not. What it cannot take back is asked about first. Never rejects. */
    async run(text: string) {
      const line = program.read(text, facts());
      const { words, refusal, isPublic } = line;
      if (words === null) return;
      const isBusy = getState().running ? "Another command is running; wait for its end." : null;
      const unsent = line.sends ? whyNotSend(context.profile, liftKeys(session.keyName)) : null;
      const why = refusal ?? (isPublic ? null : session.whyHidden()) ?? unsent ?? isBusy;
      if (why !== null) return session.say(why, "note");
      const title = text.trim();
      const batch = { what: `Run ${safe(title)}, which sends`, yes: "run" };
      if (line.sends && !(await agreeToBatch(session, context.profile, batch))) return;
      const question = lineQuestion(words);
      if (question === null) return start(title, words, line);
      if (await session.agree(question)) start(title, [...words, "--yes"], { ...line, takesTerminal: false });
    },
    cancel,
  };
}

export type CommandLine = ReturnType<typeof createCommandLine>;

/** Columns that the last column of a table needs, so that its text is wrapped below itself. */
const LAST_COLUMN = 24;

/** A sentence is wrapped at words, as the last column of a table is; a table that is too wide, as a terminal wraps it. */
function printedLine(line: string, width: number): PageView["lines"][number] {
  const head = /^(?:.* {2})?/.exec(line)![0];
  if (head.length > width - LAST_COLUMN) return { text: line, role: null };
  return { fixed: [{ text: head }], text: line.slice(head.length) };
}

/** An output of a line or two sentences, as a message; null for a longer one. */
function messageOf(output: string): string | null {
  const lines = linesOf(output);
  const isShort = lines.length < 2 || (lines.length === 2 && lines.every((line) => line.endsWith(".")));
  const message = lines.join(" ");
  return isShort && message.length <= LONGEST_TOAST ? message : null;
}

/** The lines of an output, without blank ones at its end. */
function linesOf(output: string): string[] {
  const text = output.trimEnd().replaceAll("\t", "  ");
  return text === "" ? [] : text.split(/\r?\n/);
}
