// Options that may also be set by a variable of the environment.

import { Option } from "commander";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";

/** The same options, each with a variable of its name: `--admin-port` has PREFIX_ADMIN_PORT. */
export function withVariables(prefix: string, options: readonly OptionSpec[]): OptionSpec[] {
  return options.map((option) => ({ ...option, variable: prefix + constantName(option.flags) }));
}

function constantName(flags: string): string {
  return new Option(flags).name().replaceAll("-", "_").toUpperCase();
}

/** Every variable of the commands with the options that it sets; each once. */
export function variablesOf(commands: readonly CommandSpec[]): ReadonlyMap<string, OptionSpec> {
  const found = new Map<string, OptionSpec>();
  for (const { options = [], children = [] } of commands) {
    for (const option of options) if (option.variable !== undefined) found.set(option.variable, option);
    for (const [name, option] of variablesOf(children)) found.set(name, option);
  }
  return found;
}

/**
 * Runs a command with the values of options that the command line leaves out.
 * @param isGiven by attribute name of an option
 * @throws Fault("usage") naming the variable
 */
export async function withEnvironment<T>(
  options: readonly OptionSpec[],
  env: NodeJS.ProcessEnv,
  isGiven: (name: string) => boolean,
  run: (values: Readonly<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const values: Record<string, unknown> = {};
  const set: (readonly [RegExp, string])[] = [];
  for (const { flags, variable, choices } of options) {
    const option = new Option(flags);
    const name = option.attributeName();
    const text = variable === undefined ? undefined : env[variable];
    if (text === undefined || isGiven(name)) continue;
    const allowed = option.required ? choices : ["true", "false"];
    if (allowed === undefined ? text === "" : !allowed.includes(text)) {
      const wanted = allowed === undefined ? "needs a value" : `is one of ${allowed.join(", ")}`;
      throw usage`${variable!} ${whole(wanted)}, not "${text}"; correct or unset it.`;
    }
    if (option.required) values[name] = text;
    else if (text === "true") values[name] = !option.negate;
    set.push([new RegExp(`${option.long!}(?![\\w-])`, "g"), variable!]);
  }
  try {
    return await run(values);
  } catch (error) {
    if (set.length === 0 || !(error instanceof Fault) || error.code !== "usage") throw error;
    // A refused value is named by where it came from.
    const message = set.reduce((text, [flag, variable]) => text.replaceAll(flag, variable), error.message);
    throw new Fault("usage", whole(message)).causedBy(error);
  }
}
