// The manual pages of the program in roff: section 1 a page for each command, 5 for its files, 7 for its other topics.

import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT_MEANINGS } from "#src/cli/exit-code.ts";
import { TOPICS } from "#src/cli/topics.ts";
import { leavesOf, usage, type Leaf } from "./command-leaves.ts";

const ABOUT = "terminal console and command line for payment risk decisions";
const TOPIC_PAGES = Object.entries(TOPICS).map(([name, text]) => ({
  file: `verdict-${name}.${name === "files" ? 5 : 7}`,
  text,
}));

/** Texts by file name, such as `verdict-check.1`. */
export function manualPages(version: string): ReadonlyMap<string, string> {
  const leaves = leavesOf(COMMANDS, "verdict");
  const pages = new Map([["verdict.1", overview(leaves)]]);
  for (const leaf of leaves) pages.set(fileOf(leaf), commandPage(leaf));
  for (const { file, text } of TOPIC_PAGES) pages.set(file, topicPage(file, text));
  return new Map(
    Array.from(pages, ([file, lines]) => {
      const [, name, section] = /^(.*)\.(\d)$/.exec(file)!;
      const head = `.TH "${name!.toUpperCase()}" "${section}" "" "verdict ${version}" "verdict"`;
      // No hyphenation and no justified lines: commands and options are to be copied.
      return [file, [head, ".nh", ".ad l", ...lines, ""].join("\n")];
    }),
  );
}

function overview(leaves: readonly Leaf[]): string[] {
  return [
    ...named("verdict", ABOUT),
    ...section("SYNOPSIS", ["\\fBverdict\\fR [\\fIcommand\\fR]"]),
    ...section("DESCRIPTION", [
      roff(
        "Without a command, verdict opens the console. It fails closed: only a trustworthy pass is a pass.",
      ),
    ]),
    ...section(
      "COMMANDS",
      leaves.flatMap((leaf) => item(nameOf(leaf.path), leaf.spec.summary)),
    ),
    ...section(
      "EXIT STATUS",
      EXIT_MEANINGS.flatMap(([code, meaning]) => item(code, meaning)),
    ),
    ...section("SEE ALSO", [TOPIC_PAGES.map(({ file }) => reference(file)).join(", ")]),
  ];
}

function commandPage({ path, spec }: Leaf): string[] {
  const { arguments: words = [], options = [], examples = [], notes } = spec;
  const rows = [
    ...words.map(([word, help]) => item(word, help)),
    ...options.map(({ flags, help }) => item(flags, help)),
  ];
  return [
    ...named(nameOf(path), spec.summary),
    ...section("SYNOPSIS", [`\\fB${roff(path)}\\fR ${roff(synopsis(path, spec))}`]),
    ...(rows.length === 0 ? [] : section("OPTIONS", rows.flat())),
    ...(notes === undefined ? [] : section("NOTES", asIs(notes))),
    ...(examples.length === 0
      ? []
      : section(
          "EXAMPLES",
          examples.flatMap(([line, what]) => item(line, what)),
        )),
    ...section("SEE ALSO", [[reference("verdict.1"), reference("verdict-exit-codes.7")].join(", ")]),
  ];
}

function topicPage(file: string, text: string): string[] {
  const [title, ...rest] = text.split("\n");
  return [
    ...named(file.slice(0, -2), title!),
    ...section("DESCRIPTION", asIs(rest.join("\n").replace(/^\n+/, ""))),
  ];
}

function synopsis(path: string, spec: CommandSpec): string {
  const rest = usage(path, spec).slice(path.length).trim();
  return (spec.options ?? []).length === 0 ? rest : `[options] ${rest}`;
}

function nameOf(path: string): string {
  return path.replaceAll(" ", "-");
}

function fileOf({ path }: Leaf): string {
  return `${nameOf(path)}.1`;
}

function reference(file: string): string {
  return `\\fB${roff(file.slice(0, -2))}\\fR(${file.slice(-1)})`;
}

function named(name: string, summary: string): string[] {
  return section("NAME", [`${roff(name)} \\- ${roff(summary)}`]);
}

function section(title: string, lines: readonly string[]): string[] {
  return [`.SH "${title}"`, ...lines];
}

function item(term: string, text: string): string[] {
  return [".TP", `\\fB${roff(term)}\\fR`, roff(text)];
}

/** With its own line ends. */
function asIs(text: string): string[] {
  return [".nf", ...text.split("\n").map(roff), ".fi"];
}

/** Text of one line: what begins a request or an escape is written as a character. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("'", "\\(aq")
    .replace(/^\./, "\\&.");
}
