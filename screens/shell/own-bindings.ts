// Adds the keys of the user's own commands to the table; refuses them all when one of them is not free.

import type { OwnCommand } from "#src/contract/records/own-command.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import { EDITING_KEYS, readKeyName } from "#src/keys/key-names.ts";

/** Scopes of layers that are open together with the commands of a screen, or of every screen. */
const TOGETHER = {
  check: ["check", "check.field", "check.question"],
  history: ["history"],
  always: ["shell", "lock", "own"],
} as const;

/** @returns the table, or the first key that is wrong: of which command, and a clause without a full stop */
export function ownBindings(
  bindings: readonly Binding[],
  commands: readonly OwnCommand[],
): { readonly bindings: readonly Binding[] } | { readonly command: number; readonly problem: string } {
  const all = [...bindings];
  for (const [command, { name, key, label, on }] of commands.entries()) {
    const read = readKeyName(key);
    if ("problem" in read) return { command, problem: read.problem };
    const keys = [read.name];
    const scopes: readonly string[] = ["always" as const, ...on].flatMap((screen) => TOGETHER[screen]);
    const taken = all.find((each) => scopes.includes(each.scope) && each.keys.includes(read.name));
    if (taken !== undefined || EDITING_KEYS.has(read.name)) {
      const why = taken === undefined ? "edits text in fields" : `is already the key of ${taken.id}`;
      return { command, problem: `${keyLabel(read.name)} ${why}; choose another key, such as f6` };
    }
    const id = `own.${name}`;
    all.push({ id, keys, scope: "own", label, group: "Own commands", footer: 25, exposes: true });
  }
  return { bindings: all };
}
