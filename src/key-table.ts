// The keys that work in a home: the table of the console with the user's own keys and commands in it.

import { BINDINGS } from "#screens/shell/bindings.ts";
import { ownBindings } from "#screens/shell/own-bindings.ts";
import type { Home } from "#src/app/home.ts";
import { readKeyOverrides } from "#src/app/key-overrides.ts";
import { readOwnCommands } from "#src/app/own-commands.ts";
import type { KeyRow, KeyTable } from "#src/cli/command.ts";
import { Fault } from "#src/contract/fault.ts";
import type { OwnCommand } from "#src/contract/records/own-command.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import { overrideBindings } from "#src/keys/override.ts";

export interface HomeKeys {
  readonly bindings: readonly Binding[];
  readonly commands: readonly OwnCommand[];
  /** Why the user's keys or commands are not among them, a sentence each; null when they are, or where there are none. */
  readonly problem: string | null;
}

/** Reads the user's keys and commands. One that is wrong leaves out all of its file. */
export async function keysOf(home: Home): Promise<HomeKeys> {
  const problems: string[] = [];
  const orNone = async <T>(none: T, what: string, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(`${what}: ${error.message.replace(/\.$/, "")}.`);
      return none;
    }
  };
  const keys = await orNone(BINDINGS, "The default keys are in use", async () => {
    const overrides = await readKeyOverrides(home);
    const result = overrideBindings(BINDINGS, overrides);
    if ("bindings" in result) return result.bindings;
    throw overrides[result.override]!.fault(result.key, result.problem);
  });
  const none: Omit<HomeKeys, "problem"> = { bindings: keys, commands: [] };
  const own = await orNone(none, "Your commands are left out", async () => {
    const written = await readOwnCommands(home);
    const commands = written.map(({ command }) => command);
    const result = ownBindings(keys, commands);
    if ("bindings" in result) return { bindings: result.bindings, commands };
    throw written[result.command]!.keyFault(result.problem);
  });
  return { ...own, problem: problems.length === 0 ? null : problems.join(" ") };
}

/** The same as rows for a list. */
export async function keyTable(home: Home): Promise<KeyTable> {
  const { bindings, problem } = await keysOf(home);
  return { rows: keyRows(bindings), problem };
}

/** @param bindings the table, and the user's commands behind it */
export function keyRows(bindings: readonly Binding[]): KeyRow[] {
  return bindings.map(({ id, keys, group, label }, index) => {
    const own = BINDINGS[index]?.keys ?? keys;
    return {
      id,
      group,
      label,
      keys,
      shown: keys.map(keyLabel),
      standard: own === keys ? null : own,
    };
  });
}
