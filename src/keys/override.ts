// Applies the user's own keys to the table; refuses them all when an essential key could no longer be reached.

import { findCollisions, keyLabel, type Binding } from "./binding.ts";
import { EDITING_KEYS, readKeyName } from "./key-names.ts";

/** What the user wrote for one binding. */
export interface KeyOverride {
  readonly id: string;
  /** As written: `Ctrl-R`, `f5`, `x`. They replace those of the binding. */
  readonly keys: readonly string[];
}

/** The first thing that is wrong: with which override, and with which of its keys; null for all of them. */
export interface OverrideProblem {
  readonly override: number;
  readonly key: number | null;
  /** A clause without a full stop: what is wrong, and what to do. */
  readonly problem: string;
}

export type Overridden = { readonly bindings: readonly Binding[] } | OverrideProblem;

/** Leaving and help must be reachable on every screen. */
const ESSENTIAL = ["shell.quit", "shell.help", "shell.interrupt"];

/** Each page over a screen once had keys of its own, and users wrote their ids. */
const FORMER_PAGE = /^(?:why|signing|whatIf|sweep|tune)\./;

function presentId(id: string): string {
  return id.replace(FORMER_PAGE, "page.").replace(/^page\.anew$/, "page.again");
}

/** The table with the user's keys in it. */
export function overrideBindings(bindings: readonly Binding[], written: readonly KeyOverride[]): Overridden {
  const overrides = written.map((override) => ({ ...override, id: presentId(override.id) }));
  const names: (readonly string[])[] = [];
  for (const [index, override] of overrides.entries()) {
    const read = readOverride(bindings, override);
    if ("problem" in read) return { override: index, ...read };
    names.push(read.names);
  }
  const chosen = new Map<string, readonly string[]>();
  for (const [index, { id }] of overrides.entries()) {
    chosen.set(id, [...new Set([...(chosen.get(id) ?? []), ...names[index]!])]);
  }
  const changed = bindings.map((binding) => {
    const keys = chosen.get(binding.id);
    return keys === undefined ? binding : { ...binding, keys };
  });
  for (const { key, ids } of findCollisions(changed)) {
    const override = overrides.findLastIndex(({ id }) => ids.includes(id));
    // A collision within the table itself is not the user's error.
    if (override < 0) continue;
    const other = ids.find((id) => id !== overrides[override]!.id) ?? ids[0]!;
    return {
      override,
      key: names[override]!.indexOf(key),
      problem: `${keyLabel(key)} is the key of ${other} there already; choose another one, or give ${other} another key, too`,
    };
  }
  return unreachable(bindings, changed, overrides, names) ?? { bindings: changed };
}

function readOverride(
  bindings: readonly Binding[],
  { id, keys }: KeyOverride,
): { readonly names: readonly string[] } | Omit<OverrideProblem, "override"> {
  const binding = bindings.find((each) => each.id === id);
  if (binding === undefined) {
    return { key: null, problem: `there is no binding "${id}"; "verdict help shortcuts" lists them` };
  }
  if (keys.length === 0) return { key: null, problem: `${id} needs at least one key` };
  const typed = isTypedInto(bindings, binding.scope);
  const names: string[] = [];
  for (const [key, written] of keys.entries()) {
    const read = readKeyName(written);
    if ("problem" in read) return { key, problem: read.problem };
    const { name } = read;
    if (names.includes(name)) return { key, problem: `${keyLabel(name)} is listed twice; list it once` };
    if (typed && name.length === 1) {
      return { key, problem: `${keyLabel(name)} is typed as text there; choose a key such as f5 or ctrl+t` };
    }
    if (typed && EDITING_KEYS.has(name) && !binding.keys.includes(name)) {
      return { key, problem: `${keyLabel(name)} edits the text there; choose a key such as f5 or ctrl+t` };
    }
    names.push(name);
  }
  return { names };
}

/** True for the scope of a text field: none of its keys is a letter, because letters are typed. */
function isTypedInto(bindings: readonly Binding[], scope: string): boolean {
  return bindings.every((binding) => binding.scope !== scope || binding.keys.every((key) => key.length > 1));
}

/** An essential binding that a scope made unreachable: layers of screens come before the shell. */
function unreachable(
  before: readonly Binding[],
  after: readonly Binding[],
  overrides: readonly KeyOverride[],
  names: readonly (readonly string[])[],
): OverrideProblem | null {
  const scopes = new Set(before.map(({ scope }) => scope));
  for (const id of ESSENTIAL) {
    const lost = [...scopes].find((scope) => isReached(before, id, scope) && !isReached(after, id, scope));
    if (lost === undefined) continue;
    const keys = after.find((binding) => binding.id === id)!.keys;
    const at = overrides.findLastIndex(
      (override, index) =>
        override.id === id ||
        (after.find((binding) => binding.id === override.id)!.scope === lost &&
          names[index]!.some((name) => keys.includes(name))),
    );
    const label = keys.map(keyLabel).join(", ");
    return {
      override: Math.max(0, at),
      key: null,
      problem: `${label} is also a key of "${lost}", so ${id} would have no key there; choose another key`,
    };
  }
  return null;
}

/** Whether a layer of this scope leaves one of the keys of a binding to the layers below. */
function isReached(bindings: readonly Binding[], id: string, scope: string): boolean {
  const essential = bindings.find((binding) => binding.id === id);
  if (essential === undefined) return false;
  if (essential.scope === scope) return true;
  const taken = new Set(bindings.filter((each) => each.scope === scope).flatMap(({ keys }) => keys));
  return essential.keys.some((key) => !taken.has(key));
}
