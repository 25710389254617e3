// verdict docs: lists the pages of the documents, or prints one.

import { documentPages, type Page } from "#src/app/documents.ts";
import { usage } from "#src/contract/fault.ts";
import { nearest } from "#src/contract/text/nearest.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";
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
