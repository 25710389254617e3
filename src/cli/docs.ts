// verdict docs, examples and schema: what the program carries to be read.

import { resolve } from "node:path";
import { writeNewFolder } from "#src/actions/new-folder.ts";
import { documentPages, type Page, exampleFiles } from "#src/app/documents.ts";
import { schemaFiles, type SchemaFile } from "#src/app/schemas.ts";
import { usage, noSuch } from "#src/contract/fault.ts";
import { nearest } from "#src/contract/text/nearest.ts";
import { shellWord } from "#src/display/shell-word.ts";
import type { SCHEMA } from "./command-options.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { noStandardOutput } from "./option.ts";
import { wrapped } from "./table.ts";

const HEADINGS: Readonly<Record<string, string>> = {
  tutorials: "Tutorials",
  "how-to": "How-to guides",
  reference: "Reference",
  explanation: "Explanation",
};

/** Columns of a text that is easy to read. */
const WIDEST = 100;
const CODE = /(^ *```[^]*?^ *```$)/m;
/** A paragraph or an item of a list, with its sign; tables, headings and pictures are neither. */
const PARAGRAPH = /^( *(?:- |\d+\. )?)([^|#!\s-].*(?:\n(?! *(?:- |\d+\. |[|#])).*\S.*)*)/gm;

export const docs: CommandRun = ({ args, output }) => {
  const pages = documentPages();
  if (args[0] !== undefined) {
    const { text } = pageNamed(args[0], pages);
    output.exact(output.isTerminal ? folded(text, Math.min(output.columns, WIDEST)) : text);
    return Promise.resolve(EXIT.done);
  }
  const listed = pages.filter(({ name }) => !name.includes("/"));
  const width = Math.max(...listed.map(({ name }) => name.length));
  for (const [kind, heading] of Object.entries(HEADINGS)) {
    output.line(heading);
    for (const { name, title } of listed.filter((page) => page.kind === kind))
      output.line(`  ${name.padEnd(width)}  ${title}`);
    output.line();
  }
  output.advise('"verdict docs PAGE" prints a page; "verdict docs commands/check" is the page of a command.');
  return Promise.resolve(EXIT.done);
};

/**
 * @param asked a name, or a link of another page, such as `../how-to/install.md`
 * @throws Fault("usage") for an unknown page
 */
export function pageNamed(asked: string, pages: readonly Page[]): Page {
  const kinds = Object.keys(HEADINGS).join("|");
  const name = asked
    .replace(new RegExp(`^.*(?:${kinds})/|^\\./`), "")
    .replace(/(?:\/?README)?\.md(?:#.*)?$/, "");
  const last = (page: Page): string => page.name.replace(/^.*\//, "");
  const found = pages.find((page) => page.name === name) ?? pages.find((page) => last(page) === name);
  if (found !== undefined) return found;
  const like = nearest(
    name,
    pages.flatMap((page) => [page.name, last(page)]),
  );
  throw usage`There is no page "${asked}". Did you mean "verdict docs ${like}"? "verdict docs" lists the pages.`;
}

/** Markdown with its paragraphs at a width, and its code as it is. */
export function folded(text: string, columns: number): string {
  const paragraph = (_: string, head: string, words: string): string =>
    wrapped(head, words.split(/\s+/), columns, " ").join("\n");
  const parts = text.split(CODE);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(PARAGRAPH, paragraph)))
    .join("");
}

export const examples: CommandRun = async ({ args, output }) => {
  const folder = args[0]!;
  if (folder === "-") throw noStandardOutput("<folder>");
  const files = exampleFiles();
  await writeNewFolder(resolve(folder), files);
  output.line(`${files.size} files are in ${shellWord(folder)}.`);
  output.advise(`Next: cd ${shellWord(folder)} && verdict docs first-check`);
};

export const schema: CommandRun<typeof SCHEMA> = async ({ args, options, output }) => {
  const files = schemaFiles();
  const [name] = args;
  const file = files.find((each) => each.name === name);
  if (file !== undefined)
    return output.exact(options.path ? `${pathOf(file)}\n` : `${JSON.stringify(file.schema, null, 2)}\n`);
  if (name !== undefined) throw noSuch("schema", name, "verdict schema");
  const schemas = files.map(({ name, title, path }) => ({ name, title, path }));
  if (options.json) return output.json({ schema: 1, schemas });
  output.table(
    ["NAME", "DESCRIPTION"],
    files.map((each) => [each.name, options.path ? pathOf(each) : each.title]),
  );
};

/** @throws Fault("usage") in a single executable without its files */
function pathOf({ name, path }: SchemaFile): string {
  if (path !== null) return path;
  throw usage`The schemas are part of this executable. To save one as a file, use "verdict schema ${name}".`;
}
