// Finds the folders of a home: three of the XDG base directory specification, or all below one.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";

/** Environment variables of verdict beside those of options; the option of the same meaning has priority. */
export const VARIABLES = ["VERDICT_HOME", "VERDICT_PROFILE", "VERDICT_PAGER"];

/** Variables of the XDG base directory specification, and their defaults below HOME. */
const XDG = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
};

export interface Home {
  /** profiles, recipes, key overrides */
  readonly config: string;
  /** vault, projects, payloads, import maps, history, runs */
  readonly data: string;
  /** vault key, sandbox state, log, locks */
  readonly state: string;
  /** environment variables that give a child process the same home */
  readonly environment: Readonly<Record<string, string>>;
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
  if (chosen === "") throw new Fault("usage", "--home is empty; name a folder, or leave it out.");
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
    return join(set !== undefined && isAbsolute(set) ? set : join(userFolder(env), XDG[name]), "verdict");
  };
  const home = {
    config: folder("XDG_CONFIG_HOME"),
    data: folder("XDG_DATA_HOME"),
    state: folder("XDG_STATE_HOME"),
  };
  return {
    ...home,
    environment: {
      XDG_CONFIG_HOME: resolve(home.config, ".."),
      XDG_DATA_HOME: resolve(home.data, ".."),
      XDG_STATE_HOME: resolve(home.state, ".."),
    },
  };
}

/** The one folder of everything on Windows and macOS; undefined elsewhere, and where the user goes by XDG. */
function platformFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32" && platform !== "darwin") return undefined;
  const user = userFolder(env);
  for (const [name, fallback] of Object.entries(XDG)) {
    if (env[name] || existsSync(join(user, fallback, "verdict"))) return undefined;
  }
  // Local and not roaming: the vault's key stays on the machine that made it.
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(user, "AppData", "Local"), "verdict");
  return join(user, "Library", "Application Support", "verdict");
}

function userFolder(env: NodeJS.ProcessEnv): string {
  return env["HOME"] || homedir();
}

/**
 * Refuses an unknown variable with the prefix, which would be ignored silently.
 * @param ofOptions those that set an option of a command
 * @throws Fault("usage") with the known variable that comes nearest
 */
export function requireKnownVariables(env: NodeJS.ProcessEnv, ofOptions: Iterable<string>): void {
  const known = new Set([...VARIABLES, ...ofOptions]);
  const unknown = Object.keys(env).find((name) => name.startsWith("VERDICT_") && !known.has(name));
  if (unknown === undefined) return;
  const [nearest] = [...known].toSorted((one, other) => edits(unknown, one) - edits(unknown, other));
  throw new Fault(
    "usage",
    `${escapeText(unknown, 60)} is set, and verdict reads no such variable; unset it, or set ${nearest}, which comes nearest.`,
  );
}

/** How many characters are added, removed or replaced (Levenshtein). */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1)
      next.push(Math.min(next[to]! + 1, row[to + 1]! + 1, row[to]! + Number(one[at] !== other[to])));
    row = next;
  }
  return row[other.length]!;
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
    throw new Fault("usage", "VERDICT_PROFILE is empty; name a profile, or unset it.");
  }
  return name;
}
