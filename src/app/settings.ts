// Reads the user's appearance settings from `settings.yaml` in the configuration folder.

import { Fault } from "#src/contract/fault.ts";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import type { OwnColors, ThemeName } from "#src/display/style.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";
import type { SETTINGS } from "./settings-shape.ts";

/** Missing settings are decided by the terminal and the environment. */
export interface Settings {
  readonly theme?: ThemeName | undefined;
  readonly ascii?: boolean | undefined;
  readonly screenReader?: boolean | undefined;
  /** Clicks and the wheel are for the console; off by default, because a terminal then selects text only with Shift. */
  readonly mouse?: boolean | undefined;
  /** The console opens in presenter mode. */
  readonly presenter?: boolean | undefined;
  /** Of roles of the default theme, in the console. */
  readonly colors?: OwnColors | undefined;
  /** How the console calls the user back; off by default. */
  readonly notify?: Shapes["notify"]["enum"][number] | undefined;
  /** The ink of labels and frames: bright black, the terminal's own, or by the contrast of its bright black. */
  readonly quiet?: Shapes["quiet"]["enum"][number] | undefined;
}

type Shapes = (typeof SETTINGS)["properties"];

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
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, SETTINGS_FILE);
  return source.root === null ? {} : settingsIn(source);
}

async function settingsIn(source: YamlSource): Promise<Settings> {
  const shape = (await import("./settings-shape.ts")).SETTINGS;
  const keys = source.map(source.root, "the settings", shape);
  const flag = (key: keyof Shapes): boolean | undefined => (keys.has(key) ? keys.flag(key) : undefined);
  const given = keys.get("colors");
  return {
    theme: keys.has("theme") ? keys.choice("theme") : undefined,
    ascii: flag("ascii"),
    screenReader: flag("screen_reader"),
    colors: given ? (await import("./own-colors.ts")).readOwnColors(source, given) : undefined,
    notify: keys.has("notify") ? keys.choice("notify") : undefined,
    quiet: keys.has("quiet") ? keys.choice("quiet") : undefined,
    mouse: flag("mouse"),
    presenter: flag("presenter"),
  };
}

/** The appearance by options and settings; undefined wishes are decided by the terminal. */
export interface Appearance {
  readonly theme: ThemeName;
  readonly colors: OwnColors;
  readonly notify: Shapes["notify"]["enum"][number];
  readonly mouse: boolean;
  readonly presenter: boolean;
  readonly quiet: Shapes["quiet"]["enum"][number];
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
