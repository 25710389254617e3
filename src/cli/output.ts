// The output of a command: text and JSON on stdout, messages and a progress line on stderr.

import { once } from "node:events";
import { disarmed, guard, guardControls } from "#src/display/guard.ts";
import { safeJson } from "#src/display/safe.ts";
import { createStyle, type Style, type ThemeName } from "#src/display/style.ts";
import { abilitiesOf, type Wishes } from "#src/terminal/gate.ts";
import { layOut, type Table } from "./table.ts";

export interface Output {
  /** Colours and symbols for stdout. */
  readonly style: Style;
  readonly isTerminal: boolean;
  /** Width of the terminal; 100 without one. */
  readonly columns: number;
  /** True when a person sees `prompt` and `complain`: stderr is a terminal. */
  readonly asksPerson: boolean;
  /** True when `progress` is shown: stderr is a terminal that can redraw a line. */
  readonly showsProgress: boolean;
  /** True after a failed write to stdout: the reader is gone, or the disk is full. */
  readonly isUnread: boolean;
  line(text?: string): void;
  lines(texts: Iterable<string>): void;
  /** A line that a build server is to obey, such as an annotation, in which foreign text is escaped as it asks. */
  command(text: string): void;
  /** Rows under headings, see `layOut`. */
  table(...table: Table): void;
  /** One line of JSON; C1 controls, DEL and invisible characters are escaped. */
  json(value: unknown): void;
  /** Values in one line with tabs between them, for programs. */
  cells(values: readonly string[]): void;
  /** A line that names a command to run next, which gets the places of this one; `complain` and `note` do the same. */
  advise(text: string): void;
  /** A sentence on stderr: why the command fails, or what it failed to do. */
  complain(text: string): void;
  /** A sentence on stderr that --quiet leaves out. */
  note(text: string): void;
  /** Replaces the progress line; null removes it. */
  progress(text: string | null): void;
  /** Shows a prompt on stderr; null ends the line. */
  prompt(text: string | null): void;
  /** Writes a control sequence to the terminal; false without a capable terminal. */
  control(sequence: string): boolean;
  /**
   * Writes text unchanged to a pipe or file; on a terminal it is guarded like other text. A build server may read the pipe:
   * foreign text in it is disarmed by who wrote it.
   */
  exact(text: string): void;
  /** Keeps what follows on stdout instead of writing it. */
  hold(): void;
  /** Ends `hold`, and writes what was kept unless `show` has shown it. */
  release(show: (text: string) => Promise<boolean>): Promise<void>;
  /** Waits for a slow reader, so that written text does not fill the memory. */
  drained(signal: AbortSignal): Promise<void>;
}

export function createOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  {
    theme,
    wishes,
    quiet = false,
    placed = (text) => text,
  }: {
    readonly theme?: ThemeName;
    readonly wishes?: Wishes;
    readonly quiet?: boolean;
    /** completes the commands that a message names */
    readonly placed?: (text: string) => string;
  } = {},
): Output {
  const isTerminal = stdout.isTTY === true;
  const { color, ascii, screenReader: spoken } = abilitiesOf(env, isTerminal, wishes);
  const style = createStyle({ color, ascii, spoken, ...(theme === undefined ? {} : { theme }) });
  const asksPerson = stderr.isTTY === true;
  const showsProgress = asksPerson && !quiet && env["TERM"] !== "dumb";
  let progressShown = false;
  let isUnread = false;
  let held: string[] | null = null;

  const print = (text: string): void => {
    if (held !== null) return void held.push(text);
    stdout.write(text, (error) => {
      if (error) isUnread = true;
    });
  };
  const clearProgress = (): void => {
    if (progressShown) stderr.write("\r\x1b[K");
    progressShown = false;
  };
  return {
    style,
    isTerminal,
    columns: stdout.columns || 100,
    asksPerson,
    showsProgress,
    get isUnread() {
      return isUnread;
    },
    line(text = "") {
      clearProgress();
      print(`${guard(text, style.color)}\n`);
    },
    lines(texts) {
      for (const text of texts) this.line(text);
    },
    command(text) {
      clearProgress();
      print(`${guardControls(text, false)}\n`);
    },
    table(...table) {
      this.lines(layOut(style, ...table));
    },
    json(value) {
      clearProgress();
      print(`${safeJson(value)}\n`);
    },
    cells(values) {
      print(`${disarmed(values.map((value) => guardControls(value, false)).join("\t"))}\n`);
    },
    advise(text) {
      this.line(placed(text));
    },
    complain(text) {
      clearProgress();
      stderr.write(`${guard(placed(text), false)}\n`);
    },
    note(text) {
      if (!quiet) this.complain(text);
    },
    progress(text) {
      clearProgress();
      if (text === null || !showsProgress) return;
      stderr.write(guard(text, false).slice(0, Math.max(20, (stderr.columns || 80) - 1)));
      progressShown = true;
    },
    prompt(text) {
      clearProgress();
      stderr.write(text === null ? "\n" : guard(text, false));
    },
    control(sequence) {
      const terminal = [stdout, stderr].find((stream) => stream.isTTY);
      if (terminal === undefined || env["TERM"] === "dumb") return false;
      clearProgress();
      terminal.write(sequence);
      return true;
    },
    exact(text) {
      clearProgress();
      print(isTerminal ? guard(text.replaceAll("\r\n", "\n"), false) : text);
    },
    hold() {
      held = [];
    },
    async release(show) {
      const text = held?.join("") ?? "";
      held = null;
      if (text !== "" && !(await show(text))) print(text);
    },
    async drained(signal) {
      if (stdout.writableNeedDrain) await once(stdout, "drain", { signal }).catch(() => undefined);
    },
  };
}
