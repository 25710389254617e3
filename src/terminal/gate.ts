// Decides whether the terminal can show the console, and with which abilities; runs before Ink is loaded.

/** Smallest window that the screens support. */
export const LEAST = { columns: 60, rows: 16 } as const;

interface Stream {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Requests of the user by options and settings; the environment decides the rest. */
export interface Wishes {
  readonly ascii?: boolean | undefined;
  /** False for no colour at all, true for colour everywhere. */
  readonly color?: boolean | undefined;
  readonly screenReader?: boolean | undefined;
}

export interface GateInput {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly env: Environment;
  readonly wishes?: Wishes;
}

/** How to draw. */
export interface Abilities {
  readonly color: boolean;
  readonly ascii: boolean;
  /** Linear text without frames, for a screen reader. */
  readonly screenReader: boolean;
}

export type Gate = ({ readonly ok: true } & Abilities) | { readonly ok: false; readonly sentence: string };

/** Requires a terminal for input and output that can move its cursor. `CI` does not matter. */
export function consoleGate({ stdin, stdout, env, wishes = {} }: GateInput): Gate {
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    const end = stdin.isTTY === true ? "output" : "input";
    return refused(`The console needs a terminal and its ${end} is not one`);
  }
  if (env["TERM"] === "dumb")
    return refused("The console cannot be drawn on a terminal of the kind TERM=dumb");
  return { ok: true, ...abilitiesOf(env, true, wishes) };
}

/**
 * How to write to a stream. No colour with a non-empty NO_COLOR (no-color.org), which has priority, or FORCE_COLOR=0;
 * colour with any other FORCE_COLOR (force-color.org), even into a pipe; else if the terminal has it. ASCII on request, in
 * a locale that is not UTF-8, and on the Linux console, whose fonts lack the symbols.
 */
export function abilitiesOf(env: Environment, isTerminal: boolean, wishes: Wishes = {}): Abilities {
  const screenReader = wishes.screenReader ?? /^(?:1|true)$/i.test(env["INK_SCREEN_READER"] ?? "");
  return {
    // Without colour the words themselves say what is selected and what is a button.
    color: !screenReader && (wishes.color ?? hasColor(env, isTerminal)),
    ascii: wishes.ascii ?? (!speaksUtf8(env) || env["TERM"] === "linux"),
    screenReader,
  };
}

/** Values of TERM without colours. */
const COLOURLESS = /^(?:dumb|vt\d+|.*-m(?:ono)?)$/;

/** Values of TERM that take no operating system command (OSC), or may show it as text. */
const WITHOUT_OSC = /^(?:|linux|dumb|vt\d+)$/;

/** Whether the terminal takes commands such as the title of its window. */
export function takesOsc(env: Environment): boolean {
  return !WITHOUT_OSC.test(env["TERM"] ?? "");
}

function hasColor(env: Environment, isTerminal: boolean): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced) return !/^(?:0|false)$/i.test(forced);
  return isTerminal && !COLOURLESS.test(env["TERM"] ?? "");
}

const refused = (cause: string): Gate => ({
  ok: false,
  sentence: `${cause}; use the commands instead, see verdict --help.`,
});

/** True for a UTF-8 locale, and for an unset one. */
export function speaksUtf8(env: Environment): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  return locale === undefined || locale === "" || /utf-?8/i.test(locale);
}
