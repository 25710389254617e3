// The keys that work in a home: the table of the console with the user's own keys in it.

import { BINDINGS } from "#screens/shell/bindings.ts";
import type { Home } from "#src/app/home.ts";
import { readKeyOverrides } from "#src/app/key-overrides.ts";
import type { KeyTable } from "#src/cli/command.ts";
import { Fault } from "#src/contract/fault.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import { overrideBindings } from "#src/keys/override.ts";

export interface HomeKeys {
  readonly bindings: readonly Binding[];
  /** Why the user's keys are not among them, as one sentence; null when they are, or where there are none. */
  readonly problem: string | null;
}

/** Reads the user's keys. One that is wrong leaves the whole table as it is. */
export async function keysOf(home: Home): Promise<HomeKeys> {
  try {
    const overrides = await readKeyOverrides(home);
    if (overrides.length === 0) return { bindings: BINDINGS, problem: null };
    const result = overrideBindings(BINDINGS, overrides);
    if ("bindings" in result) return { bindings: result.bindings, problem: null };
    throw overrides[result.override]!.fault(result.key, result.problem);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return {
      bindings: BINDINGS,
      problem: `The default keys are in use: ${error.message.replace(/\.$/, "")}.`,
    };
  }
}

/** The same as rows for a list. */
export async function keyTable(home: Home): Promise<KeyTable> {
  const { bindings, problem } = await keysOf(home);
  const rows = bindings.map(({ id, keys, group, label }, index) => {
    const own = BINDINGS[index]!.keys;
    return {
      id,
      group,
      label,
      keys,
      shown: keys.map(keyLabel),
      standard: own === keys ? null : own,
    };
  });
  return { rows, problem };
}
