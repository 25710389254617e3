// Where the files live: three folders after the XDG base directory specification, or all under one.

import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";

/** The variables of our own that are read; each comes after the option that says the same. */
const VARIABLES = ["VERDICT_HOME", "VERDICT_PROFILE"];

export interface Home {
  /** profiles, recipes, key overrides */
  readonly config: string;
  /** vault, projects, payloads, history, runs */
  readonly data: string;
  /** vault key, sandbox state, log, locks */
  readonly state: string;
  /** how a child process is pointed at the same home */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the home of this invocation. Creates nothing.
 * @throws Fault("usage") for an empty `--home`, which an unset variable of a script leaves behind
 * @param chosen value of `--home`; wins over `VERDICT_HOME`, which wins over the XDG variables
 */
export function findHome(env: NodeJS.ProcessEnv, chosen: string | undefined): Home {
  if (chosen === "") throw new Fault("usage", "--home is empty; name a folder, or leave it out.");
  const one = chosen ?? (env["VERDICT_HOME"] || undefined);
  if (one !== undefined) {
    const top = resolve(one);
    return {
      config: join(top, "config"),
      data: join(top, "data"),
      state: join(top, "state"),
      environment: { VERDICT_HOME: top },
    };
  }
  // XDG: a value that is not an absolute path is to be ignored.
  const folder = (name: string, fallback: string): string => {
    const set = env[name];
    return join(
      set !== undefined && isAbsolute(set) ? set : join(env["HOME"] || homedir(), fallback),
      "verdict",
    );
  };
  const home = {
    config: folder("XDG_CONFIG_HOME", ".config"),
    data: folder("XDG_DATA_HOME", ".local/share"),
    state: folder("XDG_STATE_HOME", ".local/state"),
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

/**
 * A variable with our prefix that we do not read asks for something that would silently not happen.
 * @throws Fault("usage") naming it and those that are read
 */
export function requireKnownVariables(env: NodeJS.ProcessEnv): void {
  const unknown = Object.keys(env).find((name) => name.startsWith("VERDICT_") && !VARIABLES.includes(name));
  if (unknown === undefined) return;
  throw new Fault(
    "usage",
    `${escapeText(unknown, 60)} is set, and verdict reads no such variable; unset it, or set ${VARIABLES.join(" or ")}.`,
  );
}

/**
 * The profile that is asked for: `--profile`, then `VERDICT_PROFILE`; undefined for the one in use.
 * @throws Fault("usage") for an empty variable, which a script leaves behind: another service than the meant one would answer
 */
export function chosenProfile(env: NodeJS.ProcessEnv, chosen: string | undefined): string | undefined {
  const name = chosen ?? env["VERDICT_PROFILE"];
  if (chosen === undefined && name === "") {
    throw new Fault("usage", "VERDICT_PROFILE is empty; name a profile, or unset it.");
  }
  return name;
}
