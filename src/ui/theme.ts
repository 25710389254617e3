// What a terminal can show, handed to every widget, and the look of a role in the terms of Ink.

import { createContext, use } from "react";
import { SIGN, type SignName } from "#src/display/sign.ts";
import { ROLE_STYLE, type NamedColor, type Role } from "#src/display/style.ts";

export interface Theme {
  readonly color: boolean;
  readonly ascii: boolean;
  /** A sign in the form that the terminal can show. */
  sign(name: SignName): string;
}

/** Properties of Ink's Text. */
export interface TextLook {
  readonly color?: NamedColor;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

/** The look of a role; nothing without a role. Where colour is off, Ink leaves all of it out. */
export function roleProps(role: Role | null | undefined): TextLook {
  return role === null || role === undefined ? {} : ROLE_STYLE[role];
}

export function createTheme(options: { readonly color: boolean; readonly ascii: boolean }): Theme {
  const { color, ascii } = options;
  return { color, ascii, sign: (name) => (ascii ? SIGN[name].ascii : SIGN[name].symbol) };
}

const ThemeContext = createContext<Theme>(createTheme({ color: true, ascii: false }));

/** `<ThemeProvider value={createTheme(...)}>` */
export const ThemeProvider = ThemeContext.Provider;

export function useTheme(): Theme {
  return use(ThemeContext);
}
