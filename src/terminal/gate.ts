// Whether this terminal can show the console, and with what; asked before Ink is loaded.

/** Smallest window that the screens are made for. */
export const LEAST = { columns: 60, rows: 16 } as const;

/** What of a stream the gate looks at. */
interface Stream {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the user asks for by options and settings; the surroundings decide about what is left out. */
export interface Wishes {
  readonly ascii?: boolean | undefined;
  /** False for no colour at all. */
  readonly color?: boolean | undefined;
  readonly screenReader?: boolean | undefined;
}

export interface GateInput {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly env: Environment;
  readonly wishes?: Wishes;
}

/** What is drawn with. */
export interface Abilities {
  readonly color: boolean;
  readonly ascii: boolean;
  /** Linear text without frames, for somebody who listens. */
  readonly screenReader: boolean;
}

export type Gate = ({ readonly ok: true } & Abilities) | { readonly ok: false; readonly sentence: string };

/** Looks for what the console needs: a terminal at both ends that can move its cursor. `CI` says nothing about that. */
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
 * How to write to a stream. No colour with a non-empty NO_COLOR (no-color.org), which wins, or FORCE_COLOR=0; colour
 * with any other FORCE_COLOR (force-color.org), even into a pipe; else where a terminal has it. ASCII where it is
 * wished, where the locale is not UTF-8, and on the Linux console, whose fonts lack the signs.
 */
export function abilitiesOf(env: Environment, isTerminal: boolean, wishes: Wishes = {}): Abilities {
  const screenReader = wishes.screenReader ?? /^(?:1|true)$/i.test(env["INK_SCREEN_READER"] ?? "");
  return {
    color: wishes.color !== false && hasColor(env, isTerminal),
    ascii: wishes.ascii ?? (!speaksUtf8(env) || env["TERM"] === "linux"),
    screenReader,
  };
}

/** Terminals without colours that say so by their name. */
const COLOURLESS = /^(?:dumb|vt\d+|.*-m(?:ono)?)$/;

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

/** Nothing said means UTF-8, as everywhere but in the C locale. */
export function speaksUtf8(env: Environment): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  return locale === undefined || locale === "" || /utf-?8/i.test(locale);
}
