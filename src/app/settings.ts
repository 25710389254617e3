// Reads the user's appearance settings from `settings.yaml` in the configuration folder.

import { Fault } from "#src/contract/fault.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import type { OwnColors, ThemeName } from "#src/display/style.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";
import type { Settings } from "./settings-shape.ts";

export type { Settings } from "./settings-shape.ts";

/** Name of the file in the configuration folder. */
export const SETTINGS_FILE = "settings.yaml";

/**
 * The settings of a home; empty without a file.
 * @throws YamlFault with file and line for an invalid setting, Fault for an unreadable file
 */
async function readSettings(home: ConfigFolder): Promise<Settings> {
  const text = await readConfigText(home, SETTINGS_FILE);
  if (text === null) return {};
  // Loaded on use, because most homes have no such file.
  const [{ YamlSource }, { SETTINGS }] = await Promise.all([
    import("#src/contract/text/yaml-source.ts"),
    import("./settings-shape.ts"),
  ]);
  const source = new YamlSource(text, SETTINGS_FILE);
  return source.root === null ? {} : readShape(SETTINGS, source.place(), "the settings");
}

/** The appearance by options and settings; undefined wishes are decided by the terminal. */
export interface Appearance {
  readonly theme: ThemeName;
  readonly colors: OwnColors;
  readonly notify: NonNullable<Settings["notify"]>;
  readonly mouse: boolean;
  readonly presenter: boolean;
  readonly quiet: NonNullable<Settings["quiet"]>;
  readonly wishes: {
    readonly ascii?: boolean | undefined;
    readonly color?: boolean | undefined;
    readonly screenReader?: boolean | undefined;
  };
}

/** Options of the command line have priority over settings. @param asked `color`: whether there is any */
export function appearanceOf(
  { color, ...asked }: Settings & { readonly color?: boolean },
  settings: Settings,
): Appearance {
  const { theme = "default", ascii, screenReader, colors = {}, ...more } = { ...settings, ...asked };
  const { notify = "off", quiet = "auto", mouse = false, presenter = false } = more;
  return {
    theme,
    colors: quiet === "full" ? { quiet: {}, ...colors } : colors,
    notify,
    mouse,
    presenter,
    quiet,
    wishes: { ascii, screenReader, color: theme === "none" ? false : color },
  };
}

/** The settings, or none and the reason as one sentence, because no command may fail because of its appearance. */
export async function settingsOrNone(
  home: ConfigFolder,
): Promise<{ readonly settings: Settings; readonly problem: string | null }> {
  try {
    return { settings: await readSettings(home), problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const problem = `The settings are left out: ${error.message.replace(/\.$/, "")}.`;
    return { settings: {}, problem };
  }
}
