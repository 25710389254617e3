// How the console looks: the theme in force, which another profile keeps, and the verbs of the palette that change it.

import { createStore, type StoreApi } from "zustand/vanilla";
import { THEMES, type OwnColors, type ThemeName } from "#src/display/style.ts";
import type { Session } from "./session.ts";

export interface Look {
  readonly theme: ThemeName;
  readonly colors: OwnColors;
}

export type LookStore = StoreApi<Look>;

/** Something that the palette does by its name alone. */
export interface Verb {
  /** What is typed: `theme none`. */
  readonly label: string;
  readonly group: string;
  run(): void;
}

export function createLook(look: Look): LookStore {
  return createStore<Look>(() => look);
}

/** `theme default`, `theme high-contrast`, `theme none`. */
export function themeVerbs(look: LookStore, session: Session): readonly Verb[] {
  return THEMES.map((theme) => ({
    label: `theme ${theme}`,
    group: "Everywhere",
    run() {
      if (theme !== look.getState().theme) look.setState({ theme });
      session.say(
        `The theme is ${theme} until you leave; "theme: ${theme}" in settings.yaml keeps it.`,
        "done",
      );
    },
  }));
}
