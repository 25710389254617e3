// The pages of docs/reference/commands: one for each command, and an index.

import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { GLOBAL_OPTIONS } from "#src/cli/global-options.ts";
import { HELP_GROUPS } from "#src/cli/help.ts";
import { pageOf } from "#src/cli/command-page.ts";
import { leavesOf, usage, type Leaf } from "./command-leaves.ts";
import { codeBlock } from "./markdown.ts";

/** Lines by path in docs/reference. */
export function commandPages(): Record<string, readonly string[]> {
  const leaves = leavesOf(COMMANDS, "verdict");
  const pages = leaves.map((leaf) => [`${pageOf(leaf.path, leaf.spec)}.md`, commandPage(leaf)] as const);
  return { "commands/README.md": indexPage(leaves), ...Object.fromEntries(pages) };
}

function indexPage(leaves: readonly Leaf[]): string[] {
  const item = ({ path, spec }: Leaf): string =>
    `- [\`${usage(path, spec)}\`](${pageOf(path, spec).replace("commands/", "")}.md): ${spec.summary}`;
  return [
    "# Commands",
    "",
    "`verdict help COMMAND` prints the same.",
    ...HELP_GROUPS.flatMap(([heading, names]) => [
      "",
      `## ${heading}`,
      "",
      ...leaves.filter(({ path }) => names.includes(path.split(" ")[1]!)).map(item),
    ]),
    "",
    "## Options of every command",
    "",
    "They work before and after the name of the command:",
    "",
    ...GLOBAL_OPTIONS.map(({ flags, help }) => `- \`${flags}\`: ${help}`),
  ];
}

function commandPage({ path, spec }: Leaf): string[] {
  const { arguments: words = [], options = [], examples = [], notes } = spec;
  const rows = [
    ...words.map(([word, help]) => `- \`${word}\`: ${help}`),
    ...options.map(
      ({ flags, help, required }) => `- \`${flags}\`: ${help}${required === true ? " (required)" : ""}`,
    ),
  ];
  return [
    `# ${path}`,
    "",
    `${spec.summary.slice(0, 1).toUpperCase()}${spec.summary.slice(1)}.`,
    ...codeBlock("text", [withOptions(path, spec)]),
    "",
    ...rows,
    ...codeBlock("text", notes === undefined ? [] : [notes]),
    // With names that a reader replaces, so that no test can run them.
    ...codeBlock(
      "console",
      examples.flatMap(([line, what]) => [`# ${what}`, line]),
    ),
    "",
    "[All commands](README.md), and the options that every command has.",
  ];
}

function withOptions(path: string, spec: CommandSpec): string {
  return `${usage(path, spec)}${(spec.options ?? []).length > 0 ? " [options]" : ""}`;
}
