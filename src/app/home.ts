// Finds the folders of a home: three of the XDG base directory specification, or all below one.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { PLACEHOLDERS, variableOf } from "#src/contract/records/own-command.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { nearest } from "#src/contract/text/nearest.ts";

/** Environment variables of verdict beside those of options; the option of the same meaning has priority. */
export const VARIABLES = ["VERDICT_HOME", "VERDICT_PROFILE", "VERDICT_PAGER"];

/** Variables of the XDG base directory specification, and their defaults below HOME. */
const XDG = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
};

/** Where nothing names a folder (`isNowhere`), the folders and `environment` throw Fault("usage") when they are read. */
export interface Home {
  /** profiles, recipes, key overrides */
  readonly config: string;
  /** vault, projects, payloads, import maps, history, runs */
  readonly data: string;
  /** vault key, sandbox state, log, locks */
  readonly state: string;
  /** environment variables that give a child process the same home */
  readonly environment: Readonly<Record<string, string>>;
  /** True where no variable and no account names a folder: what keeps nothing goes on without one. */
  readonly isNowhere?: boolean;
}

/** Of the embedded sandbox. */
export function sandboxStateDir(home: Home): string {
  return join(home.state, "sandbox");
}

/**
 * Finds the home of this invocation. Creates nothing.
 * @param chosen value of `--home`, which has priority over `VERDICT_HOME` and the XDG variables
 * @throws Fault("usage") for an empty `--home`, which results from an unset variable in a script
 */
export function findHome(
  env: NodeJS.ProcessEnv,
  chosen: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Home {
  if (chosen === "") throw usage`--home is empty; name a folder, or leave it out.`;
  const one = chosen ?? (env["VERDICT_HOME"] || platformFolder(env, platform));
  if (one !== undefined) {
    const top = resolve(one);
    return {
      config: join(top, "config"),
      data: join(top, "data"),
      state: join(top, "state"),
      environment: { VERDICT_HOME: top },
    };
  }
  // XDG: a relative path must be ignored.
  const folder = (name: keyof typeof XDG): string => {
    const set = env[name];
    return join(
      set !== undefined && isAbsolute(set) ? set : join(requireUserFolder(env), XDG[name]),
      "verdict",
    );
  };
  const names = Object.keys(XDG) as (keyof typeof XDG)[];
  const isNowhere = userFolder(env) instanceof Fault && !names.some((name) => isAbsolute(env[name] ?? ""));
  // Read late, because a fault is only for what keeps something.
  return {
    get config() {
      return folder("XDG_CONFIG_HOME");
    },
    get data() {
      return folder("XDG_DATA_HOME");
    },
    get state() {
      return folder("XDG_STATE_HOME");
    },
    get environment() {
      return Object.fromEntries(names.map((name) => [name, resolve(folder(name), "..")]));
    },
    ...(isNowhere ? { isNowhere } : {}),
  };
}

/** For what cannot go on without a folder. @throws Fault("usage") where nothing names one */
export function requireHome(home: Home): void {
  // Throws where it is missing.
  void [home.config, home.data, home.state];
}

/** The one folder of everything on Windows and macOS; undefined elsewhere, and where the user goes by XDG. */
function platformFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32" && platform !== "darwin") return undefined;
  const user = userFolder(env);
  if (user instanceof Fault) return undefined;
  for (const [name, fallback] of Object.entries(XDG)) {
    if (env[name] || existsSync(join(user, fallback, "verdict"))) return undefined;
  }
  // Local and not roaming: the vault's key stays on the machine that made it.
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(user, "AppData", "Local"), "verdict");
  return join(user, "Library", "Application Support", "verdict");
}

/** The folder of the user's account. @throws Fault("usage") where neither HOME nor the system names one */
export function requireUserFolder(env: NodeJS.ProcessEnv): string {
  const folder = userFolder(env);
  if (folder instanceof Fault) throw folder;
  return folder;
}

/** The same, or why there is none: an empty or relative one would be the current folder. */
function userFolder(env: NodeJS.ProcessEnv): string | Fault {
  const folder = env["HOME"] ?? accountFolder();
  if (isAbsolute(folder)) return folder;
  const why =
    env["HOME"] === undefined
      ? "HOME is not set, and this account has no home folder"
      : folder === ""
        ? "HOME is empty"
        : `HOME is the relative path ${escapeText(folder, 200)}`;
  return usage`${whole(why)}; set HOME, or set VERDICT_HOME to a folder for the files of verdict.`;
}

/** Empty for an account that the system does not know, such as any number in a container. */
function accountFolder(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/**
 * Refuses an unknown variable with the prefix, which would be ignored silently.
 * @param ofOptions those that set an option of a command
 * @throws Fault("usage") with the known variable that comes nearest
 */
export function requireKnownVariables(env: NodeJS.ProcessEnv, ofOptions: Iterable<string>): void {
  const known = new Set([...VARIABLES, ...ofOptions]);
  // Own commands of the console may run verdict itself.
  const given = new Set(Object.keys(PLACEHOLDERS).map(variableOf));
  const unknown = Object.keys(env).find(
    (name) => name.startsWith("VERDICT_") && !known.has(name) && !given.has(name),
  );
  if (unknown === undefined) return;
  throw usage`${unknown} is not a variable of verdict; unset it. Did you mean ${whole(nearest(unknown, known))}?`;
}

/** The environment for a program that is not ours: without the variables of verdict. */
export function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("VERDICT_")));
}

/**
 * The requested profile: `--profile`, then `VERDICT_PROFILE`; undefined for the one in use.
 * @throws Fault("usage") for an empty variable, with which another service than the intended one would answer
 */
export function chosenProfile(env: NodeJS.ProcessEnv, chosen: string | undefined): string | undefined {
  const name = chosen ?? env["VERDICT_PROFILE"];
  if (chosen === undefined && name === "") {
    throw usage`VERDICT_PROFILE is empty; name a profile, or unset it.`;
  }
  return name;
}
