// Colour by role. Screens and text output name a role; only this file knows the colours behind the roles.

import { styleText } from "node:util";

/** The sixteen colours every terminal has a name for; which shade they are is the user's choice. */
export type NamedColor =
  | "black"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan"
  | "white"
  | "gray"
  | "redBright"
  | "greenBright"
  | "yellowBright"
  | "blueBright"
  | "magentaBright"
  | "cyanBright"
  | "whiteBright";

/**
 * - `pass`, `block`, `challenge` (3-D Secure), `doubt` (unknown, not pass), `fault` (refused, not sent): results
 * - `sandbox`, `test`, `live`: the environment badge
 * - `error`, `warning`, `note`: findings; `accent`: what is selected; `heading`: titles; `quiet`: what may be overlooked
 */
export type Role =
  | "pass"
  | "block"
  | "challenge"
  | "doubt"
  | "fault"
  | "sandbox"
  | "test"
  | "live"
  | "error"
  | "warning"
  | "note"
  | "accent"
  | "heading"
  | "quiet";

export interface RoleStyle {
  /** Undefined: the terminal's own foreground. */
  readonly color?: NamedColor;
  readonly bold?: boolean;
  /** Foreground and background swapped, for badges. */
  readonly inverse?: boolean;
}

/** No meaning rests on blue or on dim text, which many terminals make unreadable. */
export const ROLE_STYLE: Readonly<Record<Role, RoleStyle>> = {
  pass: { color: "green", bold: true },
  block: { color: "red", bold: true },
  challenge: { color: "yellow", bold: true },
  doubt: { color: "magenta", bold: true },
  fault: { color: "magenta" },
  sandbox: { color: "cyan", inverse: true },
  test: { color: "yellow", inverse: true },
  live: { color: "red", bold: true, inverse: true },
  error: { color: "red" },
  warning: { color: "yellow" },
  note: { color: "cyan" },
  accent: { color: "cyan", bold: true },
  heading: { bold: true },
  quiet: {},
};

export interface Style {
  readonly color: boolean;
  readonly ascii: boolean;
  /** The text in the colour of a role, or as it is where colour is off. The text must be safe already. */
  paint(role: Role, text: string): string;
  /** The symbol that fits the terminal. */
  symbol(look: { readonly symbol: string; readonly ascii: string }): string;
}

/** Style of headless text output. */
export function createStyle(options: { readonly color: boolean; readonly ascii: boolean }): Style {
  const { color, ascii } = options;
  return {
    color,
    ascii,
    paint: (role, text) => (color ? painted(ROLE_STYLE[role], text) : text),
    symbol: (look) => (ascii ? look.ascii : look.symbol),
  };
}

function painted({ color, bold, inverse }: RoleStyle, text: string): string {
  const formats = [
    bold === true ? "bold" : null,
    inverse === true ? "inverse" : null,
    color ?? null,
  ] as const;
  const set = formats.filter((format) => format !== null);
  // Whether colour is wanted was decided by the caller, who knows the terminal and the environment.
  return set.length === 0 || text === "" ? text : styleText(set, text, { validateStream: false });
}
