// How the user wants to be shown things, whatever the terminal: `settings.yaml` in the configuration folder.

import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { THEMES, type ThemeName } from "#src/display/style.ts";
import { readConfigText } from "./config-text.ts";
import type { Home } from "./home.ts";

/** What is left out is decided by the terminal and the environment. */
export interface Settings {
  readonly theme?: ThemeName;
  readonly ascii?: boolean;
  readonly screenReader?: boolean;
}

/** Name of the file in the configuration folder. */
export const SETTINGS_FILE = "settings.yaml";

const ALLOWED = ["theme", "ascii", "screen_reader"];

/**
 * The settings of a home; none where there is no file.
 * @throws YamlFault naming file and line for anything that is no setting, Fault where it cannot be read
 */
async function readSettings({ config }: Pick<Home, "config">): Promise<Settings> {
  const text = await readConfigText(join(config, SETTINGS_FILE));
  if (text === null) return {};
  // Loaded only where there is something to read: most homes have no such file.
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, SETTINGS_FILE);
  return source.root === null ? {} : settingsIn(source);
}

function settingsIn(source: YamlSource): Settings {
  const known = source.map(source.root, "the settings", ALLOWED);
  const flag = (key: string): boolean | undefined => {
    const node = known.get(key);
    if (node === undefined) return undefined;
    const { value } = source.scalar(node, key);
    if (typeof value !== "boolean") throw source.fault(node, `${key} must be true or false`);
    return value;
  };
  const theme = known.has("theme") ? source.choice(known.get("theme") ?? null, "theme", THEMES) : undefined;
  const ascii = flag("ascii");
  const screenReader = flag("screen_reader");
  return {
    ...(theme === undefined ? {} : { theme }),
    ...(ascii === undefined ? {} : { ascii }),
    ...(screenReader === undefined ? {} : { screenReader }),
  };
}

/** How everything is shown: what was asked for, and what is left to the terminal. */
export interface Appearance {
  readonly theme: ThemeName;
  readonly wishes: {
    readonly ascii?: boolean | undefined;
    readonly color?: boolean | undefined;
    readonly screenReader?: boolean | undefined;
  };
}

/** What the command line asks for comes before what the settings say. */
export function appearanceOf(asked: Settings, settings: Settings): Appearance {
  const { theme = "default", ascii, screenReader } = { ...settings, ...asked };
  return { theme, wishes: { ascii, screenReader, ...(theme === "none" ? { color: false } : {}) } };
}

/** The settings, or none and why they are left out, as one sentence: nothing may fail over its looks. */
export async function settingsOrNone(
  home: Pick<Home, "config">,
): Promise<{ readonly settings: Settings; readonly problem: string | null }> {
  try {
    return { settings: await readSettings(home), problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const problem = `The settings are left out: ${error.message.replace(/\.$/, "")}.`;
    return { settings: {}, problem };
  }
}
