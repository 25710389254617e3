// The pages of docs/reference/commands: one for each command, and an index.

import { COMMANDS } from "#src/cli/commands.ts";
import { GLOBAL_OPTIONS } from "#src/cli/option-specs.ts";
import { HELP_GROUPS } from "#src/cli/help.ts";
import { pageOf, usageOf } from "#src/cli/command.ts";
import { flagsOf, helpOf, type OptionTable } from "#src/cli/option.ts";
import { leavesOf, longNotes, optionGroups, type Leaf } from "./command-leaves.ts";
import { codeBlock } from "./markdown.ts";

/** Lines by path in docs/reference. */
export function commandPages(): Record<string, readonly string[]> {
  const leaves = leavesOf(COMMANDS, "verdict");
  const pages = leaves.map((leaf) => [`${pageOf(leaf.path, leaf.spec)}.md`, commandPage(leaf)] as const);
  return { "commands/README.md": indexPage(leaves), ...Object.fromEntries(pages) };
}

function indexPage(leaves: readonly Leaf[]): string[] {
  const item = ({ path, spec }: Leaf): string =>
    `- [\`${usageOf(path, spec)}\`](${pageOf(path, spec).replace("commands/", "")}.md): ${spec.summary}`;
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
    ...optionRows(GLOBAL_OPTIONS),
  ];
}

function commandPage({ path, spec }: Leaf): string[] {
  const { arguments: words = [], examples = [] } = spec;
  return [
    `# ${path}`,
    "",
    `${spec.summary.slice(0, 1).toUpperCase()}${spec.summary.slice(1)}.`,
    ...codeBlock("text", [usageOf(path, spec)]),
    "",
    ...words.map(([word, help]) => `- \`${word}\`: ${help}`),
    ...[...optionGroups(spec)].flatMap(([heading, table]) => [
      ...(heading === "" ? [] : ["", `${heading}:`, ""]),
      ...optionRows(table),
    ]),
    ...codeBlock("text", longNotes(spec)),
    // With names that a reader replaces, so that no test can run them.
    ...codeBlock(
      "console",
      examples.flatMap(([line, what]) => [`# ${what}`, line]),
    ),
    "",
    "[All commands](README.md), and the options that every command has.",
  ];
}

function optionRows(table: OptionTable): string[] {
  return Object.entries(table).map(([name, spec]) => `- \`${flagsOf(name, spec)}\`: ${helpOf(spec)}`);
}
