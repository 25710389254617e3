// Where a command writes: text and JSON on stdout, sentences on stderr, one progress line on a terminal.

import { safeJson } from "#src/display/safe.ts";
import { speaksUtf8 } from "#src/terminal/gate.ts";
import { createStyle, type Style } from "#src/display/style.ts";

export interface Output {
  /** Roles of colour and symbols for stdout. */
  readonly style: Style;
  readonly isTerminal: boolean;
  /** Width of the terminal; 100 where there is none. */
  readonly columns: number;
  line(text?: string): void;
  /** One JSON object on a line of its own; C1 controls, DEL and invisible characters as escapes. */
  json(value: unknown): void;
  /** A sentence on stderr. */
  complain(text: string): void;
  /** Replaces the progress line on stderr, where that is a terminal; null removes it. */
  progress(text: string | null): void;
  /** Shows what is to be typed, on any terminal; null ends the line. */
  prompt(text: string | null): void;
  /** Exact bytes for a pipe; the caller has made sure that stdout is not a terminal. */
  raw(text: string): void;
}

/** Everything that could move a cursor or hide text, except line feeds and our own colours. */
// oxlint-disable-next-line no-control-regex
const NOT_OURS = /[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[0-9;]*m)/g;

export function createOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): Output {
  const isTerminal = stdout.isTTY === true;
  const style = createStyle({ color: wantsColor(isTerminal, env), ascii: !speaksUtf8(env) });
  const showsProgress = stderr.isTTY === true && env["TERM"] !== "dumb";
  let progressShown = false;

  const clearProgress = (): void => {
    if (progressShown) stderr.write("\r\x1b[K");
    progressShown = false;
  };
  return {
    style,
    isTerminal,
    columns: stdout.columns || 100,
    line(text = "") {
      clearProgress();
      stdout.write(`${guard(text)}\n`);
    },
    json(value) {
      clearProgress();
      stdout.write(`${safeJson(value)}\n`);
    },
    complain(text) {
      clearProgress();
      stderr.write(`${guard(text)}\n`);
    },
    progress(text) {
      clearProgress();
      if (text === null || !showsProgress) return;
      stderr.write(guard(text).slice(0, Math.max(20, (stderr.columns || 80) - 1)));
      progressShown = true;
    },
    prompt(text) {
      clearProgress();
      stderr.write(text === null ? "\n" : guard(text));
    },
    raw(text) {
      stdout.write(text);
    },
  };
}

/** Last net below the view-models: what was not escaped there is escaped here. */
export function guard(text: string): string {
  return text.replace(NOT_OURS, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  // https://no-color.org: any value that is not empty.
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
