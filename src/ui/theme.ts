// What a terminal can show, handed to every widget, and the look of a role in the terms of Ink.

import { createContext, use } from "react";
import { SIGN, type SignName } from "#src/display/sign.ts";
import { roleStyles, type NamedColor, type Role, type ThemeName } from "#src/display/style.ts";

export interface Theme {
  readonly color: boolean;
  readonly ascii: boolean;
  /** A sign in the form that the terminal can show. */
  sign(name: SignName): string;
  /** A fitted text in the form that the terminal can show: what was cut away from it is told by the sign for that. */
  shown(text: string): string;
  /** The look of a role; nothing without a role. Where colour is off, Ink leaves all of it out. */
  look(role: Role | null | undefined): TextLook;
}

/** Properties of Ink's Text. */
export interface TextLook {
  readonly color?: NamedColor;
  readonly backgroundColor?: NamedColor;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

export interface ThemeOptions {
  readonly color: boolean;
  readonly ascii: boolean;
  /** Colours of the roles; the default ones unless told. */
  readonly name?: ThemeName;
}

const NO_LOOK: TextLook = {};

export function createTheme({ color, ascii, name = "default" }: ThemeOptions): Theme {
  const looks = new Map(
    Object.entries(roleStyles(name)).map(([role, { background, ...look }]): [string, TextLook] => [
      role,
      background === undefined ? look : { ...look, backgroundColor: background },
    ]),
  );
  return {
    color,
    ascii,
    sign: (sign) => (ascii ? SIGN[sign].ascii : SIGN[sign].symbol),
    shown: (text) => (ascii ? text.replaceAll(SIGN.ellipsis.symbol, SIGN.ellipsis.ascii) : text),
    look: (role) => (role === null || role === undefined ? NO_LOOK : looks.get(role)!),
  };
}

const ThemeContext = createContext<Theme>(createTheme({ color: true, ascii: false }));

/** `<ThemeProvider value={createTheme(...)}>` */
export const ThemeProvider = ThemeContext.Provider;

export function useTheme(): Theme {
  return use(ThemeContext);
}
