// The commands that run something, for pages about each.

import type { CommandSpec } from "#src/cli/command.ts";

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

/** The path with arguments and required options. */
export function usage(path: string, { arguments: words = [], options = [] }: CommandSpec): string {
  const required = options.filter((option) => option.required === true).map((option) => option.flags);
  return [path, ...words.map(([word]) => word), ...required].join(" ");
}
