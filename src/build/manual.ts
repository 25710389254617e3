// The manual pages of the program in roff: section 1 a page for each command, 5 for its files, 7 for its other topics.

import { BINDINGS } from "#screens/shell/bindings.ts";
import { pageOf, usageOf } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT_MEANINGS } from "#src/cli/exit-code.ts";
import { flagsOf, helpOf } from "#src/cli/option.ts";
import { TOPICS, type Topic } from "#src/cli/topics.ts";
import { createStyle } from "#src/display/style.ts";
import { keyRows } from "#src/key-table.ts";
import { leavesOf, longNotes, optionGroups, type Leaf } from "./command-leaves.ts";

const ABOUT = "terminal console and command line for payment risk decisions";

const PLAIN = createStyle({ color: false, ascii: false });

/** Texts by file name, such as `verdict-check.1`. */
export function manualPages(version: string): ReadonlyMap<string, string> {
  const leaves = leavesOf(COMMANDS, "verdict");
  const topics = Object.entries<Topic>(TOPICS).map(([name, topic]): [string, string[]] => [
    `verdict-${name}.${name === "files" ? 5 : 7}`,
    topicPage(name, typeof topic === "string" ? topic : topic(keyRows(BINDINGS), PLAIN)),
  ]);
  const pages = new Map([
    [
      "verdict.1",
      overview(
        leaves,
        topics.map(([file]) => file),
      ),
    ],
    ...leaves.map((leaf): [string, string[]] => [`${nameOf(leaf)}.1`, commandPage(leaf)]),
    ...topics,
  ]);
  return new Map(
    Array.from(pages, ([file, lines]) => {
      const head = `.TH "${file.slice(0, -2).toUpperCase()}" "${file.at(-1)!}" "" "verdict ${version}" "verdict"`;
      // No hyphenation and no justified lines: commands and options are to be copied.
      return [file, [head, ".nh", ".ad l", ...lines, ""].join("\n")];
    }),
  );
}

function overview(leaves: readonly Leaf[], topics: readonly string[]): string[] {
  return [
    ...named("verdict", ABOUT),
    ...section("SYNOPSIS", ["\\fBverdict\\fR [\\fIcommand\\fR]"]),
    ...section("DESCRIPTION", ["Without a command, verdict opens the console."]),
    ...section("COMMANDS", items(leaves.map((leaf) => [nameOf(leaf), leaf.spec.summary]))),
    ...section("EXIT STATUS", items(EXIT_MEANINGS)),
    ...section("SEE ALSO", [topics.map(reference).join(", ")]),
  ];
}

function commandPage(leaf: Leaf): string[] {
  const { path, spec } = leaf;
  const { arguments: words = [], examples = [] } = spec;
  const rest = usageOf(path, spec).slice(path.length);
  return [
    ...named(nameOf(leaf), spec.summary),
    ...section("SYNOPSIS", [`\\fB${roff(path)}\\fR${roff(rest)}`]),
    ...section("OPTIONS", [
      ...items(words),
      ...[...optionGroups(spec)].flatMap(([heading, table]) => [
        ...(heading === "" ? [] : [`.SS "${heading}"`]),
        ...items(Object.entries(table).map(([name, each]) => [flagsOf(name, each), helpOf(each)] as const)),
      ]),
    ]),
    ...section("NOTES", longNotes(spec).flatMap(asIs)),
    ...section("EXAMPLES", items(examples)),
    ...section("SEE ALSO", [
      `${reference("verdict.1")}, ${reference("verdict-exit-codes.7")}, verdict docs ${roff(pageOf(path, spec))}`,
    ]),
  ];
}

function topicPage(name: string, text: string): string[] {
  const [title = "", ...rest] = text.split("\n");
  return [
    ...named(`verdict-${name}`, title),
    ...section("DESCRIPTION", asIs(rest.join("\n").replace(/^\n+/, ""))),
  ];
}

function nameOf({ path }: Leaf): string {
  return path.replaceAll(" ", "-");
}

function reference(file: string): string {
  return `\\fB${roff(file.slice(0, -2))}\\fR(${file.at(-1)!})`;
}

function named(name: string, summary: string): string[] {
  return section("NAME", [`${roff(name)} \\- ${roff(summary)}`]);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH "${title}"`, ...lines];
}

function items(rows: readonly (readonly [string, string])[]): string[] {
  // A JSON text has no spaces, and a line of a terminal may end before it does.
  return rows.flatMap(([term, text]) => [".TP", `\\fB${roff(term).replaceAll(",", ",\\:")}\\fR`, roff(text)]);
}

/** With its own line ends. */
function asIs(text: string): string[] {
  return [".nf", ...text.split("\n").map(roff), ".fi"];
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "'": "\\(aq",
};

/** A line of text: what roff would read as a request or an escape, or draw otherwise, is named. */
function roff(text: string): string {
  return text.replaceAll(/[\\\-`^~']/g, (sign) => ESCAPES[sign]!).replace(/^\./, "\\&.");
}
