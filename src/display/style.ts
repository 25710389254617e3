// Colour roles. Screens and text output name a role; only this file knows its colour.

import { styleText } from "node:util";
import { signText, type Ascii, type Sign } from "./sign.ts";

/** The sixteen named ANSI colours in the order of their numbers; the terminal's palette decides their shades. */
export const NAMED_COLORS = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "gray",
  "redBright",
  "greenBright",
  "yellowBright",
  "blueBright",
  "magentaBright",
  "cyanBright",
  "whiteBright",
] as const;

export type NamedColor = (typeof NAMED_COLORS)[number];

/**
 * - `pass`, `block`, `challenge` (3-D Secure), `doubt` (unknown, not pass), `fault` (refused, not sent): results
 * - `sandbox`, `test`, `live`: the environment badge
 * - `error`, `warning`, `note`: findings; `accent`: what is selected; `focus`: the rule of the pane that has the keyboard
 * - `heading`: titles, keys; `quiet`: labels, rules, hints, headings of columns
 * - `bar`: the selected row of the pane that has the keyboard
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
  | "focus"
  | "heading"
  | "quiet"
  | "bar";

export interface RoleStyle {
  /** Undefined: the terminal's own foreground. */
  readonly color?: NamedColor;
  readonly bold?: boolean;
  /** Undefined: the terminal's own background. */
  readonly background?: NamedColor;
  readonly underline?: boolean;
  /** Foreground and background swapped, for badges. */
  readonly inverse?: boolean;
}

/** Themes that a user can choose; `none` uses signs and words alone. NO_COLOR keeps bold, underline and inverse. */
export const THEMES = ["default", "high-contrast", "none"] as const;

/** Name of a theme. */
export type ThemeName = (typeof THEMES)[number];

/** The style of every role. */
export type RoleStyles = Readonly<Record<Role, RoleStyle>>;

/** What a user has changed of the default theme. */
export type OwnColors = Partial<RoleStyles>;

/** Hue is for verdicts, focus and LIVE alone. Neither blue nor dim text, which many terminals make unreadable. */
export const ROLE_STYLE: RoleStyles = {
  pass: { color: "green", bold: true },
  block: { color: "red", bold: true },
  challenge: { color: "yellow", bold: true },
  doubt: { color: "magenta", bold: true },
  fault: { color: "magenta" },
  sandbox: { bold: true },
  test: { bold: true, inverse: true },
  live: { color: "whiteBright", background: "red", bold: true },
  error: { color: "red" },
  warning: { bold: true },
  note: {},
  focus: { color: "cyan" },
  accent: { color: "cyan", bold: true },
  heading: { bold: true },
  quiet: { color: "gray" },
  bar: { color: "black", background: "cyan" },
};

/**
 * Important text has its own background with black or bright white on it: readable on any background of the terminal.
 * Everything else is the terminal's own foreground, distinguished by bold and underline.
 */
const HIGH_CONTRAST: RoleStyles = {
  pass: { color: "black", background: "greenBright", bold: true },
  block: { color: "whiteBright", background: "red", bold: true },
  challenge: { color: "black", background: "yellowBright", bold: true },
  doubt: { color: "black", background: "magentaBright", bold: true },
  fault: { color: "black", background: "magentaBright" },
  sandbox: { bold: true, underline: true },
  test: { bold: true, inverse: true },
  live: { color: "whiteBright", background: "red", bold: true },
  error: { color: "whiteBright", background: "red", bold: true },
  warning: { bold: true },
  note: {},
  focus: {},
  accent: { bold: true, underline: true },
  heading: { bold: true },
  quiet: {},
  bar: { color: "black", background: "whiteBright", bold: true },
};

/** The styles of the roles in a theme; `none` has none. */
export function roleStyles(theme: ThemeName, own: OwnColors = {}): RoleStyles {
  if (theme === "none") return NO_STYLES;
  return theme === "high-contrast" ? HIGH_CONTRAST : { ...ROLE_STYLE, ...own };
}

const NO_STYLES = Object.fromEntries(Object.keys(ROLE_STYLE).map((role) => [role, {}])) as RoleStyles;

/** The styles without their colours: the bar is inverse, all else as bold, underlined or inverse as before. */
export function withoutHues(styles: RoleStyles): RoleStyles {
  const plain = Object.entries(styles).map(([role, style]) => {
    const { color: _color, background, ...weight } = style;
    return [role, role === "bar" && background !== undefined ? { ...weight, inverse: true } : weight];
  });
  return Object.fromEntries(plain) as RoleStyles;
}

/** Formats of a role, as `styleText` of Node names them. */
export function formatsOf({ color, background, bold, underline, inverse }: RoleStyle): readonly Format[] {
  const formats = [
    bold === true ? ("bold" as const) : null,
    underline === true ? ("underline" as const) : null,
    inverse === true ? ("inverse" as const) : null,
    background === undefined ? null : backgroundFormat(background),
    color ?? null,
  ];
  return formats.filter((format) => format !== null);
}

type Format = NamedColor | "bold" | "underline" | "inverse" | `bg${Capitalize<NamedColor>}`;

function backgroundFormat(color: NamedColor): `bg${Capitalize<NamedColor>}` {
  return `bg${color.charAt(0).toUpperCase()}${color.slice(1)}` as `bg${Capitalize<NamedColor>}`;
}

export interface Style {
  readonly color: boolean;
  readonly ascii: Ascii;
  /** A screen reader says it. */
  readonly spoken: boolean;
  /** The text in the colour of a role, or as it is where colour is off. The text must be safe already. */
  paint(role: Role, text: string): string;
  /** The symbol that fits the terminal. */
  symbol(sign: Sign): string;
}

/** Style of text output; the default theme unless `theme` is given. */
export function createStyle(options: {
  readonly color: boolean;
  readonly ascii: boolean;
  readonly spoken?: boolean;
  readonly theme?: ThemeName;
}): Style {
  const { color, spoken = false, theme = "default" } = options;
  const ascii = spoken ? "words" : options.ascii;
  // Nobody has asked the terminal of a command whether its bright black can be read.
  const styles = roleStyles(theme, { quiet: {} });
  return {
    color,
    ascii,
    spoken,
    paint: (role, text) => (color ? painted(styles[role], text) : text),
    symbol: (sign) => signText(sign, ascii),
  };
}

function painted(style: RoleStyle, text: string): string {
  const set = formatsOf(style);
  // The caller has decided whether to use colour, from the terminal and the environment.
  return set.length === 0 || text === "" ? text : styleText([...set], text, { validateStream: false });
}
