// Reads the user's appearance settings from `settings.yaml` in the configuration folder.

import { Fault } from "#src/contract/fault.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";
import { SETTINGS, type Settings } from "./settings-shape.ts";

/** Without a file. */
const NO_SETTINGS = readShape(SETTINGS, jsonPlace({}), "the settings");

/** Name of the file in the configuration folder. */
export const SETTINGS_FILE = "settings.yaml";

/**
 * The settings of a home.
 * @throws YamlFault with file and line for an invalid setting, Fault for an unreadable file
 */
async function readSettings(home: ConfigFolder): Promise<Settings> {
  const text = await readConfigText(home, SETTINGS_FILE);
  if (text === null) return NO_SETTINGS;
  // Loaded on use, because most homes have no such file.
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, SETTINGS_FILE);
  return source.root === null ? NO_SETTINGS : readShape(SETTINGS, source.place(), "the settings");
}

/** The appearance by options and settings; undefined wishes are decided by the terminal. */
export type Appearance = ReturnType<typeof appearanceOf>;

/** Options of the command line have priority over settings. @param asked `color`: whether there is any */
export function appearanceOf(
  asked: Partial<Settings> & { readonly color?: boolean },
  settings: Settings = NO_SETTINGS,
) {
  const { ascii, screenReader, color, colors, ...looks } = { color: undefined, ...settings, ...asked };
  return {
    ...looks,
    colors: looks.quiet === "full" ? { quiet: {}, ...colors } : colors,
    wishes: { ascii, screenReader, color: looks.theme === "none" ? false : color },
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
    return { settings: NO_SETTINGS, problem };
  }
}
