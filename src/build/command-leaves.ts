// The commands that run something, for pages about each.

import type { CommandSpec } from "#src/cli/command.ts";
import type { OptionTable } from "#src/cli/option.ts";

export interface Leaf {
  /** `verdict history show` */
  readonly path: string;
  readonly spec: CommandSpec;
}

/** With those inside others. */
export function leavesOf(commands: readonly CommandSpec[], prefix: string): Leaf[] {
  return commands.flatMap((spec) => {
    const path = `${prefix} ${spec.name}`;
    const own = spec.load === undefined ? [] : [{ path, spec }];
    return [...own, ...leavesOf(spec.children ?? [], path)];
  });
}

/** What the manual says below the options. */
export function longNotes({ notes, details }: CommandSpec): string[] {
  return [notes, details].filter((text) => text !== undefined);
}

/** The options by the heading of their group, which is empty for all where there are no groups. */
export function optionGroups({ options = {} }: CommandSpec): Map<string, OptionTable> {
  const entries = Object.entries(options);
  const rest = entries.some(([, { group }]) => group !== undefined) ? "Other options" : "";
  const groups = Map.groupBy(entries, ([, { group = rest }]) => group);
  return new Map(Array.from(groups, ([heading, each]) => [heading, Object.fromEntries(each)]));
}
