// The theme of the widgets: terminal abilities, the style of each role as Ink properties, and the names of keys.

import { createContext, use } from "react";
import { ENGLISH, type Said } from "#src/display/audience-words.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { SIGN, signText, type Ascii, type SignName } from "#src/display/sign.ts";
import {
  roleStyles,
  withoutHues,
  type NamedColor,
  type OwnColors,
  type Role,
  type ThemeName,
} from "#src/display/style.ts";

export interface Theme {
  readonly color: boolean;
  readonly ascii: Ascii;
  /** A question has the keys: no cursor is shown. */
  readonly isBehind?: true;
  /** A sign in the form that the terminal can show. */
  sign(name: SignName): string;
  /** A text in brackets, where no colour sets it off; a screen reader would spell them. */
  bracketed(text: string): string;
  /** A placeholder in angle brackets, which set it off from a value; empty for none. */
  example(placeholder: string): string;
  /** A title that eyes find above a cell, to be said before it, with its blank. */
  named(title: string): string;
  /** A fitted text in the form that the terminal can show, with the ASCII ellipsis where needed. */
  shown(text: string): string;
  /** The style of a role; nothing without a role. Without colour it is bold, underlined or inverse at most. */
  textStyle(role: Role | null | undefined): TextStyle;
  /** For sentences that name a key. */
  readonly keyName: KeyName;
  /** Words of verdicts and headings: English but for a deck that has its own. */
  readonly say: Said;
}

/** Properties of Ink's Text. */
export interface TextStyle {
  readonly color?: NamedColor;
  readonly backgroundColor?: NamedColor;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

export interface ThemeOptions {
  readonly color: boolean;
  readonly ascii: Ascii;
  /** Colours of the roles; the default ones unless told. */
  readonly name?: ThemeName;
  readonly colors?: OwnColors;
  readonly keyName: KeyName;
}

const NO_STYLE: TextStyle = {};

export function createTheme({ ascii, name = "default", colors, keyName, ...asked }: ThemeOptions): Theme {
  const color = asked.color && name !== "none";
  const roles = roleStyles(name, colors);
  const styles = new Map(
    Object.entries(color ? roles : withoutHues(roles)).map(
      ([role, { background, ...style }]): [string, TextStyle] => [
        role,
        background === undefined ? style : { ...style, backgroundColor: background },
      ],
    ),
  );
  return {
    color,
    ascii,
    sign: (sign) => signText(SIGN[sign], ascii),
    bracketed: (text) => (color || ascii === "words" ? text : `[${text}]`),
    example: (placeholder) => (ascii === "words" || placeholder === "" ? placeholder : `<${placeholder}>`),
    named: (title) => (ascii === "words" ? `${title} ` : ""),
    shown: (text) => (ascii === true ? text.replaceAll(SIGN.ellipsis.symbol, SIGN.ellipsis.ascii) : text),
    textStyle: (role) => (role === null || role === undefined ? NO_STYLE : styles.get(role)!),
    keyName,
    say: ENGLISH,
  };
}

/** The theme of what stands behind a question: neither pointer nor bar nor cursor, which say where the keys act. */
export function behindQuestion(theme: Theme): Theme {
  return {
    ...theme,
    isBehind: true,
    sign: (name) => (name === "pointer" ? " " : theme.sign(name)),
    textStyle: (role) => theme.textStyle(role === "bar" ? "heading" : role),
  };
}

const ThemeContext = createContext<Theme | null>(null);

/** `<ThemeProvider value={createTheme(...)}>` */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the tree; throws outside of a `ThemeProvider`. */
export function useTheme(): Theme {
  const theme = use(ThemeContext);
  if (theme === null) throw new Error("There is no ThemeProvider around this component.");
  return theme;
}
