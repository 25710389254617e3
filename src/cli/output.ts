// Where a command writes: text and JSON on stdout, sentences on stderr, one progress line on a terminal.

import { once } from "node:events";
import { guard } from "#src/display/guard.ts";
import { safeJson } from "#src/display/safe.ts";
import { createStyle, type Style, type ThemeName } from "#src/display/style.ts";
import { abilitiesOf, type Wishes } from "#src/terminal/gate.ts";

export interface Output {
  /** Roles of colour and symbols for stdout. */
  readonly style: Style;
  readonly isTerminal: boolean;
  /** Width of the terminal; 100 where there is none. */
  readonly columns: number;
  /** Whether `prompt` and `complain` are seen by a person: stderr is a terminal. */
  readonly asksPerson: boolean;
  /** Whether `progress` is seen: stderr is a terminal that can redraw a line. */
  readonly showsProgress: boolean;
  /** True once something could not be written to stdout: nobody reads it, or there is no room. */
  readonly isUnread: boolean;
  line(text?: string): void;
  /** One JSON object on a line of its own; C1 controls, DEL and invisible characters as escapes. */
  json(value: unknown): void;
  /** A sentence on stderr. */
  complain(text: string): void;
  /** Replaces the progress line on stderr, where that is a terminal; null removes it. */
  progress(text: string | null): void;
  /** Shows what is to be typed, on any terminal; null ends the line. */
  prompt(text: string | null): void;
  /** Writes a control sequence of ours to the terminal, or a page made of them; false where there is none that takes it. */
  control(sequence: string): boolean;
  /** Whole lines as they are, for a pipe or a file; on a terminal they are guarded like any other. */
  exact(text: string): void;
  /** Waits until a slow reader has taken what was written, so that it does not fill the memory. */
  drained(signal: AbortSignal): Promise<void>;
}

export function createOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  { theme, wishes }: { readonly theme?: ThemeName; readonly wishes?: Wishes } = {},
): Output {
  const isTerminal = stdout.isTTY === true;
  const { color, ascii } = abilitiesOf(env, isTerminal, wishes);
  const style = createStyle({ color, ascii, ...(theme === undefined ? {} : { theme }) });
  const asksPerson = stderr.isTTY === true;
  const showsProgress = asksPerson && env["TERM"] !== "dumb";
  let progressShown = false;
  let isUnread = false;

  const print = (text: string): void => {
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
    json(value) {
      clearProgress();
      print(`${safeJson(value)}\n`);
    },
    complain(text) {
      clearProgress();
      stderr.write(`${guard(text, false)}\n`);
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
    async drained(signal) {
      if (stdout.writableNeedDrain) await once(stdout, "drain", { signal }).catch(() => undefined);
    },
  };
}
